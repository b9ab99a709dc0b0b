"""The model's thoughts: the last lines while it thinks, then one dim line to unfold. Pure."""

from rich.text import Text

from dataagent_cli.messages import Messages
from dataagent_cli.output.sanitize import one_line, sanitize_text
from dataagent_cli.output.text_width import cut
from dataagent_cli.transcript.calls.folded_items import FoldedItems, FoldedThought, number_tag
from dataagent_cli.transcript.limits import LIVE_ROWS_OF_THOUGHT_MAX, THOUGHT_CHARS_KEPT_MAX
from dataagent_cli.transcript.terminal.line_breaks import wrap_text
from dataagent_cli.transcript.terminal.symbols import THOUGHT
from dataagent_cli.transcript.terminal.terminal_style import TerminalStyle

_DIM = "dim italic"
# The end of a thought that fits on its rows.
_LIVE_CHARS = 1_000


class Thoughts:
    """Collects the pieces of a thought and shows it once."""

    def __init__(self, say: Messages, folded: FoldedItems) -> None:
        self._say = say
        self._folded = folded
        self._pieces: list[str] = []
        self._chars = 0
        self._shown = False

    def piece(self, text: str) -> None:
        if self._chars < THOUGHT_CHARS_KEPT_MAX:
            self._pieces.append(text)
            self._chars += len(text)

    def ended(self, look: TerminalStyle) -> list[Text]:
        """Show the thought: a text or a call has started, so the thought is over."""
        if not self._pieces or self._shown:
            return []
        self._shown = True
        return self._line("".join(self._pieces), look)

    def final(self, text: str, look: TerminalStyle) -> list[Text]:
        """Take the whole thought, which may have been shown already."""
        lines = [] if self._shown else self._line(text, look)
        self.forget()
        return lines

    def forget(self) -> None:
        self._pieces, self._chars, self._shown = [], 0, False

    def rows(self, look: TerminalStyle) -> list[Text]:
        """Return the end of the current thought."""
        if not self._pieces or self._shown:
            return []
        end = "".join(self._pieces[-_LIVE_CHARS:])[-_LIVE_CHARS:]
        text = Text(f"{THOUGHT} {one_line(sanitize_text(end))}", style=_DIM)
        return wrap_text(text, look.room_cells)[-LIVE_ROWS_OF_THOUGHT_MAX:]

    def _line(self, text: str, look: TerminalStyle) -> list[Text]:
        shown_text = one_line(text)
        if not shown_text:
            return []
        number = self._folded.keep(FoldedThought(text[:THOUGHT_CHARS_KEPT_MAX]))
        tag = number_tag(number, look)
        line = f"{THOUGHT} {self._say('thought', text=shown_text)}"
        return [Text(cut(line, look.room_cells - len(tag)) + tag, style=_DIM)]
