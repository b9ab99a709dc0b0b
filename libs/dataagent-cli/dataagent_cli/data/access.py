"""The desk of the person at this machine: their sources, their results, any file they name."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from dataagent_cli.wiring import TENANT, App, source_book

if TYPE_CHECKING:
    from dataagent_core.tools.data.desk import DataDesk
    from dataagent_core.tools.data.semantic import SemanticModel
    from dataagent_core.tools.data.sources.spec import SourceSpec


@asynccontextmanager
async def open_desk(app: App) -> AsyncGenerator["DataDesk"]:
    """Open the desk; its engines end with it."""
    from dataagent_core.tools.data.desk import DataDesk
    from dataagent_core.tools.data.results import FolderResults
    from dataagent_core.tools.data.sources.open import engine_opener, results_opener
    from dataagent_core.tools.data.sources.pool import EnginePool
    from dataagent_core.tools.data.sources.room import WorkerRoom

    results = FolderResults(app.settings.results / TENANT, bytes_max=app.settings.results_max_bytes)
    await results.forget_expired()
    scratch = app.settings.scratch
    room = WorkerRoom(app.settings.data_workers_max)
    pool = EnginePool(engine_opener(scratch, room=room), room=room)
    try:
        yield DataDesk(
            book=source_book(app.settings),
            pool=pool,
            results=results,
            open_results=results_opener(scratch, room=room),
            file_source=_file_source,
        )
    finally:
        await pool.aclose()


async def _file_source(path: str) -> "SourceSpec | None":
    """Take any path for a source: the person may read it anyway."""
    from dataagent_core.tools.data.sources.kinds import described
    from dataagent_core.tools.data.sources.naming import source_name

    def find() -> "SourceSpec | None":
        place = Path(path).expanduser().resolve()
        if not place.exists():
            # A report an agent wrote names files from the root of the workspace it worked in.
            place = Path(path.lstrip("/")).resolve()
        return described(source_name(place.stem), str(place), None) if place.exists() else None

    return await asyncio.to_thread(find)


async def project_model() -> "SemanticModel":
    """Read the semantic files of the project around the current folder."""
    from dataagent_core.tools.data.semantic import load_model

    return await asyncio.to_thread(load_model, Path.cwd() / ".dataagent" / "semantic")
