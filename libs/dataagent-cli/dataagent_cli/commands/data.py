"""`dataagent data`: the data tools without a model; a file's path is a source."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from dataagent_cli.help.completion_values import sources_or_files
from dataagent_cli.output.error_report import errors_as_json

if TYPE_CHECKING:
    from dataagent_core.tools.data.charts.chart_model import ChartFormat
    from dataagent_core.tools.data.reports.report_files import ReportFormat
    from dataagent_core.tools.data.results.result_export import ExportFormat

_json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


def _source_option(command: Callable[..., Any]) -> Callable[..., Any]:
    help_text = "A source's name, or the path of a data file."
    option = click.option(
        "--source", required=True, metavar="S", shell_complete=sources_or_files, help=help_text
    )
    return option(command)


_TO_FOLDER = click.option(
    "--folder",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path(),
    help="The folder to write to.",
)


@click.group()
def data() -> None:
    """Look at data, query it, chart it and report on it."""


@data.command("list")
@click.argument("source", required=False, shell_complete=sources_or_files)
@_json_option
def list_(source: str | None, as_json: bool) -> None:
    """List the sources, or the tables of SOURCE."""
    with errors_as_json(as_json):
        import asyncio

        from dataagent_cli import wiring
        from dataagent_cli.data.list_tables import list_tables

        asyncio.run(list_tables(wiring.start(), source, as_json))


@data.command()
@click.argument("words", nargs=-1)
@click.option("--source", metavar="S", shell_complete=sources_or_files, help="Only this source.")
@_json_option
def search(words: tuple[str, ...], source: str | None, as_json: bool) -> None:
    """Find tables, metrics and verified questions by WORDS."""
    with errors_as_json(as_json):
        import asyncio

        from dataagent_cli import wiring
        from dataagent_cli.data.list_tables import search_catalogue

        asyncio.run(search_catalogue(wiring.start(), " ".join(words), source, as_json))


@data.command()
@click.argument("source", shell_complete=sources_or_files)
@click.argument("table", required=False)
@click.option("--profile", is_flag=True, help="Also nulls, distinct values and ranges.")
@_json_option
def describe(source: str, table: str | None, profile: bool, as_json: bool) -> None:
    """Describe a TABLE of SOURCE; a file has only one."""
    with errors_as_json(as_json):
        import asyncio

        from dataagent_cli import wiring
        from dataagent_cli.data.describe import describe_table

        asyncio.run(describe_table(wiring.start(), source, table, profile, as_json))


@data.command()
@_source_option
@click.argument("sql")
@_json_option
def check(source: str, sql: str, as_json: bool) -> None:
    """Say whether SQL may run, how, and what it costs. Nothing is run."""
    with errors_as_json(as_json):
        import asyncio

        from dataagent_cli import wiring
        from dataagent_cli.data.query import check_sql

        asyncio.run(check_sql(wiring.start(), source, sql, as_json))


@data.command()
@_source_option
@click.argument("sql")
@click.option("--max-rows", type=click.IntRange(min=1), help="Rows to keep.")
@click.option("--timeout", type=click.FloatRange(min=0, min_open=True), help="Seconds it may take.")
@click.option("--yes", is_flag=True, help="Run it even if it is expensive.")
@_json_option
def query(  # noqa: PLR0917 (click passes them by name)
    source: str, sql: str, max_rows: int | None, timeout: float | None, yes: bool, as_json: bool
) -> int:
    """Run one SELECT and keep its rows under a result id."""
    with errors_as_json(as_json):
        import asyncio

        from dataagent_cli import wiring
        from dataagent_cli.data.query import query_sql
        from dataagent_core.config.limits.data import QUERY_ROWS_DEFAULT, QUERY_TIMEOUT_S
        from dataagent_core.tools.data.data_model import QueryLimits

        limits = QueryLimits(
            rows_max=max_rows or QUERY_ROWS_DEFAULT, timeout_s=timeout or QUERY_TIMEOUT_S
        )
        app = wiring.start()
        return asyncio.run(query_sql(app, source, sql, limits, yes=yes, as_json=as_json))


@data.command()
@click.argument("result")
@click.option(
    "--format",
    "form",
    type=click.Choice(["csv", "parquet", "xlsx"]),
    help="By the file's name if unset, else csv.",
)
@click.option("--output", type=click.Path(path_type=Path), help="The file to write.")
def export(result: str, form: "ExportFormat | None", output: Path | None) -> None:
    """Write a kept RESULT to a file."""
    import asyncio

    from dataagent_cli import wiring
    from dataagent_cli.data.export import export_result

    asyncio.run(export_result(wiring.start(), result, form, output))


@data.command()
@click.argument("result")
@click.argument("intent", default="")
@click.option(
    "--format",
    "formats",
    type=click.Choice(["png", "svg", "pdf"]),
    multiple=True,
    default=["png"],
    help="The formats to write; repeatable.",
)
@_TO_FOLDER
def chart(result: str, intent: str, formats: "tuple[ChartFormat, ...]", folder: Path) -> None:
    """Draw a kept RESULT, as INTENT says: "line of revenue by month"."""
    import asyncio

    from dataagent_cli import wiring
    from dataagent_cli.data.charts_and_reports import draw_chart

    asyncio.run(draw_chart(wiring.start(), result, intent, formats, folder))


@data.command()
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--set", "values", multiple=True, metavar="NAME=VALUE", help="A parameter's value.")
@click.option(
    "--format",
    "formats",
    type=click.Choice(["pdf", "html", "md"]),
    multiple=True,
    default=["pdf"],
    help="The formats to write; repeatable.",
)
@_TO_FOLDER
def report(
    file: Path, values: tuple[str, ...], formats: "tuple[ReportFormat, ...]", folder: Path
) -> None:
    """Run the report of a definition FILE with fresh data."""
    import asyncio

    from dataagent_cli import wiring
    from dataagent_cli.data.charts_and_reports import make_report

    parameters = {name: value for name, _, value in (each.partition("=") for each in values)}
    asyncio.run(make_report(wiring.start(), file, parameters, formats, folder))


@data.command()
@_json_option
def test(as_json: bool) -> int:
    """Run this project's verified questions and show what differs."""
    with errors_as_json(as_json):
        import asyncio

        from dataagent_cli import wiring
        from dataagent_cli.data.verify import run_verified

        return asyncio.run(run_verified(wiring.start(), as_json))


@data.command()
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
def sample(folder: Path) -> None:
    """Write the sample warehouse, a made-up shop, into FOLDER."""
    from dataagent_cli import wiring
    from dataagent_core.tools.data.sample import make_shop

    app = wiring.start()
    counts = make_shop(folder)
    for name, rows in counts.items():
        app.output.line(f"{name:<12} {rows:>9,}")
    app.output.note(app.say("sample_next", path=folder))
