"""How much of an output is shown (S2 §7.2.6)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dataagent_core.config.limits import OUTPUT_BYTES_MAX
from dataagent_core.tools.output.output_bounds import (
    split_lines,
    truncate_by_bytes,
    truncate_lines_by_bytes,
)

LINES = st.lists(st.text(st.characters(exclude_characters="\n"), max_size=30), max_size=60)


@pytest.mark.requirement("S2-7.2.6-bytes")
@pytest.mark.requirement("F3-truncation")
@given(st.text(), st.integers(0, 60))
def test_truncation_never_splits_a_character_and_counts_what_it_left_out(text: str, limit: int):
    cut = truncate_by_bytes(text, limit)
    kept, whole = (part.encode("utf-8", "surrogatepass") for part in (cut.text, text))
    assert len(kept) <= limit or cut.text == text
    assert text.startswith(cut.text)
    assert len(kept) + cut.bytes_left_out == len(whole)
    # No room was wasted: the next character would not have fitted.
    following = text[len(cut.text) : len(cut.text) + 1].encode("utf-8", "surrogatepass")
    assert not following or len(kept) + len(following) > limit


@pytest.mark.requirement("S2-7.2.6-lines")
@given(LINES, st.integers(1, 10), st.integers(0, 200))
def test_the_pages_together_are_the_whole(lines: list[str], limit: int, max_bytes: int):
    seen: list[str] = []
    offset = 0
    for _ in range(len(lines) + 1):
        page = truncate_lines_by_bytes(lines, offset, limit, max_bytes=max_bytes)
        seen += page.lines
        offset = page.next_offset
        if page.end == "file":
            break
    assert seen == lines


@given(LINES, st.integers(0, 5), st.integers(1, 10), st.integers(50, 400))
def test_a_page_of_several_lines_keeps_within_its_bytes(
    lines: list[str], offset: int, limit: int, max_bytes: int
):
    page = truncate_lines_by_bytes(lines, offset, limit, max_bytes=max_bytes)
    shown = page.numbered.encode("utf-8", "surrogatepass")
    assert len(shown) <= max_bytes or len(page.lines) == 1
    assert len(page.lines) <= limit


@pytest.mark.requirement("S2-7.2.6-constants")
@pytest.mark.requirement("F3-2")
def test_the_limits_are_those_of_the_document():
    page = truncate_lines_by_bytes(["x" * 2001] * 3000)
    assert page.lines[0] == "x" * 2000 + "..."
    assert len(page.numbered.encode()) <= OUTPUT_BYTES_MAX == 50 * 1024
    assert len(truncate_lines_by_bytes(["x"] * 3000).lines) == 2000


@pytest.mark.requirement("S2-7.2.6-notices")
@pytest.mark.requirement("F3-2")
def test_the_three_notices_are_those_of_the_document():
    hundred = ["x" * 10] * 100
    assert (
        truncate_lines_by_bytes(hundred, 0, 100, max_bytes=180).notice
        == "\n(Output truncated at 180 bytes. Use 'offset' parameter to read beyond line 10)"
    )
    assert (
        truncate_lines_by_bytes(hundred, 0, 50).notice
        == "\n(File has more lines. Use 'offset' parameter to read beyond line 50)"
    )
    assert truncate_lines_by_bytes(hundred).notice == "\n(End of file - total 100 lines)"


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("", []),
        ("a", ["a"]),
        ("a\n", ["a"]),
        ("a\r\n\r\nb", ["a", "", "b"]),
        ("a\x0cb", ["a\x0cb"]),
    ],
)
def test_lines_end_where_editors_and_grep_end_them(text: str, lines: list[str]):
    assert split_lines(text) == lines


def test_an_offset_beyond_the_end_is_the_end():
    page = truncate_lines_by_bytes(["a"], 7)
    assert (page.lines, page.end) == ((), "file")
