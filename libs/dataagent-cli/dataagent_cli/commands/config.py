"""`dataagent config`: the settings, and where each comes from."""

import click

from dataagent_cli.output.error_report import errors_as_json


@click.group()
def config() -> None:
    """Look at the configuration."""


@config.command()
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def show(as_json: bool) -> None:
    """Show every setting, its value (secrets masked) and where it came from."""
    with errors_as_json(as_json):
        from dataclasses import asdict

        from dataagent_cli import wiring
        from dataagent_cli.commands.plugins import installed_settings
        from dataagent_cli.output.json_document import write_document
        from dataagent_cli.output.table import print_table
        from dataagent_core.config import provenance

        app = wiring.start()
        # A server reads its whole `.env`; shared settings are shown as the command line has them.
        own = {line.name: line for line in provenance(app.settings)}
        lines = [own.get(line.name, line) for line in provenance(installed_settings())]
        if as_json:
            write_document([asdict(line) for line in lines])
            return
        heads = [app.say("col.setting"), app.say("col.source"), app.say("col.value")]
        print_table(app.output, heads, [[line.name, line.source, line.shown] for line in lines])
