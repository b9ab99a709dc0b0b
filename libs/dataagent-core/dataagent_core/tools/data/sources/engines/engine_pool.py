"""`EnginePool`: one open engine per source in use; the longest unused is closed first.

A query leases the engine of its source (`LeasedEngine`) for its own time, and an engine is closed
only while nobody uses it. When the pool is full, a query waits.
"""

import asyncio
import time
from collections import OrderedDict
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from dataagent_core.config.limits.data import DATA_BUSY_S, DATA_SOURCES_OPEN_MAX, QUERY_PLAN_S
from dataagent_core.errors import ConflictError, QueryFailedError
from dataagent_core.sandbox.processes.completion import run_to_completion
from dataagent_core.tools.data.catalog.catalogue_cache import CatalogueCache
from dataagent_core.tools.data.data_model import (
    Catalogue,
    ColumnProfile,
    CostEstimate,
    EngineResult,
    QueryLimits,
    Table,
)
from dataagent_core.tools.data.sources.engines.data_engine import DataEngine
from dataagent_core.tools.data.sources.source_spec import SourceSpec
from dataagent_core.tools.data.sources.workers.worker_slots import WorkerSlots

# Leases a source's engine, or fails as busy after the given seconds.
Lease = Callable[[SourceSpec, float], AbstractAsyncContextManager[DataEngine]]


class LeasedEngine:
    """`DataEngine` over the current engine of its source."""

    def __init__(self, spec: SourceSpec, lease: Lease) -> None:
        self._spec = spec
        self._lease = lease

    @property
    def spec(self) -> SourceSpec:
        """The source of this engine."""
        return self._spec

    def lease(self, wait_s: float = DATA_BUSY_S) -> AbstractAsyncContextManager[DataEngine]:
        """Lease the engine itself."""
        return self._lease(self._spec, wait_s)

    async def fingerprint(self) -> str:
        """Delegate to the engine."""
        async with self.lease() as engine:
            return await engine.fingerprint()

    async def catalogue(self) -> Catalogue:
        """Delegate to the engine."""
        async with self.lease() as engine:
            return await engine.catalogue()

    async def query(self, sql: str, into: Path, limits: QueryLimits) -> EngineResult:
        """Delegate; waiting for the engine counts against the time limit."""
        began = time.monotonic()
        async with self.lease(limits.timeout_s) as engine:
            left_s = limits.timeout_s - (time.monotonic() - began)
            return await engine.query(sql, into, replace(limits, timeout_s=max(left_s, 0.001)))

    async def estimate(self, sql: str, timeout_s: float = QUERY_PLAN_S) -> CostEstimate:
        """Delegate; waiting for the engine counts against the time limit."""
        began = time.monotonic()
        async with self.lease(timeout_s) as engine:
            left_s = timeout_s - (time.monotonic() - began)
            return await engine.estimate(sql, max(left_s, 0.001))

    async def profile(
        self, table: Table, columns: Sequence[str], sample_rows: int
    ) -> tuple[ColumnProfile, ...]:
        """Delegate to the engine."""
        async with self.lease() as engine:
            return await engine.profile(table, columns, sample_rows)

    async def warnings(self) -> tuple[str, ...]:
        """Delegate to the engine."""
        async with self.lease() as engine:
            return await engine.warnings()

    async def aclose(self) -> None:
        """Do nothing: the pool owns the engine."""


OpenEngine = Callable[[SourceSpec], DataEngine]


@dataclass(frozen=True, slots=True)
class OpenSource:
    """A source that can be queried."""

    spec: SourceSpec
    engine: DataEngine
    catalogue: CatalogueCache
    # Keys that are proven unique, and since when (`semantic/unique_keys.py`).
    proven: dict[tuple[str, ...], float] = field(default_factory=dict[tuple[str, ...], float])


@dataclass(slots=True)
class _PoolEntry:
    engine: DataEngine
    uses: int = 0


class EnginePool:
    """Opens engines and keeps them; a changed spec gets another engine."""

    def __init__(
        self,
        open_engine: OpenEngine,
        engines_max: int = DATA_SOURCES_OPEN_MAX,
        slots: WorkerSlots | None = None,
    ) -> None:
        self._open_engine = open_engine
        # The slots of its engines' workers, which the engine over results shares.
        self.slots = slots or WorkerSlots()
        self._engines_max = engines_max
        self._sources: OrderedDict[SourceSpec, OpenSource] = OrderedDict()
        self._entries: OrderedDict[SourceSpec, _PoolEntry] = OrderedDict()
        self._changed = asyncio.Condition()
        self._closed = False

    async def source(self, spec: SourceSpec) -> OpenSource:
        """Return an open source; its engine opens with the first query."""
        opened = self._sources.get(spec)
        if opened is None:
            engine = LeasedEngine(spec, self._lease)
            opened = self._sources[spec] = OpenSource(spec, engine, CatalogueCache(engine))
        self._sources.move_to_end(spec)
        while len(self._sources) > self._engines_max:
            self._sources.popitem(last=False)
        return opened

    async def aclose(self) -> None:
        """Close all engines, also those in use: their queries fail."""
        self._closed = True
        for opened in self._sources.values():
            await run_to_completion(opened.catalogue.aclose())
        while self._entries:
            _, entry = self._entries.popitem()
            await run_to_completion(entry.engine.aclose())
        async with self._changed:
            self._changed.notify_all()

    @asynccontextmanager
    async def _lease(self, spec: SourceSpec, wait_s: float) -> AsyncGenerator[DataEngine]:
        entry, unused = await self._take(spec, wait_s)
        try:
            if unused is not None:
                await run_to_completion(unused.engine.aclose())
            yield entry.engine
        finally:
            entry.uses -= 1
            await run_to_completion(self._notify())

    async def _take(self, spec: SourceSpec, wait_s: float) -> tuple[_PoolEntry, _PoolEntry | None]:
        """Return an engine for one more use, and an engine to close for it, if any."""
        try:
            async with asyncio.timeout(wait_s), self._changed:
                await self._changed.wait_for(lambda: self._has_capacity(spec))
                return self._take_entry(spec)
        except TimeoutError:
            raise QueryFailedError(
                f"{spec.name} has to wait: {self._engines_max} other sources are being asked, and "
                f"none was done within {wait_s:.3g} s. Ask again in a moment."
            ) from None

    def _has_capacity(self, spec: SourceSpec) -> bool:
        is_full = len(self._entries) >= self._engines_max
        return (
            self._closed or spec in self._entries or not is_full or self._find_unused() is not None
        )

    def _take_entry(self, spec: SourceSpec) -> tuple[_PoolEntry, _PoolEntry | None]:
        if self._closed:
            raise ConflictError(f"{spec.name} cannot be asked any more: the sources were closed.")
        unused = None
        if spec not in self._entries:
            engine = self._open_engine(spec)
            if (
                len(self._entries) >= self._engines_max
                and (oldest := self._find_unused()) is not None
            ):
                unused = self._entries.pop(oldest)
            self._entries[spec] = _PoolEntry(engine)
        self._entries.move_to_end(spec)
        self._entries[spec].uses += 1
        return self._entries[spec], unused

    def _find_unused(self) -> SourceSpec | None:
        return next((spec for spec, entry in self._entries.items() if entry.uses == 0), None)

    async def _notify(self) -> None:
        async with self._changed:
            self._changed.notify_all()
