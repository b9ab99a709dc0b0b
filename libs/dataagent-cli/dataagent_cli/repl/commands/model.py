"""/model: chooses the model for the next message."""

from dataagent_cli.output.sanitize import one_line
from dataagent_cli.repl.commands.command import Shell
from dataagent_cli.repl.commands.needs import needs_idle


async def model(shell: Shell, argument: str) -> None:
    """List the configured and known models, or switch to one."""
    if not argument:
        _list(shell)
        return
    needs_idle(shell)
    await shell.conversation.change_model(argument)
    from dataagent_cli.reports.models import model_cells

    _, window, _, price = model_cells(shell.app, argument)
    line = shell.app.say("command_model_is", model=one_line(argument), window=window, price=price)
    shell.output.note(line)


def _list(shell: Shell) -> None:
    from dataagent_cli.output.table import print_table
    from dataagent_cli.reports.models import model_cells, model_names

    app, now = shell.app, shell.conversation.facts.model
    settings = app.settings
    configured = [now, settings.model or "", *(settings.fallback_model or "").split(",")]
    known = (one for one in (*configured, *model_names(app)) if one.strip())
    rows: list[list[str]] = []
    for name in dict.fromkeys(one.strip() for one in known):
        _, window, output, price = model_cells(app, name)
        rows.append([">" if name == now else "", name, window, output, price])
    heads = ["", *(app.say(f"col.{name}") for name in ("model", "context", "output", "price"))]
    print_table(shell.output, heads, rows)
    shell.output.note(app.say("command_model_how"), dim=True)
