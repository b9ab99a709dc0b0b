"""The rich console that fits a look: nothing is guessed, nothing in a text is taken for markup."""

from typing import TextIO

from rich.console import Console, RenderableType

from dataagent_cli.transcript.terminal.terminal_style import TerminalStyle


def console_for(look: TerminalStyle, file: TextIO) -> Console:
    """Make a console that writes to a file as a look says."""
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
        # Otherwise rich looks for itself what the environment says.
        _environ={},
    )


def ansi_text(console: Console, *renderables: RenderableType) -> str:
    """Draw things below each other as text with its escape sequences."""
    with console.capture() as captured:
        for renderable in renderables:
            console.print(renderable)
    return captured.get()
