"""Lines broken to a width: after a space where one is near, with nothing lost."""

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from dataagent_cli.output.text_width import fold


def test_a_sentence_is_broken_between_words_and_a_long_word_where_it_must_be():
    assert fold("read files in it, and ask", 12) == ["read files ", "in it, and ", "ask"]
    assert fold("    " + "x" * 12, 8) == ["    xxxx", "xxxxxxxx"]
    assert fold("", 8) == [""]


def test_a_line_break_of_somebody_else_does_not_leave_the_place_behind_the_bar():
    assert fold("one\n\n╰ approved", 12) == ["one", "", "╰ approved"]


@given(st.text(alphabet="ab 中\u0301e", max_size=60), st.integers(2, 12))
def test_no_piece_is_too_wide_and_together_they_are_the_line(line: str, width: int):
    pieces = fold(line, width)
    assert "".join(pieces) == line
    assert all(cell_len(piece) <= width for piece in pieces)
