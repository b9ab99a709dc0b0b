"""`dataagent sources`: the data sources."""

from typing import TYPE_CHECKING

import click

from dataagent_cli.help.completion_values import source_names
from dataagent_cli.output.error_report import errors_as_json

if TYPE_CHECKING:
    from dataagent_core.tools.data.sources.source_spec import DateOrder, DecimalMark

_json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


@click.group()
def sources() -> None:
    """Add, list, test and remove data sources."""


@sources.command()
@click.argument("name")
@click.argument("location", metavar="URL|PATH")
@click.option("--description", default="", help="What it holds, for people and models.")
@click.option("--write-url", help="A login of its own for writes, which are always asked about.")
@click.option("--personal", multiple=True, metavar="TABLE.COLUMN", help="Mask it for models.")
@click.option("--not-personal", multiple=True, metavar="TABLE.COLUMN", help="Never mask it.")
@click.option("--hide", multiple=True, metavar="TABLE[.COLUMN]", help="Leave it out entirely.")
@click.option("--dates", type=click.Choice(["dmy", "mdy"]), help="How files write 01/02/2024.")
@click.option("--decimals", type=click.Choice(["point", "comma"]), help="How files write 1.234.")
@click.option("--encoding", help="In which encoding text files are: utf-8, cp1250, gb18030, ...")
@click.option("--read-only-confirmed", is_flag=True, help="The login can only read; I checked.")
@click.option("--replace", is_flag=True, help="Replace a source of this name.")
def add(  # noqa: PLR0917 (click passes them by name)
    name: str,
    location: str,
    description: str,
    write_url: str | None,
    personal: tuple[str, ...],
    not_personal: tuple[str, ...],
    hide: tuple[str, ...],
    dates: "DateOrder | None",
    decimals: "DecimalMark | None",
    encoding: str | None,
    read_only_confirmed: bool,
    replace: bool,
) -> None:
    """Add a file, a folder or a database under NAME."""
    import asyncio
    import dataclasses

    from dataagent_cli import wiring
    from dataagent_cli.data.sources import add_source
    from dataagent_core.tools.data.sources.read_options import check_encoding
    from dataagent_core.tools.data.sources.source_kinds import make_source_spec

    spec = dataclasses.replace(
        make_source_spec(name, location, None),
        description=description,
        write_url=write_url,
        personal=personal,
        not_personal=not_personal,
        hidden=hide,
        dates=dates,
        decimals=decimals,
        encoding=None if encoding is None else check_encoding(encoding),
        read_only_confirmed=read_only_confirmed,
    )
    asyncio.run(add_source(wiring.start(), spec, replace=replace))


@sources.command("list")
@_json_option
def list_(as_json: bool) -> None:
    """List the sources; passwords are not shown."""
    with errors_as_json(as_json):
        import asyncio

        from dataagent_cli import wiring
        from dataagent_cli.data.sources import list_sources

        asyncio.run(list_sources(wiring.start(), as_json))


@sources.command()
@click.argument("name", shell_complete=source_names)
@_json_option
def test(name: str, as_json: bool) -> None:
    """Connect to a source and say what its login may do."""
    with errors_as_json(as_json):
        import asyncio

        from dataagent_cli import wiring
        from dataagent_cli.data.sources import test_source

        asyncio.run(test_source(wiring.start(), name, as_json))


@sources.command()
@click.argument("name", shell_complete=source_names)
def remove(name: str) -> None:
    """Forget a source; its data stays where it is."""
    import asyncio

    from dataagent_cli import wiring
    from dataagent_cli.data.sources import remove_source

    asyncio.run(remove_source(wiring.start(), name))
