"""`data list` and `data search`."""

from dataagent_cli.data.access import open_query_service, project_model
from dataagent_cli.output.json_document import write_document
from dataagent_cli.output.sanitize import one_line
from dataagent_cli.output.table import print_table
from dataagent_cli.wiring import App


async def list_tables(app: App, source: str | None, as_json: bool) -> None:
    """Print the sources, or the tables of one."""
    async with open_query_service(app) as queries:
        if source is None:
            specs = await queries.sources.listed()
            if as_json:
                write_document(
                    [{"name": s.name, "kind": s.kind, "description": s.description} for s in specs]
                )
            elif not specs:
                app.output.note(app.say("no_sources"))
            else:
                heads = [app.say(f"col.{name}") for name in ("data_source", "kind", "description")]
                print_table(app.output, heads, [[s.name, s.kind, s.description] for s in specs])
            return
        catalogue = await queries.load_catalogue(source)
    if as_json:
        write_document(
            [
                {
                    "table": table.qualified,
                    "rows": table.rows,
                    "rows_exact": table.rows_exact,
                    "columns": [
                        {"name": column.name, "type": column.type} for column in table.columns
                    ],
                    "comment": table.comment,
                }
                for table in catalogue.tables
            ]
        )
        return
    heads = [app.say(f"col.{name}") for name in ("table", "rows", "columns")]
    rows = [
        [
            table.qualified,
            "" if table.rows is None else f"{'' if table.rows_exact else '~'}{table.rows:,}",
            ", ".join(column.name for column in table.columns),
        ]
        for table in catalogue.tables
    ]
    print_table(app.output, heads, rows)
    for note in catalogue.notes:
        app.output.note(app.say.translate(one_line(note)), fg="yellow")


async def search_catalogue(app: App, words: str, source: str | None, as_json: bool) -> None:
    """Print the tables, metrics and verified questions that match some words."""
    from dataagent_core.config.limits.data import CATALOGUE_FOUND_DEFAULT, CATALOGUE_WAIT_S
    from dataagent_core.tools.data.catalog import make_table_entries, search_entries
    from dataagent_core.tools.data.semantic.semantic_entries import make_semantic_entries
    from dataagent_core.tools.data.time_left import TimeLeft

    async with open_query_service(app) as queries:
        names = [source] if source else [spec.name for spec in await queries.sources.listed()]
        entries = make_semantic_entries(await project_model())
        left = TimeLeft(CATALOGUE_WAIT_S)
        for name in names:
            entries += make_table_entries(name, await queries.load_catalogue(name, left.s()))
    found = search_entries(words, entries, CATALOGUE_FOUND_DEFAULT)
    if as_json:
        write_document(
            [
                {"kind": entry.kind, "source": entry.source, "name": entry.name, "line": entry.line}
                for entry in found.entries
            ]
        )
        return
    for entry in found.entries:
        app.output.line(one_line(f"[{entry.source}] {entry.line}"))
    if not found.entries:
        app.output.note(app.say("nothing_found", words=words))
