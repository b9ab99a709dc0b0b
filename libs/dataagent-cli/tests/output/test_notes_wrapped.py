"""Notes on a terminal: wrapped between words, a long path stays whole."""

import io
from typing import cast

import pytest

from dataagent_cli.output.streams import Output
from dataagent_cli.repl.input.answer_line import AnswerLine
from dataagent_cli.repl.screen.screen import Screen
from dataagent_cli.repl.screen.screen_output import ScreenOutput


class Stream(io.StringIO):
    """A stream that may be a terminal without a size."""

    def __init__(self, *, terminal: bool) -> None:
        super().__init__()
        self._terminal = terminal

    def isatty(self) -> bool:
        return self._terminal


class PrintedScreen:
    """A screen that stores what is printed."""

    width_cells = 30
    text = ""

    def print(self, text: str) -> None:
        self.text += text


def screen_output() -> tuple[ScreenOutput, PrintedScreen]:
    paper = PrintedScreen()
    return ScreenOutput(cast("Screen", paper), cast("AnswerLine", None)), paper


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (
            "this session was begun in another directory",
            ["this session was begun in", "another directory"],
        ),
        (
            "  dataagent permissions trust takes it",
            ["  dataagent permissions trust", "  takes it"],
        ),
        (
            "kept in /home/somebody/a/long/path/of/files/x.csv now",
            ["kept in /home/somebody/a/long/path/of/files/x.csv", "now"],
        ),
        ("会话仍在继续:" + "长" * 10, ["会话仍在继续:" + "长" * 8, "长长"]),
        ("short\n\nand done", ["short", "", "and done"]),
    ],
)
def test_a_note_above_the_prompt_is_broken_between_words(text: str, lines: list[str]):
    output, paper = screen_output()
    output.note(text)
    assert paper.text.split("\n") == [*lines, ""]


def test_a_line_of_a_program_is_printed_as_it_is():
    output, paper = screen_output()
    output.verbatim("one two three four five six seven eight nine")
    assert paper.text == "one two three four five six seven eight nine\n"


def test_notes_of_a_run_are_broken_on_a_terminal_and_whole_in_a_file():
    words = " ".join(["wörter"] * 40)
    for terminal in (True, False):
        err = Stream(terminal=terminal)
        Output(Stream(terminal=False), err, {"TERM": "dumb"}).note(words)
        lines = err.getvalue().splitlines()
        assert " ".join(lines) == words
        assert (len(lines) > 1) == terminal
        assert all(line.endswith("wörter") for line in lines)
