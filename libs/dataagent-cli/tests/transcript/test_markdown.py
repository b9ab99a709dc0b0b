"""Streamed Markdown: the screen does not depend on how the text was split."""

import io
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len

from dataagent_cli.transcript.limits import BLOCK_CHARS_MAX, LINE_CHARS_MAX
from dataagent_cli.transcript.markdown.blocks import Splitter
from dataagent_cli.transcript.markdown.stream import MarkdownStream
from dataagent_cli.transcript.terminal.console import console_for
from dataagent_cli.transcript.terminal.terminal_style import TerminalStyle
from tests.counts import examples

WIDTH = 40
LOOK = TerminalStyle(width_cells=WIDTH, links=True)
PLAIN = TerminalStyle(width_cells=WIDTH, plain=True)
SEQUENCE = re.compile(r"\x1b\[[0-9;]*m|\x1b\]8;[^\x1b]*\x1b\\")

# Fragments of Markdown, of terminal sequences and of several scripts, combined at random.
WORDS = [
    "a", "word ", "\n", "\n\n", "- ", "* ", "1. ", "7) ", "  ", "    ", "\t", "# ", "### ", "> ",
    "```", "```python\n", "~~~", "`", "**", "*", "_", "~~", "|", "|-|-|\n", "| a | b |\n", "---",
    "===", "[x](", "http://a.b/c", ")", "<b>", "&#x202e;", "&#27;", "\x1b[31m", "\x1b]8;;", "\x07",
    "\r", "\r\n", "\u2028", "中文很长", "\uff0c", "「", "」", "e\u0301", "👩\u200d🔬", "☃\ufe0f", "\u202e",
    "![i](file:///etc/passwd)", "[x](javascript:x)", "[click](https://evil.example/)", "\\", "\x00",
]  # fmt: skip
TEXTS = st.lists(st.sampled_from(WORDS) | st.text(max_size=4), max_size=60).map("".join)


def printed(text: str, cuts: list[int] | None = None, look: TerminalStyle = PLAIN) -> str:
    answer, lines = MarkdownStream(), []
    ends = sorted({min(cut, len(text)) for cut in cuts or []})
    for start, end in zip([0, *ends], [*ends, None], strict=True):
        if end is not None:
            lines += answer.piece(text[start:end], look)
            answer.live(look)
    lines += answer.final(text, look)
    file = io.StringIO()
    console = console_for(look, file)
    for line in lines:
        console.print(line)
    return file.getvalue()


@given(TEXTS, st.lists(st.integers(0, 300), max_size=12))
@settings(max_examples=examples(300), deadline=None)
def test_any_pieces_of_a_text_give_the_screen_of_the_whole_text(text: str, cuts: list[int]):
    assert printed(text, cuts) == printed(text)


@given(TEXTS, st.integers(1, 60), st.lists(st.integers(0, 20_000), max_size=6))
@settings(max_examples=25, deadline=None)
def test_a_text_so_long_that_its_blocks_are_parted_does_not_depend_on_its_pieces_either(
    text: str, times: int, cuts: list[int]
):
    assert printed(text * times, cuts) == printed(text * times)


@given(TEXTS, st.integers(20, 60))
@settings(max_examples=examples(300), deadline=None)
def test_no_line_is_wider_than_the_screen(text: str, width: int):
    look = TerminalStyle(width_cells=width, plain=True)
    for line in printed(text, look=look).split("\n"):
        assert cell_len(line) <= width, line


@given(TEXTS)
@settings(max_examples=examples(300), deadline=None)
def test_no_text_steers_the_terminal(text: str):
    shown = printed(text, look=LOOK)
    for link in re.findall(r"\x1b\]8;[^;]*;([^\x1b]+)\x1b", shown):
        assert link.startswith(("http://", "https://")), link
    bare = SEQUENCE.sub("", shown)
    assert not [c for c in bare if (ord(c) < 32 and c != "\n") or 0x7F <= ord(c) < 0xA0]
    assert not set(bare) & set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u2028\u2029")


@given(TEXTS)
def test_what_is_being_written_fits_and_is_harmless_at_every_moment(text: str):
    answer = MarkdownStream()
    for char in text:
        answer.piece(char, LOOK)
        for line in answer.live(LOOK)[-3:]:
            assert cell_len(line.plain) <= WIDTH
            assert "\x1b" not in line.plain


PAGE = """\
# Report

Some **bold** words, `code` and a [link](https://example.com/a).
A second line stays a second line.

- one
- two
  - inner
- three

1. first
1. second

| name | 数量 | note |
|:--|--:|---|
| 苹果 | 12 | red |
| pear | 7 | a note that is too long for its column |

> quoted
> twice

```sql
SELECT 1
  FROM t
```
---
end
"""

SHOWN = """\
# Report

Some bold words, code and a link
(https://example.com/a).
A second line stays a second line.

 • one
 • two
    • inner
 • three

1. first
2. second

name │ 数量 │ note
─────┼──────┼───────────────────────────
苹果 │   12 │ red
pear │    7 │ a note that is too long
     │      │ for its column

▌ quoted
▌ twice

  SELECT 1
    FROM t

────────────────────────────────────────

end
"""


def test_a_page_stands_on_the_screen():
    assert printed(PAGE) == SHOWN


def test_a_page_has_colours_where_they_are_wanted():
    shown = printed(PAGE, look=LOOK)
    assert "\x1b[1mbold\x1b[0m" in shown
    assert re.search(r"\x1b\[[0-9;]+mSELECT\x1b\[0m", shown)
    assert SEQUENCE.sub("", shown) == SHOWN
    no_colours = printed(PAGE, look=TerminalStyle(width_cells=WIDTH, colours=False))
    assert "\x1b[1mbold\x1b[0m" in no_colours
    assert not re.search(r"\x1b\[(?:\d+;)*[349]\d", no_colours)


def test_a_dumb_terminal_gets_ascii_signs_in_the_same_places():
    ascii_signs = printed(PAGE, look=TerminalStyle(width_cells=WIDTH, plain=True, unicode=False))
    assert ascii_signs == SHOWN.translate(str.maketrans("•│─┼▌", "*|-+|"))


def test_chinese_breaks_between_characters_but_not_before_a_closing_sign():
    comma = "\uff0c"
    text = "see " + "中" * 18 + comma + "「文" + "中" * 20
    first, second, *_ = printed(text).split("\n")
    assert first == "see " + "中" * 17
    assert second.startswith("中" + comma + "「文")


def test_html_and_definitions_are_shown_and_not_hidden():
    shown = printed("a List<String> <script>x</script>\n\n[a]: http://b.c/\n")
    assert "List<String> <script>x</script>" in shown
    assert "[a]: http://b.c/" in shown


def test_an_address_is_written_out_and_only_the_web_is_clickable():
    shown = printed("[https://good.example](https://evil.example/x)", look=LOOK)
    assert "(https://evil.example/x)" in SEQUENCE.sub("", shown).replace("\n", "")
    assert ";https://evil.example/x\x1b\\" in shown
    assert "\x1b]8" not in printed("[x](ftp://a.b/c) [y](mailto:a@b.c)", look=LOOK)
    assert "\x1b]8" not in printed("[x](https://a.b/c)")


@pytest.mark.parametrize(
    "line",
    ["word ", "- item\n", "text\n", "> quote\n", "|a|b|\n", "    code\n", "- a\n  b\n", "*_[`"],
)
def test_what_is_not_finished_stays_small_however_long_the_text(line: str):
    splitter = Splitter()
    if line.startswith("|"):
        splitter.feed("|x|y|\n|-|-|\n")
    given_out = 0
    for _ in range(5_000):
        given_out += sum(len("".join(block.lines)) for block in splitter.feed(line))
        tail = splitter.tail()
        if tail is not None:
            assert sum(map(len, tail.lines)) <= BLOCK_CHARS_MAX + LINE_CHARS_MAX
    given_out += sum(len("".join(block.lines)) for block in splitter.end())
    assert given_out >= 5_000 * len(line.strip().replace("\n", "")) * 0.9


def test_a_block_is_given_out_as_soon_as_it_cannot_change():
    splitter = Splitter()
    assert splitter.feed("one\n") == []
    assert [block.lines for block in splitter.feed("\n")] == [("one",)]
    assert [block.lines for block in splitter.feed("# two\n")] == [("# two",)]
    assert splitter.feed("- a\n- b") == []
    assert [block.lines for block in splitter.feed("\n")] == [("- a",)]
