"""/context and /cost: the use of the context window, and the cost of the session."""

from typing import TYPE_CHECKING

from rich.text import Text

from dataagent_cli.repl.commands.command import Shell
from dataagent_cli.repl.commands.needs import above_prompt

if TYPE_CHECKING:
    from dataagent_core.context.report import ContextReport

# One letter per part: the bar can be read without colours.
_PARTS: tuple[tuple[str, str, str], ...] = (
    ("system", "I", "blue"),
    ("tools", "T", "cyan"),
    ("skills", "S", "magenta"),
    ("memory", "N", "yellow"),
    ("summary", "P", "white"),
    ("history", "M", "green"),
    ("results", "R", "red"),
)
_BAR_CELLS_MAX = 60
_NAME_CELLS = 20


async def context(shell: Shell, argument: str) -> None:
    """Draw how the context window of the last model call was used."""
    del argument
    say = shell.app.say
    report = await shell.conversation.record.context()
    if report is None:
        shell.output.note(say("no_context"))
        return
    window = max(report.window_tokens, 1)
    cells = min(_BAR_CELLS_MAX, shell.output.width_cells - 2)
    lines = [bar(report, cells), Text()]
    for name, letter, colour in _PARTS:
        tokens = int(getattr(report, name))
        line = Text(f"{letter} ", style=colour)
        line.append(f"{say(f'context.{name}'):<{_NAME_CELLS}} {tokens:>9,} {tokens / window:>6.1%}")
        lines.append(line)
    free = max(report.window_tokens - report.estimated_tokens, 0)
    left = say("command_context_free")
    lines.append(Text(f". {left:<{_NAME_CELLS}} {free:>9,} {free / window:>6.1%}", style="dim"))
    shell.show(*lines)
    shell.output.note(say("context_window", window=report.window_tokens), dim=True)


def bar(report: "ContextReport", cells: int) -> Text:
    """Draw the window: a letter for each used cell, a dot for a free one. Pure."""
    window = max(report.window_tokens, report.estimated_tokens, 1)
    drawn = Text()
    spent = 0
    for name, letter, colour in _PARTS:
        spent += int(getattr(report, name))
        # Rounds the end of each part: rounding the parts would make the bar too long or too short.
        drawn.append(letter * (round(spent * cells / window) - len(drawn)), style=colour)
    return drawn.append("." * (cells - len(drawn)), style="dim")


async def cost(shell: Shell, argument: str) -> None:
    """Print what this session used."""
    del argument
    from dataagent_cli.reports.usage import cost_text

    app = above_prompt(shell)
    total = await shell.conversation.record.usage()
    if not total.calls:
        app.output.note(app.say("no_usage"))
        return
    line = app.say(
        "command_cost",
        calls=total.calls,
        input=total.tokens.input,
        cached=f"{total.tokens.cached_share:.0%}",
        output=total.tokens.output,
        cost=cost_text(app, total),
    )
    app.output.note(line)
    app.output.note(app.say("command_cost_how"), dim=True)
