"""What is printed for good: lines in the terminal's signs, with a gap between unlike things."""

from collections.abc import Sequence

from rich.cells import cell_len
from rich.console import RenderableType
from rich.text import Text

from dataagent_cli.display.fit import cut
from dataagent_cli.transcript.images import Picture
from dataagent_cli.transcript.limits import ERROR_LINES_MAX
from dataagent_cli.transcript.lines import behind, wrapped
from dataagent_cli.transcript.look import Look
from dataagent_cli.transcript.symbols import RULE, drawn


class Paper:
    """Remembers what kind of thing was printed last."""

    def __init__(self, look: Look) -> None:
        self.look = look
        self._after = ""

    @property
    def gap_before_text(self) -> bool:
        """Whether a text that begins now stands apart from what is above it."""
        return self._after not in {"", "text"}

    def text(self, lines: Sequence[Text]) -> list[RenderableType]:
        """Print lines of the answer."""
        return self._printed(lines, "text")

    def said(self, lines: Sequence[Text]) -> list[RenderableType]:
        """Print lines of what the person said."""
        return self._printed(lines, "said")

    def notes(self, parts: Sequence[Text | Picture]) -> list[RenderableType]:
        """Print lines about the run."""
        return self._printed(parts, "note")

    def note(self, text: str, style: str) -> list[RenderableType]:
        """Print a sentence, on as many lines as it needs."""
        lines = wrapped(Text(text, style=style), self.look.room_cells)[:ERROR_LINES_MAX]
        return self.notes(lines)

    def paragraph(self, sign: str, text: str, style: str) -> list[RenderableType]:
        """Print something that may need several lines to be said."""
        lines = wrapped(Text(text, style=style), self.look.room_cells - 2)[:ERROR_LINES_MAX]
        return self.notes(behind(Text(f"{sign} ", style=style), Text("  "), lines))

    def rule(self, said: str) -> list[RenderableType]:
        """Print a line across the screen that says why it is there."""
        room = self.look.room_cells
        line = cut(f"{RULE * 2} {said} ", room)
        return self.notes([Text(line + RULE * (room - cell_len(line)), style="dim")])

    def _printed(self, parts: Sequence[Text | Picture], kind: str) -> list[RenderableType]:
        if not parts:
            return []
        first = parts[0]
        # A block of an answer that went on brings its own gap.
        has_gap = isinstance(first, Text) and not first.plain
        gap = [Text()] if self._after not in {"", kind} and not has_gap else []
        self._after = kind
        return [
            *gap,
            *(drawn(part, self.look) if isinstance(part, Text) else part for part in parts),
        ]
