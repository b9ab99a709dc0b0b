"""`data describe`: a table as it is; a person sees what a model would see masked."""

from dataclasses import asdict

from dataagent_cli.data.place import open_desk
from dataagent_cli.display.json_document import write_document
from dataagent_cli.harmless import cleaned
from dataagent_cli.wiring import App


async def describe_table(
    app: App, source: str, table: str | None, profile: bool, as_json: bool
) -> None:
    """Print one table of a source; a source with one table needs no name."""
    from dataagent_core.config.data_limits import DESCRIBE_SAMPLE_ROWS, PROFILE_SAMPLE_ROWS
    from dataagent_core.tools.data.catalog import described_table, visible
    from dataagent_core.tools.data.offered.catalogue import find_table

    async with open_desk(app) as desk:
        opened = await desk.source(source)
        whole = await opened.catalogue.get()
        catalogue = visible(whole, opened.spec)
        only = catalogue.tables[0].qualified if len(catalogue.tables) == 1 else ""
        found = find_table(catalogue, table or only, whole)
        names = {column.name for column in found.columns}
        itself = next(one for one in whole.tables if one.qualified == found.qualified)
        hidden = [column.name for column in itself.columns if column.name not in names]
        rows = PROFILE_SAMPLE_ROWS if profile else DESCRIBE_SAMPLE_ROWS
        profiles = await desk.profile(opened, found, rows)
    if as_json:
        write_document({**asdict(found), "profile": [asdict(one) for one in profiles]})
    else:
        app.output.line(
            cleaned(described_table(found, profiles, None, profile=profile)).rstrip("\n")
        )
    if hidden:
        app.output.note(app.say("columns_hidden", columns=cleaned(", ".join(hidden))), dim=True)
