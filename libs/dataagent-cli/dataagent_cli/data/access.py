"""Opens the query service of the local user: their sources, their results, any file they name."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from dataagent_cli.wiring import TENANT, App, open_source_store

if TYPE_CHECKING:
    from dataagent_core.tools.data.query_service import QueryService
    from dataagent_core.tools.data.semantic import SemanticModel
    from dataagent_core.tools.data.sources.source_spec import SourceSpec


@asynccontextmanager
async def open_query_service(app: App) -> AsyncGenerator["QueryService"]:
    """Open the query service; its engines are closed with it."""
    from dataagent_core.tools.data.query_service import QueryService
    from dataagent_core.tools.data.results import FolderResultStore
    from dataagent_core.tools.data.sources.engines.engine_openers import (
        make_engine_opener,
        make_results_opener,
    )
    from dataagent_core.tools.data.sources.engines.engine_pool import EnginePool
    from dataagent_core.tools.data.sources.workers.worker_slots import WorkerSlots

    results = FolderResultStore(
        app.settings.results / TENANT, bytes_max=app.settings.results_max_bytes
    )
    await results.forget_expired()
    scratch = app.settings.scratch
    slots = WorkerSlots(app.settings.data_workers_max)
    pool = EnginePool(make_engine_opener(scratch, slots=slots), slots=slots)
    try:
        yield QueryService(
            sources=open_source_store(app.settings),
            pool=pool,
            results=results,
            open_results=make_results_opener(scratch, slots=slots),
            file_source=_file_source,
        )
    finally:
        await pool.aclose()


async def _file_source(path: str) -> "SourceSpec | None":
    """Accept any path as a source: the person may read it anyway."""
    from dataagent_core.tools.data.sources.source_kinds import make_source_spec
    from dataagent_core.tools.data.sources.source_names import make_source_name

    def find() -> "SourceSpec | None":
        place = Path(path).expanduser().resolve()
        if not place.exists():
            # A report of an agent names files relative to the agent's workspace.
            place = Path(path.lstrip("/")).resolve()
        return (
            make_source_spec(make_source_name(place.stem), str(place), None)
            if place.exists()
            else None
        )

    return await asyncio.to_thread(find)


async def project_model() -> "SemanticModel":
    """Read the semantic files of the project around the current folder."""
    from dataagent_core.tools.data.semantic import load_model

    return await asyncio.to_thread(load_model, Path.cwd() / ".dataagent" / "semantic")
