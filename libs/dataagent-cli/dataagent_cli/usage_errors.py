"""How a wrong command line is shown: as click does it, in the person's language."""

import click

from dataagent_cli.messages import Messages


def show_usage_error(error: click.ClickException, say: Messages) -> None:
    """Write the usage, where to find help, and what is wrong, on stderr."""
    if say.language == "en":
        error.show()
        return
    from dataagent_cli.usage_texts import USAGE_PHRASES, USAGE_TEXTS
    from dataagent_core.chinese import Translation

    context = error.ctx if isinstance(error, click.UsageError) else None
    if context is not None:
        click.echo(context.get_usage(), err=True)
        click.echo(say("usage_help", command=context.command_path) + "\n", err=True)
    message = Translation(USAGE_TEXTS, USAGE_PHRASES)(error.format_message())
    click.echo(say("error", text=message), err=True)
