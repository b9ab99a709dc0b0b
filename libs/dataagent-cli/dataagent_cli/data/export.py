"""`data export`: all rows of a result as a file, with no column masked."""

from pathlib import Path
from typing import TYPE_CHECKING

from dataagent_cli.data.access import open_query_service
from dataagent_cli.output.file_target import check_file_place
from dataagent_cli.wiring import App
from dataagent_core.errors import ConflictError, ValidationError

if TYPE_CHECKING:
    from dataagent_core.tools.data.results.result_export import ExportFormat

_BY_ENDING: "dict[str, ExportFormat]" = {"csv": "csv", "parquet": "parquet", "xlsx": "xlsx"}


async def export_result(
    app: App, result_id: str, form: "ExportFormat | None", target: Path | None
) -> None:
    """Write a result; an existing file is not overwritten."""
    from dataagent_core.tools.data.complete_rows import open_complete_rows
    from dataagent_core.tools.data.results.result_export import write_export

    if target is not None:
        check_file_place(target, app.say)
        form = form or _form_of_file(app, target)
    form = form or "csv"
    async with open_query_service(app) as queries:
        kept = await queries.results.get(result_id)
        place = target or Path(f"{result_id}.{form}")
        if place.exists():
            raise ConflictError(app.say("file_exists", path=place))
        if kept.truncated:
            app.output.note(app.say("export_again", rows=kept.row_count), dim=True)
        async with open_complete_rows(queries, kept) as rows:
            await write_export(rows.kept, rows.path, place, form, for_model=False)
    app.output.note(app.say("exported", rows=rows.row_count, path=place))


def _form_of_file(app: App, path: Path) -> "ExportFormat":
    ending = path.suffix.lstrip(".").lower()
    if ending not in _BY_ENDING:
        raise ValidationError(app.say("no_result_format", name=ending or path.name))
    return _BY_ENDING[ending]
