"""What is printed: lines with the terminal's symbols, and gaps between different kinds."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from rich.cells import cell_len
from rich.console import RenderableType
from rich.text import Text

from dataagent_cli.output.text_width import cut
from dataagent_cli.transcript.limits import ERROR_LINES_MAX
from dataagent_cli.transcript.terminal.images import Picture
from dataagent_cli.transcript.terminal.line_breaks import prefix_lines, wrap_text
from dataagent_cli.transcript.terminal.symbols import RULE, draw_symbols
from dataagent_cli.transcript.terminal.terminal_style import TerminalStyle

PartKind = Literal["text", "said", "note"]


@dataclass(frozen=True, slots=True)
class TranscriptPart:
    """Lines of one kind: of the answer, of a user message, or about the run."""

    kind: PartKind
    lines: Sequence[RenderableType]
    # Whether a gap separates them from the lines above.
    has_gap: bool

    @property
    def renderables(self) -> list[RenderableType]:
        """All renderables, with the gap before them."""
        return [*[Text()] * self.has_gap, *self.lines]


class PartWriter:
    """Remembers the kind of the last printed part."""

    def __init__(self, look: TerminalStyle) -> None:
        self.look = look
        self._after = ""

    @property
    def gap_before_text(self) -> bool:
        """Whether a text that starts now needs a gap before it."""
        return self._after not in {"", "text"}

    def text(self, lines: Sequence[Text]) -> list[TranscriptPart]:
        """Print lines of the answer."""
        return self._make_part(lines, "text")

    def user_message(self, lines: Sequence[Text]) -> list[TranscriptPart]:
        """Print lines of a user message."""
        return self._make_part(lines, "said")

    def notes(self, parts: Sequence[Text | Picture]) -> list[TranscriptPart]:
        """Print lines about the run."""
        return self._make_part(parts, "note")

    def note(self, text: str, style: str) -> list[TranscriptPart]:
        """Print a sentence, wrapped."""
        return self.notes(self._sentence(Text(text, style=style), self.look.room_cells))

    def sentences(self, lines: Sequence[Text]) -> list[TranscriptPart]:
        """Print sentences, each wrapped."""
        room = self.look.room_cells
        return self.notes([part for line in lines for part in self._sentence(line, room)])

    def paragraph(self, sign: str, text: str, style: str) -> list[TranscriptPart]:
        """Print a text that may need several lines."""
        lines = self._sentence(Text(text, style=style), self.look.room_cells - 2)
        return self.notes(prefix_lines(Text(f"{sign} ", style=style), Text("  "), lines))

    def rule(self, title: str) -> list[TranscriptPart]:
        """Print a horizontal line with a text."""
        room = self.look.room_cells
        line = cut(f"{RULE * 2} {title} ", room)
        return self.notes([Text(line + RULE * (room - cell_len(line)), style="dim")])

    def _sentence(self, text: Text, width_cells: int) -> list[Text]:
        if not self.look.breaks:
            return list(text.split("\n", allow_blank=True))[:ERROR_LINES_MAX]
        return wrap_text(text, width_cells)[:ERROR_LINES_MAX]

    def _make_part(self, lines: Sequence[Text | Picture], kind: PartKind) -> list[TranscriptPart]:
        if not lines:
            return []
        first = lines[0]
        # A continued block of an answer has its own gap.
        brings_gap = isinstance(first, Text) and not first.plain
        has_gap = self._after not in {"", kind} and not brings_gap
        self._after = kind
        drawn_lines = [
            draw_symbols(line, self.look) if isinstance(line, Text) else line for line in lines
        ]
        return [TranscriptPart(kind, drawn_lines, has_gap)]
