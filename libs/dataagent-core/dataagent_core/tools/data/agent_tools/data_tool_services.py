"""What the data tools of one agent work with.

Most messages call no data tool, so each service is built when a tool first needs it, and only what
was built for this agent is closed with it.
"""

import asyncio
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from dataagent_core.config import Settings
from dataagent_core.errors import ConflictError
from dataagent_core.sandbox.files.safe_root import SafeRoot
from dataagent_core.tools.data.catalog import CatalogueEntry
from dataagent_core.tools.data.charts import Renderer
from dataagent_core.tools.data.data_access import DataAccess
from dataagent_core.tools.data.query_service import QueryService
from dataagent_core.tools.data.results import FolderResultStore, ResultStore
from dataagent_core.tools.data.semantic import SemanticModel, load_model_beneath
from dataagent_core.tools.data.semantic.semantic_entries import make_semantic_entries
from dataagent_core.tools.data.sources.engines.engine_openers import (
    make_engine_opener,
    make_results_opener,
)
from dataagent_core.tools.data.sources.engines.engine_pool import EnginePool
from dataagent_core.tools.data.sources.workers.worker_slots import WorkerSlots
from dataagent_core.tools.data.workspace_files import WorkspaceFiles


@dataclass(kw_only=True, eq=False, repr=False)
class DataToolServices:
    """The services of one agent: shared ones come with `access`, the others are built here."""

    access: DataAccess
    settings: Settings
    # Where charts and reports are written; `readable` has what rules let an agent read of it.
    workspace: SafeRoot
    readable: SafeRoot
    folder: Path
    sandboxed: bool = True
    _built: AsyncExitStack = field(default_factory=AsyncExitStack, init=False)
    _is_closed: bool = field(default=False, init=False)

    @cached_property
    def queries(self) -> QueryService:
        """The query service over the agent's sources and the files of its workspace."""
        return QueryService(
            sources=self.access.sources,
            pool=self._pool,
            results=self.results,
            open_results=make_results_opener(
                self.settings.scratch, sandboxed=self.sandboxed, slots=self._pool.slots
            ),
            file_source=self.files.spec,
        )

    @cached_property
    def results(self) -> ResultStore:
        """The store of the agent's results."""
        if isinstance(self.access.results, Path):
            bytes_max = self.settings.results_max_bytes
            return FolderResultStore(self.access.results, bytes_max=bytes_max)
        return self.access.results

    @cached_property
    def files(self) -> WorkspaceFiles:
        """The data files of the workspace."""
        return WorkspaceFiles(self.readable, self.folder, choices=self.access.file_choices)

    @cached_property
    def renderer(self) -> Renderer:
        """What draws charts and typesets reports."""
        if self.access.renderer is not None:
            return self.access.renderer
        self._require_open()
        renderer = Renderer()
        self._built.push_async_callback(renderer.aclose)
        return renderer

    @cached_property
    def _pool(self) -> EnginePool:
        if self.access.pool is not None:
            return self.access.pool
        self._require_open()
        slots = WorkerSlots(self.settings.data_workers_max)
        opener = make_engine_opener(self.settings.scratch, sandboxed=self.sandboxed, slots=slots)
        pool = EnginePool(opener, slots=slots)
        self._built.push_async_callback(pool.aclose)
        return pool

    def _require_open(self) -> None:
        """Refuse to build what nobody would close."""
        if self._is_closed:
            raise ConflictError("The data tools cannot be used any more: the agent was closed.")

    async def load_model(self) -> SemanticModel:
        """Give the project's model, or read the workspace's semantic files as they are now."""
        if self.access.model is not None:
            return self.access.model
        return await asyncio.to_thread(load_model_beneath, self.workspace)

    async def list_semantic_entries(self) -> Sequence[CatalogueEntry]:
        """List what the model adds to the catalogue: metrics, dimensions, verified questions."""
        return make_semantic_entries(await self.load_model())

    async def aclose(self) -> None:
        """Close what was built for this agent; what is shared is closed by its owner."""
        self._is_closed = True
        await self._built.aclose()
