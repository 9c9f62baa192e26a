"""Settings of all tests: switches of SciPy and Hypothesis, an order in which little is compiled."""

import gc
import os

from hypothesis import HealthCheck, settings

# scikit-learn's checks of estimators run in full: the one of the array API needs it
os.environ.setdefault("SCIPY_ARRAY_API", "1")

# Compiling makes so many objects that Python looked for garbage for a fourteenth of a cold run
gc.set_threshold(20_000, 20, 100)

# an example that takes long, since a kernel is compiled or others work here, too, is no failure
settings.register_profile(
    "any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("any machine")

# What learns from rows of all kinds. Of two workers each begins with a half of the tests, and what
# the bodies of `rosenblatt.kernels.rows` compile to is kept by a process, not in the cache on disk.
ROWS = ("linear", "kernels", "blocks", "proof", "tracing", "test_every_estimator.py", "bayes")
# What reads files and mail, and shows what it found; first what waits for a browser and needs few
# kernels, while the other worker compiles. All else comes last: it needs a bit of all, which is
# compiled by then.
FILES = ("studio", "data", "mail", "text", "cluster", "workflows", "cli")


def pytest_collection_modifyitems(items):
    """Put the tests that need the same kernels side by side."""
    items.sort(key=_place)


def _place(item):
    """Return a number: tests of a smaller one come first, of the same one as they are."""
    folder, subject, *_ = [*item.nodeid.split("::")[0].split("/"), ""]
    places = (*ROWS, *FILES) if folder == "tests" else ()
    return places.index(subject) if subject in places else len(ROWS) + len(FILES)
