"""`sources add|list|test|remove`."""

from typing import TYPE_CHECKING, Any

from dataagent_cli.data.access import open_query_service
from dataagent_cli.output.json_document import write_document
from dataagent_cli.output.sanitize import one_line
from dataagent_cli.output.table import print_table
from dataagent_cli.wiring import App, open_source_store

if TYPE_CHECKING:
    from dataagent_core.tools.data.sources.source_spec import SourceSpec


async def add_source(app: App, spec: "SourceSpec", *, replace: bool) -> None:
    """Store a source once it answers; warn if its login may do more than read."""
    from dataagent_core.tools.data.sources.engines.engine_openers import make_engine_opener
    from dataagent_core.tools.data.sources.own_files import refuse_own_files

    refuse_own_files(spec, app.settings.home, app.settings.sample_folder)
    engine = make_engine_opener(app.settings.scratch)(spec)
    try:
        catalogue = await engine.catalogue()
        warnings = await engine.warnings()
    finally:
        await engine.aclose()
    await open_source_store(app.settings).add(spec, replace=replace)
    app.output.note(app.say("source_added", name=spec.name, tables=len(catalogue.tables)))
    for note in catalogue.notes:
        app.output.note(app.say.translate(one_line(note)), fg="yellow")
    for warning in warnings:
        app.output.note(app.say("warning", text=one_line(warning)), fg="red", bold=True)
    app.output.note(app.say("source_next", name=spec.name), dim=True)


async def list_sources(app: App, as_json: bool) -> None:
    """Print the sources without their secrets."""
    specs = await open_source_store(app.settings).listed()
    if as_json:
        write_document([shown_source(spec) for spec in specs])
    elif not specs:
        app.output.note(app.say("no_sources"))
    else:
        heads = [app.say(f"col.{name}") for name in ("data_source", "kind", "place")]
        rows = [[spec.name, spec.kind, shown_source(spec)["place"]] for spec in specs]
        print_table(app.output, heads, rows)


async def test_source(app: App, name: str, as_json: bool) -> None:
    """Connect, count the tables, and say what the login may do."""
    async with open_query_service(app) as queries:
        opened = await queries.open_source(name)
        catalogue = await opened.catalogue.get()
        warnings = await opened.engine.warnings()
    if as_json:
        tables = len(catalogue.tables)
        write_document({"name": name, "tables": tables, "warnings": list(warnings)})
        return
    app.output.line(app.say("source_works", name=name, tables=len(catalogue.tables)))
    for note in [*catalogue.notes, *warnings]:
        app.output.note(app.say("warning", text=one_line(note)), fg="yellow")


async def remove_source(app: App, name: str) -> None:
    """Remove a source; its data stays where it is."""
    await open_source_store(app.settings).remove(name)
    app.output.note(app.say("source_removed", name=name))


def shown_source(spec: "SourceSpec") -> dict[str, Any]:
    """Return a source's location without its password."""
    from dataagent_core.tools.data.sources.source_names import remove_secrets

    return {
        "name": spec.name,
        "kind": spec.kind,
        "place": remove_secrets(spec.location),
        "description": spec.description,
        "can_write": spec.write_url is not None,
    }
