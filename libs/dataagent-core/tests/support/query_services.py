"""Query services over files of a test: real engines in real sandboxes."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from dataagent_core.config import Settings
from dataagent_core.sandbox.files.safe_root import SafeRoot
from dataagent_core.tools.data.agent_tools import DataToolServices
from dataagent_core.tools.data.charts import Renderer
from dataagent_core.tools.data.data_access import DataAccess
from dataagent_core.tools.data.query_service import QueryService
from dataagent_core.tools.data.results import FolderResultStore, ResultStore
from dataagent_core.tools.data.sources.engines.engine_openers import (
    make_engine_opener,
    make_results_opener,
)
from dataagent_core.tools.data.sources.engines.engine_pool import EnginePool
from dataagent_core.tools.data.sources.source_kinds import make_source_spec
from dataagent_core.tools.data.sources.source_names import make_source_name
from dataagent_core.tools.data.sources.source_spec import SourceSpec


class Listed:
    """A store of the sources a test names."""

    def __init__(self, *specs: SourceSpec) -> None:
        self._specs = specs

    async def listed(self) -> Sequence[SourceSpec]:
        return self._specs

    async def find(self, name: str) -> SourceSpec | None:
        return next((spec for spec in self._specs if spec.name == name), None)


@asynccontextmanager
async def open_queries(folder: Path, *specs: SourceSpec) -> AsyncGenerator[QueryService]:
    """Open a query service; a path is a source too."""
    scratch = folder / ".scratch"
    pool = EnginePool(make_engine_opener(scratch))

    async def file_source(path: str) -> SourceSpec | None:
        place = Path(path)
        return (
            make_source_spec(make_source_name(place.stem), path, None) if place.exists() else None
        )

    try:
        yield QueryService(
            sources=Listed(*specs),
            pool=pool,
            results=FolderResultStore(folder / ".results"),
            open_results=make_results_opener(scratch),
            file_source=file_source,
        )
    finally:
        await pool.aclose()


def make_services(
    folder: Path,
    *specs: SourceSpec,
    results: ResultStore | None = None,
    renderer: Renderer | None = None,
) -> DataToolServices:
    """Make the services of data tools at work in a folder; close them."""
    root = SafeRoot(folder, links="refuse")
    return DataToolServices(
        access=DataAccess(
            sources=Listed(*specs), results=results or folder / ".results", renderer=renderer
        ),
        settings=Settings(home=folder / ".home"),
        workspace=root,
        readable=root,
        folder=folder,
    )


@asynccontextmanager
async def open_services(folder: Path, *specs: SourceSpec) -> AsyncGenerator[DataToolServices]:
    """Make services that query, and close them."""
    services = make_services(folder, *specs)
    try:
        yield services
    finally:
        await services.aclose()
