"""`data describe`: a table as it is; columns that are masked for a model are shown."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

from dataagent_cli.data.access import open_query_service
from dataagent_cli.output.json_document import write_document
from dataagent_cli.output.sanitize import one_line, sanitize_text
from dataagent_cli.output.table import print_table
from dataagent_cli.wiring import App

if TYPE_CHECKING:
    from dataagent_core.tools.data.data_model import Column, ColumnProfile, Table

_PLAIN = ("column", "type", "key", "samples", "comment")
_PROFILED = ("column", "type", "key", "nulls", "distinct", "min", "max", "samples", "comment")


async def describe_table(
    app: App, source: str, table: str | None, profile: bool, as_json: bool
) -> None:
    """Print one table of a source; a source with one table needs no name."""
    from dataagent_core.config.limits.data import DESCRIBE_SAMPLE_ROWS, PROFILE_SAMPLE_ROWS
    from dataagent_core.tools.data.agent_tools.catalogue_tools import find_table
    from dataagent_core.tools.data.catalog import filter_visible

    async with open_query_service(app) as queries:
        opened = await queries.open_source(source)
        whole = await opened.catalogue.get()
        catalogue = filter_visible(whole, opened.spec)
        only = catalogue.tables[0].qualified if len(catalogue.tables) == 1 else ""
        found = find_table(catalogue, table or only, whole)
        names = {column.name for column in found.columns}
        itself = next(one for one in whole.tables if one.qualified == found.qualified)
        hidden = [column.name for column in itself.columns if column.name not in names]
        rows = PROFILE_SAMPLE_ROWS if profile else DESCRIBE_SAMPLE_ROWS
        profiles = await queries.profile(opened, found, rows)
    if as_json:
        write_document({**asdict(found), "profile": [asdict(one) for one in profiles]})
    else:
        _print(app, found, profiles, profile=profile)
    if hidden:
        app.output.note(
            app.say("columns_hidden", columns=sanitize_text(", ".join(hidden))), dim=True
        )


def _print(app: App, table: "Table", profiles: "Sequence[ColumnProfile]", *, profile: bool) -> None:
    say = app.say
    rows = ""
    if table.rows is not None:
        rows = say(
            "described_rows" if table.rows_exact else "described_rows_about", rows=table.rows
        )
    key = "described.view" if table.is_view else "described.table"
    name = one_line(table.qualified)
    app.output.line(say(key, name=name, rows=rows, columns=len(table.columns)))
    if table.comment:
        app.output.line(sanitize_text(table.comment))
    heads = [say(f"col.{name}") for name in (_PROFILED if profile else _PLAIN)]
    by_name = {one.name: one for one in profiles}
    cells = [_cells(column, by_name.get(column.name), profile=profile) for column in table.columns]
    print_table(app.output, heads, cells)
    for note in table.notes:
        app.output.note(say("query_note", note=one_line(note)))
    if profile and any(not one.is_whole for one in profiles):
        app.output.note(say("profile_of_sample"), dim=True)


def _cells(column: "Column", seen: "ColumnProfile | None", *, profile: bool) -> list[str]:
    key = "primary" if column.primary else f"-> {column.references}" if column.references else ""
    samples = " | ".join(seen.samples) if seen else ""
    figures: Sequence[str] = ()
    if profile:
        from dataagent_core.tools.data.catalog import render_profile

        figures = render_profile(seen)
    return [column.name, column.type, key, *figures, samples, column.comment]
