"""The answer on stdout, where it is not a terminal: printed as it was written.

It is printed once it is final and known to be the answer: a text that a tool call follows was only
a remark, and goes to stderr, so that `dataagent run ... > out.md` holds just the answer. On a
terminal it is rendered while it comes (`rendered_answer.py`).
"""

from typing import Protocol

from dataagent_cli.harmless import cleaned, harmless_json
from dataagent_cli.output import Output


class Answer(Protocol):
    """Follows the text of one run."""

    def piece(self, text: str) -> None:
        """Take a piece of a text that is still being written."""

    def final(self, text: str) -> None:
        """Take a whole text, which replaces its pieces."""

    def was_a_remark(self) -> None:
        """Learn that the work goes on after the last text, or that it will not be finished."""

    def start_again(self) -> None:
        """Learn that the pieces so far do not count."""

    def done(self, content: str, answer_format: str) -> None:
        """Learn that the run is over and this is its answer."""


class PlainAnswer:
    """Prints the answer in one piece, at the end."""

    def __init__(self, output: Output) -> None:
        self._output = output
        self._remark = ""

    def piece(self, text: str) -> None:
        """Wait for the whole text."""

    def final(self, text: str) -> None:
        self._remark = text

    def was_a_remark(self) -> None:
        if self._remark:
            self._output.note(cleaned(self._remark).rstrip("\n"))
            self._remark = ""

    def start_again(self) -> None:
        """Nothing was printed."""

    def done(self, content: str, answer_format: str) -> None:
        json = answer_format == "json"
        self._output.answer(harmless_json(content) if json else cleaned(content))
        self._output.end_answer_line()
