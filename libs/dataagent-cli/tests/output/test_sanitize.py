"""Nothing a model or tool wrote can steer the terminal or pass for the prompt."""

import unicodedata

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from dataagent_cli.approval.action_lines import BAR, question_lines
from dataagent_cli.messages import Messages
from dataagent_cli.output.sanitize import one_line, sanitize_text, spell_out
from dataagent_cli.output.text_width import cut

ANY_TEXT = st.text(st.characters() | st.sampled_from("\x1b\x9b\r\u202e\u2028\udc80[]mJ;"))


def test_sequences_go_whole_and_what_is_left_is_plain():
    assert sanitize_text("a\x1b[31mb\x1b[2J\x1b]0;title\x07c\r\nd\re") == "abc\nde"
    assert sanitize_text("abc\u202edef\u2066\U000e0041") == "abcdef"
    assert one_line(" a\n\n b\t") == "a b"


def test_what_is_hidden_is_spelled_out_for_a_decision():
    assert spell_out("rm\x1b[1A\u202e\u200b\xa0中\n") == "rm\\x1b[1A\\u202e\\u200b\\xa0中\n"


@given(ANY_TEXT)
def test_cleaned_text_holds_no_control_character(text: str):
    result = sanitize_text(text)
    assert not {c for c in result if unicodedata.category(c) in ("Cc", "Cs")} - {"\n", "\t"}
    assert not set(result) & set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u2028")
    result.encode()


@given(ANY_TEXT, st.integers(20, 120))
def test_every_line_of_the_question_stands_behind_the_bar_and_fits_the_screen(
    content: str, width: int
):
    diff = "--- a/x\n+++ b/x\n@@ -0,0 +1 @@\n+" + content
    for shown in (None, diff):
        action = {"name": "write_file", "args": {"content": content}, "description": ""}
        for line in question_lines(action, shown, Messages("en"), width):  # pyright: ignore[reportArgumentType]
            assert line.text.startswith(BAR)
            assert line.text.replace("\u3000", "").isprintable()
            assert cell_len(line.text) <= width


@given(ANY_TEXT, st.integers(1, 100))
def test_a_cut_line_fits(text: str, width: int):
    assert cell_len(cut(one_line(text), width)) <= width
