"""What a terminal can show, from its environment and its own answer."""

import pytest

from dataagent_cli.transcript.terminal.detection import detect_style, is_query_useful
from dataagent_cli.transcript.terminal.terminal_style import CELL_PIXELS, Images, TerminalStyle

KITTY = "\x1b_Gi=31;OK\x1b\\\x1b[6;32;16t\x1b[?62;c"
SIXEL = "\x1b[6;20;10t\x1b[?62;4;22c"
XTERM = {"TERM": "xterm-256color"}


def look(
    environment: dict[str, str], *, answer: str = "", is_terminal: bool = True
) -> TerminalStyle:
    return detect_style(
        environment, is_terminal=is_terminal, width_cells=80, height_rows=24, answer=answer
    )


@pytest.mark.parametrize(
    ("environment", "answer", "images"),
    [
        (XTERM, "", "none"),
        (XTERM, KITTY, "kitty"),
        (XTERM, SIXEL, "sixel"),
        (XTERM, "\x1b[?4;6c", "none"),  # a VT132, whose first number is its kind
        (XTERM | {"TERM_PROGRAM": "iTerm.app"}, "", "iterm2"),
        (XTERM | {"TERM_PROGRAM": "ghostty"}, "", "kitty"),
        ({"TERM": "xterm-kitty"}, "", "kitty"),
        ({"TERM": "xterm-kitty", "TMUX": "/s"}, KITTY, "none"),
        ({"TERM": "dumb"}, KITTY, "none"),
    ],
)
def test_pictures_go_where_the_terminal_shows_them(
    environment: dict[str, str], answer: str, images: Images
):
    assert look(environment, answer=answer).images == images


def test_the_size_of_a_cell_is_the_terminals_unless_nobody_would_believe_it():
    assert look(XTERM, answer=KITTY).cell_pixels == (16, 32)
    assert look(XTERM, answer="\x1b[6;9999;1t").cell_pixels == CELL_PIXELS
    assert look(XTERM).cell_pixels == CELL_PIXELS


def test_colours_and_escapes_are_used_where_they_are_wanted():
    assert look(XTERM).colours
    no_colour = look(XTERM | {"NO_COLOR": "1"})
    assert (no_colour.colours, no_colour.plain) == (False, False)
    assert look({"TERM": "dumb"}).plain
    assert look(XTERM, is_terminal=False).plain


def test_signs_are_ascii_where_the_terminal_knows_no_others():
    assert look(XTERM).unicode
    assert not look({"TERM": "dumb"}).unicode
    assert not look({"TERM": "linux"}).unicode
    latin = detect_style(
        XTERM, is_terminal=True, width_cells=80, height_rows=24, encoding="latin-1"
    )
    assert not latin.unicode


def test_links_are_clickable_where_that_is_known_to_work():
    assert not look(XTERM).links
    assert look(XTERM | {"VTE_VERSION": "7600"}).links
    assert not look(XTERM | {"VTE_VERSION": "4000"}).links
    assert not look(XTERM | {"VTE_VERSION": "²"}).links
    assert look(XTERM | {"WT_SESSION": "x"}).links


def test_a_terminal_inside_a_multiplexer_is_not_asked():
    assert is_query_useful(XTERM)
    assert not is_query_useful(XTERM | {"STY": "1"})
