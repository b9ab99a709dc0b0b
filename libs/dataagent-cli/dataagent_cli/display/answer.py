"""The answer on stdout.

On a terminal it streams as it comes. Elsewhere it is printed once it is final and known to be the
answer: a text that a tool call follows was only a remark, and goes to stderr, so that
`dataagent run ... > out.md` holds just the answer.
"""

from dataagent_cli.harmless import cleaned, harmless_json
from dataagent_cli.messages import Messages
from dataagent_cli.output import Output


class Answer:
    """Follows the text of one run."""

    def __init__(self, output: Output, say: Messages, *, at_the_end: bool = False) -> None:
        self._output = output
        self._say = say
        # Where only the answer counts, nothing shows before it is known to be the answer.
        self._streams = output.out_is_terminal and not at_the_end
        self._streamed = ""
        self._remark = ""

    def piece(self, text: str) -> None:
        """Take a piece of a text that is still being written."""
        if self._streams:
            self._streamed += text
            self._output.answer(cleaned(text))

    def final(self, text: str) -> None:
        """Take a whole text, which replaces its pieces."""
        if not self._streams:
            self._remark = text
            return
        if not text.startswith(self._streamed):
            self.start_again()
        self._output.answer(cleaned(text[len(self._streamed) :]))
        self._output.end_answer_line()
        self._streamed = ""

    def was_a_remark(self) -> None:
        """Learn that the work goes on after the last text."""
        if self._remark:
            self._output.note(cleaned(self._remark).rstrip("\n"))
            self._remark = ""

    def start_again(self) -> None:
        """Draw a rule: the pieces above it do not count."""
        if self._streamed:
            self._output.note(f"── {self._say('again')} ──", dim=True)
        self._streamed = ""

    def done(self, content: str, answer_format: str = "markdown") -> None:
        """Print the answer, where it has not been streamed."""
        if not self._streams:
            json = answer_format == "json"
            self._output.answer(harmless_json(content) if json else cleaned(content))
        self._output.end_answer_line()
