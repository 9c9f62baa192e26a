"""Lines in blocks: nothing is lost, no line is cut."""

import io

from hypothesis import given
from hypothesis import strategies as st

from rosenblatt.data.compression import ByteStream
from rosenblatt.data.formats.lines import blocks_of_lines
from tests.examples import FEW


class Dribble(io.BytesIO):
    """A pipe that hands over three bytes at a time."""

    def readinto(self, buffer):
        return super().readinto(memoryview(buffer)[:3])


@FEW
@given(st.binary(max_size=300), st.integers(8, 100), st.booleans(), st.booleans())
def test_blocks_are_whole_lines_and_make_up_the_file(content, size, one_buffer, slow):
    stream = Dribble(b"x" + content) if slow else io.BytesIO(b"x" + content)
    blocks = [
        text[:end].tobytes()
        for text, end in blocks_of_lines(ByteStream(stream, "a"), size, one_buffer=one_buffer)
    ]
    assert all(block.endswith(b"\n") for block in blocks)
    whole = b"x" + content
    assert b"".join(blocks) == whole + (b"" if whole.endswith(b"\n") else b"\n")


def test_blocks_that_are_kept_stay_as_they_were():
    content = ByteStream(io.BytesIO(b"one\ntwo\nthree\nfour\n"), "a")
    blocks = list(blocks_of_lines(content, 10, one_buffer=False))
    assert [text[:end].tobytes() for text, end in blocks] == [b"one\ntwo\n", b"three\n", b"four\n"]
