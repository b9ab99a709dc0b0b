"""`dataagent models`."""

import click

from dataagent_cli.output.error_report import errors_as_json


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def models(as_json: bool) -> None:
    """Show providers, the model used now, and the catalogue."""
    with errors_as_json(as_json):
        from dataagent_cli import wiring
        from dataagent_cli.reports.models import print_models

        print_models(wiring.start(), as_json)
