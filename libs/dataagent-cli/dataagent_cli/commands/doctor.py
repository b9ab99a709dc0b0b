"""`dataagent doctor`."""

import click

from dataagent_cli.output.error_report import errors_as_json


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def doctor(as_json: bool) -> int:
    """Check that everything is in place, and say what to fix."""
    with errors_as_json(as_json):
        from dataagent_cli import wiring
        from dataagent_cli.reports.doctor import examine

        return examine(wiring.start(), as_json)
