"""Prints a wrong command line as click does, in the person's language."""

import click

from dataagent_cli.messages import Messages


def show_usage_error(error: click.ClickException, say: Messages) -> None:
    """Write the usage, a pointer to the help, and the error, on stderr."""
    if say.language == "en":
        error.show()
        return
    from dataagent_core.language.chinese.usage_texts import usage_in_chinese

    context = error.ctx if isinstance(error, click.UsageError) else None
    if context is not None:
        click.echo(context.get_usage(), err=True)
        click.echo(say("usage_help", command=context.command_path) + "\n", err=True)
    message = usage_in_chinese(error.format_message())
    click.echo(say("error", text=message), err=True)
