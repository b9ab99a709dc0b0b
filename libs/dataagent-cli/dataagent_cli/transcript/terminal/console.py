"""The rich console for a terminal style: nothing is guessed, no text is read as markup."""

from typing import TextIO

from rich.console import Console, RenderableType

from dataagent_cli.transcript.terminal.terminal_style import TerminalStyle


def console_for(look: TerminalStyle, file: TextIO) -> Console:
    """Make a console that writes to a file in a style."""
    return Console(
        file=file,
        width=look.room_cells,
        height=look.height_rows,
        force_terminal=not look.plain,
        color_system=None if look.plain else "standard",
        no_color=not look.colours,
        markup=False,
        emoji=False,
        highlight=False,
        soft_wrap=False,
        legacy_windows=False,
        # Otherwise rich reads the environment itself.
        _environ={},
    )


def ansi_text(console: Console, *renderables: RenderableType) -> str:
    """Draw renderables below each other as text with escape sequences."""
    with console.capture() as captured:
        for renderable in renderables:
            console.print(renderable)
    return captured.get()
