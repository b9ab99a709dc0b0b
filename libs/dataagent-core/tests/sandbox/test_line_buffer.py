"""Lines come out as they went in, and what waits is bounded."""

from hypothesis import given
from hypothesis import strategies as st

from dataagent_core.sandbox.processes.line_buffer import LineBuffer

MAX = 64


class Source:
    """Writes pieces unless it is told to wait."""

    def __init__(self) -> None:
        self.paused = False
        self.overflowed = False
        self.buffer = LineBuffer(MAX, self.overflow, self.pause)

    def overflow(self) -> None:
        self.overflowed = True

    def pause(self, to: bool) -> None:
        assert to != self.paused
        self.paused = to


@given(st.lists(st.binary(max_size=MAX).map(lambda line: line.replace(b"\n", b"")), max_size=30))
async def test_every_line_comes_out_once_however_it_was_cut(lines: list[bytes]):
    source, found = Source(), list[bytes]()
    data = b"".join(line + b"\n" for line in lines)
    for start in range(0, len(data), 7):
        source.buffer.add(data[start : start + 7])
        while source.paused:
            found.append(await source.buffer.read_line())
    source.buffer.end()
    while line := await source.buffer.read_line():
        found.append(line)
    assert found == [line + b"\n" for line in lines]
    assert not source.overflowed


async def test_whoever_writes_faster_than_is_read_is_told_to_wait():
    source = Source()
    for _ in range(MAX):
        if not source.paused:
            source.buffer.add(b"ab\n")
    assert source.paused
    taken = 0
    while source.paused:
        assert await source.buffer.read_line() == b"ab\n"
        taken += 1
    assert taken < MAX


async def test_a_line_without_end_is_dropped_and_ends_it():
    source = Source()
    source.buffer.add(b"first\n")
    for _ in range(10):
        if not source.paused:
            source.buffer.add(b"x" * 20)
    assert await source.buffer.read_line() == b"first\n"
    for _ in range(10):
        source.buffer.add(b"x" * 20)
    assert source.overflowed
    assert source.buffer.is_overlong
    assert await source.buffer.read_line() == b""
