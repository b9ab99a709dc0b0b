"""`dataagent setup`: get a model to work with."""

import click

from dataagent_cli.output.error_report import errors_as_json


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print what is found here; ask nothing.")
def setup(as_json: bool) -> int:
    """Choose a model: paste a key, or use one that runs on this machine."""
    with errors_as_json(as_json):
        import asyncio

        from dataagent_cli import wiring
        from dataagent_cli.setup.command import set_up

        return asyncio.run(set_up(wiring.start(), as_json))
