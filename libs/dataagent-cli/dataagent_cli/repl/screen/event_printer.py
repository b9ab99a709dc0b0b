"""Prints finished events above the prompt, and draws what still changes for prompt_toolkit."""

from dataclasses import replace
from functools import lru_cache
from io import StringIO
from typing import TYPE_CHECKING

from prompt_toolkit.formatted_text import StyleAndTextTuples
from rich.color import Color, ColorType
from rich.console import Console, RenderableType
from rich.style import Style

from dataagent_cli.messages import Messages
from dataagent_cli.repl.limits import LIVE_ROWS_MAX, ROWS_KEPT_MIN
from dataagent_cli.repl.screen.screen import Screen
from dataagent_cli.transcript.terminal.console import ansi_text, console_for
from dataagent_cli.transcript.terminal.terminal_style import TerminalStyle
from dataagent_cli.transcript.transcript import Transcript

if TYPE_CHECKING:
    from dataagent_cli.transcript.calls.plots import Read
    from dataagent_core.events import Event

_NAMES = (
    "ansiblack", "ansired", "ansigreen", "ansiyellow", "ansiblue", "ansimagenta", "ansicyan",
    "ansigray", "ansibrightblack", "ansibrightred", "ansibrightgreen", "ansibrightyellow",
    "ansibrightblue", "ansibrightmagenta", "ansibrightcyan", "ansiwhite",
)  # fmt: skip


class EventPrinter:
    """A transcript on a screen whose size may change."""

    def __init__(
        self,
        screen: Screen,
        say: Messages,
        look: TerminalStyle,
        read: "Read | None",
        *,
        on_server: bool = False,
    ) -> None:
        self._screen = screen
        # Calls whose change the person has seen in the approval question.
        self.previewed: set[str] = set()
        self.transcript = Transcript(
            say, look, read=read, previewed=self.previewed, on_server=on_server
        )
        self._console = console_for(look, StringIO())

    def event(self, event: "Event") -> None:
        """Print what is finished with an event."""
        self._fit()
        self.show(*self.transcript.show(event))

    def user_message(self, text: str) -> None:
        """Print a user message."""
        self._fit()
        self.show(*self.transcript.user_message(text))

    def show(self, *renderables: RenderableType) -> None:
        self._fit()
        if renderables:
            self._screen.print(ansi_text(self._console, *renderables))

    def live(self, *, asking: bool) -> StyleAndTextTuples:
        """Draw what still changes, without the question that is already on the screen."""
        self._fit()
        rows_max = max(1, min(LIVE_ROWS_MAX, self._screen.height_rows - ROWS_KEPT_MIN))
        part = self.transcript.live(asking=asking)
        return [] if part is None else fragments_of(part, self._console, rows_max)

    def _fit(self) -> None:
        width, height = self._screen.width_cells, self._screen.height_rows
        look = self.transcript.look
        if (look.width_cells, look.height_rows) != (width, height):
            self.transcript.look = replace(look, width_cells=width, height_rows=height)
            self._console = console_for(self.transcript.look, StringIO())


def fragments_of(renderable: RenderableType, console: Console, rows_max: int) -> StyleAndTextTuples:
    """Draw the last rows of a renderable, with its styles."""
    lines = console.render_lines(renderable, pad=False)[-rows_max:]
    fragments: StyleAndTextTuples = []
    for number, line in enumerate(lines):
        if number:
            fragments.append(("", "\n"))
        for segment in line:
            if not segment.control:
                fragments.append((_style(segment.style), segment.text))
    return fragments


@lru_cache(maxsize=512)
def _style(style: Style | None) -> str:
    if style is None:
        return ""
    parts = [
        name
        for name in ("bold", "dim", "italic", "underline", "reverse", "strike")
        if getattr(style, name)
    ]
    if style.color and (colour := _colour(style.color)):
        parts.append(f"fg:{colour}")
    if style.bgcolor and (colour := _colour(style.bgcolor)):
        parts.append(f"bg:{colour}")
    return " ".join(parts)


def _colour(colour: Color) -> str | None:
    if colour.type is ColorType.DEFAULT:
        return None
    if colour.type is ColorType.STANDARD and colour.number is not None:
        # By name, so that the person's own palette applies.
        return _NAMES[colour.number]
    return colour.get_truecolor().hex
