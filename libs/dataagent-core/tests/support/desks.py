"""Desks over files of a test: real engines in real sandboxes."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from dataagent_core.tools.data.desk import DataDesk
from dataagent_core.tools.data.results import FolderResults
from dataagent_core.tools.data.sources.kinds import described
from dataagent_core.tools.data.sources.naming import source_name
from dataagent_core.tools.data.sources.open import engine_opener, results_opener
from dataagent_core.tools.data.sources.pool import EnginePool
from dataagent_core.tools.data.sources.spec import SourceSpec


class Listed:
    """A book of the sources a test names."""

    def __init__(self, *specs: SourceSpec) -> None:
        self._specs = specs

    async def listed(self) -> Sequence[SourceSpec]:
        return self._specs

    async def find(self, name: str) -> SourceSpec | None:
        return next((spec for spec in self._specs if spec.name == name), None)


@asynccontextmanager
async def desk_over(folder: Path, *specs: SourceSpec) -> AsyncGenerator[DataDesk]:
    """Open a desk; a path is a source too."""
    scratch = folder / ".scratch"
    pool = EnginePool(engine_opener(scratch))

    async def file_source(path: str) -> SourceSpec | None:
        place = Path(path)
        return described(source_name(place.stem), path, None) if place.exists() else None

    try:
        yield DataDesk(
            book=Listed(*specs),
            pool=pool,
            results=FolderResults(folder / ".results"),
            open_results=results_opener(scratch),
            file_source=file_source,
        )
    finally:
        await pool.aclose()
