"""The diff in an event says exactly what changed, whatever the lines are."""

import time

from diffs import applied
from hypothesis import given
from hypothesis import strategies as st

from dataagent_core.config.limits import DIFF_CHARS_MAX, DIFF_FILE_BYTES_MAX
from dataagent_core.tools.output.file_diff import compare_file

texts = st.lists(
    st.text(st.sampled_from("ab \t\r\x0c\u2028é-+\\@"), max_size=4), max_size=12
).flatmap(lambda lines: st.sampled_from(["\n".join(lines), "\n".join([*lines, ""])]))


@given(before=texts, after=texts)
def test_applying_a_diff_to_the_text_before_gives_the_text_after(before: str, after: str):
    metrics, diff = compare_file("/a", before.encode(), after.encode())
    assert diff is not None
    assert applied(before, diff) == after
    assert metrics["lines_added"] - metrics["lines_removed"] == _count(after) - _count(before)


def _count(text: str) -> int:
    return text.count("\n") + (not text.endswith("\n") and text != "")


def test_what_is_no_text_or_too_large_is_only_counted():
    assert compare_file("/a", b"a\0", b"b") == ({"bytes_written": 1, "lines_written": 1}, None)
    large = b"x" * (DIFF_FILE_BYTES_MAX + 1)
    assert compare_file("/a", large, b"")[1] is None


def test_a_name_with_a_line_break_stays_in_its_line():
    _, diff = compare_file("/a\n+++ b/etc/passwd\udcff", b"", b"x\n")
    assert diff is not None
    assert diff.splitlines()[:2] == [
        "--- a/a\\n+++ b/etc/passwd\\udcff",
        "+++ b/a\\n+++ b/etc/passwd\\udcff",
    ]


def test_lines_that_repeat_endlessly_are_not_aligned_for_minutes():
    before = "".join(f"line {n % 150}\n" for n in range(40_000))
    after = "".join(f"line {n * 7 % 150}\n" for n in range(40_000))
    began = time.perf_counter()
    metrics, diff = compare_file("/a", before.encode(), after.encode())
    assert time.perf_counter() - began < 60
    assert diff is not None
    assert len(diff) < DIFF_CHARS_MAX + 100
    assert diff.endswith("(diff cut here)")
    assert metrics["lines_added"] == metrics["lines_removed"]
