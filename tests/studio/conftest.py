"""One studio for all tests: uvicorn in a thread, on a free port."""

import pytest

from tests.studio.serving import serve_in_a_thread


@pytest.fixture(scope="session")
def studio():
    with serve_in_a_thread() as running:
        yield running
