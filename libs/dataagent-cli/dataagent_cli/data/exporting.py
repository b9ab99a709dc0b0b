"""`data export`: a result as a file, with every column as it is."""

from pathlib import Path
from typing import TYPE_CHECKING

from dataagent_cli.data.place import open_desk
from dataagent_cli.wiring import App
from dataagent_core.errors import ConflictError

if TYPE_CHECKING:
    from dataagent_core.tools.data.results.export import ExportFormat


async def export_result(
    app: App, result_id: str, form: "ExportFormat", target: Path | None
) -> None:
    """Write a result; a file that is there is not written over."""
    from dataagent_core.tools.data.results.export import export

    async with open_desk(app) as desk:
        kept = await desk.results.get(result_id)
        place = target or Path(f"{result_id}.{form}")
        if place.exists():
            raise ConflictError(app.say("file_exists", path=place))
        await export(kept, await desk.results.path(result_id), place, form, for_model=False)
    app.output.note(app.say("exported", rows=kept.row_count, path=place))
