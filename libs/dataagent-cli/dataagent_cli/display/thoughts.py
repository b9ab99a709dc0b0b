"""What the model thinks, on one line, before the text it led to."""

from dataagent_cli.display.fit import cut
from dataagent_cli.harmless import one_line
from dataagent_cli.messages import Messages
from dataagent_cli.output import Output


class Thoughts:
    """Gathers the pieces of a thought and writes it once."""

    def __init__(self, output: Output, say: Messages) -> None:
        self._output = output
        self._say = say
        self._gathered = ""
        self._written = False

    def piece(self, text: str) -> None:
        self._gathered += text

    def ended(self) -> None:
        """Write the thought: a text has begun, so the thinking before it is over."""
        if self._gathered and not self._written:
            self._write(self._gathered)
            self._written = True

    def final(self, text: str) -> None:
        """Take the whole thought, which may have been written already."""
        if not self._written:
            self._write(text)
        self._gathered = ""
        self._written = False

    def _write(self, text: str) -> None:
        line = self._say("thought", text=one_line(text))
        self._output.note(cut(line, self._output.width_cells), dim=True)
