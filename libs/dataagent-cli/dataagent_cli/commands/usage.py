"""`dataagent usage` and `dataagent context`."""

import click

from dataagent_cli.help.completion_values import session_ids
from dataagent_cli.output.error_report import errors_as_json

_json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


@click.command()
@click.option("--day", is_flag=True, help="Today (UTC), by session.")
@click.option("--month", is_flag=True, help="This month (UTC), by day; what is shown by default.")
@click.option("--session", shell_complete=session_ids, help="One session, by run.")
@_json_option
def usage(day: bool, month: bool, session: str | None, as_json: bool) -> None:
    """Show what models were used for, in tokens and money."""
    with errors_as_json(as_json):
        import asyncio

        from dataagent_cli import wiring
        from dataagent_cli.reports.usage import UsageRequest, print_usage
        from dataagent_core.errors import ValidationError

        app = wiring.start()
        if day + month + (session is not None) > 1:
            raise ValidationError(app.say("one_of_usage"))
        asyncio.run(print_usage(app, UsageRequest(day=day, session=session), as_json))


@click.command()
@click.argument("session", shell_complete=session_ids)
@_json_option
def context(session: str, as_json: bool) -> None:
    """Show how the window of a session's last model call was spent."""
    with errors_as_json(as_json):
        import asyncio

        from dataagent_cli import wiring
        from dataagent_cli.reports.context import print_context

        asyncio.run(print_context(wiring.start(), session, as_json))
