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

# Gives a source's engine for as long as it is used, or says after so many seconds that it is busy.
Lease = Callable[[SourceSpec, float], AbstractAsyncContextManager[DataEngine]]


class LeasedEngine:
    """`DataEngine` over whichever engine its source has at the moment."""

    def __init__(self, spec: SourceSpec, lease: Lease) -> None:
        self._spec = spec
        self._lease = lease

    @property
    def spec(self) -> SourceSpec:
        """Say which source it answers for."""
        return self._spec

    def lease(self, wait_s: float = DATA_BUSY_S) -> AbstractAsyncContextManager[DataEngine]:
        """Take the engine itself."""
        return self._lease(self._spec, wait_s)

    async def fingerprint(self) -> str:
        """Ask the engine."""
        async with self.lease() as engine:
            return await engine.fingerprint()

    async def catalogue(self) -> Catalogue:
        """Ask the engine."""
        async with self.lease() as engine:
            return await engine.catalogue()

    async def query(self, sql: str, into: Path, limits: QueryLimits) -> EngineResult:
        """Ask the engine; waiting for it counts."""
        began = time.monotonic()
        async with self.lease(limits.timeout_s) as engine:
            left_s = limits.timeout_s - (time.monotonic() - began)
            return await engine.query(sql, into, replace(limits, timeout_s=max(left_s, 0.001)))

    async def estimate(self, sql: str, timeout_s: float = QUERY_PLAN_S) -> CostEstimate:
        """Ask the engine; waiting for it counts."""
        began = time.monotonic()
        async with self.lease(timeout_s) as engine:
            left_s = timeout_s - (time.monotonic() - began)
            return await engine.estimate(sql, max(left_s, 0.001))

    async def profile(
        self, table: Table, columns: Sequence[str], sample_rows: int
    ) -> tuple[ColumnProfile, ...]:
        """Ask the engine."""
        async with self.lease() as engine:
            return await engine.profile(table, columns, sample_rows)

    async def warnings(self) -> tuple[str, ...]:
        """Ask the engine."""
        async with self.lease() as engine:
            return await engine.warnings()

    async def aclose(self) -> None:
        """Do nothing: the engine is the pool's."""


OpenEngine = Callable[[SourceSpec], DataEngine]


@dataclass(frozen=True, slots=True)
class OpenSource:
    """A source that can be asked."""

    spec: SourceSpec
    engine: DataEngine
    catalogue: CatalogueCache
    # Keys that were looked at and found unique, and when (`semantic/unique_keys.py`).
    proven: dict[tuple[str, ...], float] = field(default_factory=dict[tuple[str, ...], float])


@dataclass(slots=True)
class _PoolEntry:
    engine: DataEngine
    uses: int = 0


class EnginePool:
    """Opens engines and keeps them; a source that was changed is another one."""

    def __init__(
        self,
        open_engine: OpenEngine,
        engines_max: int = DATA_SOURCES_OPEN_MAX,
        room: WorkerSlots | None = None,
    ) -> None:
        self._open_engine = open_engine
        # Where the workers of its engines have their places; those over results belong there too.
        self.room = room or WorkerSlots()
        self._engines_max = engines_max
        self._sources: OrderedDict[SourceSpec, OpenSource] = OrderedDict()
        self._held: OrderedDict[SourceSpec, _PoolEntry] = OrderedDict()
        self._changed = asyncio.Condition()
        self._closed = False

    async def source(self, spec: SourceSpec) -> OpenSource:
        """Give what a source is asked through; its engine is opened when it is asked."""
        opened = self._sources.get(spec)
        if opened is None:
            engine = LeasedEngine(spec, self._lease)
            opened = self._sources[spec] = OpenSource(spec, engine, CatalogueCache(engine))
        self._sources.move_to_end(spec)
        while len(self._sources) > self._engines_max:
            self._sources.popitem(last=False)
        return opened

    async def aclose(self) -> None:
        """Close all of them, also those in use: their questions fail."""
        self._closed = True
        for opened in self._sources.values():
            await run_to_completion(opened.catalogue.aclose())
        while self._held:
            _, held = self._held.popitem()
            await run_to_completion(held.engine.aclose())
        async with self._changed:
            self._changed.notify_all()

    @asynccontextmanager
    async def _lease(self, spec: SourceSpec, wait_s: float) -> AsyncGenerator[DataEngine]:
        held, unused = await self._take(spec, wait_s)
        try:
            if unused is not None:
                await run_to_completion(unused.engine.aclose())
            yield held.engine
        finally:
            held.uses -= 1
            await run_to_completion(self._told())

    async def _take(self, spec: SourceSpec, wait_s: float) -> tuple[_PoolEntry, _PoolEntry | None]:
        """Give an engine with a use more, and one that has to be closed for it."""
        try:
            async with asyncio.timeout(wait_s), self._changed:
                await self._changed.wait_for(lambda: self._has_place(spec))
                return self._placed(spec)
        except TimeoutError:
            raise QueryFailedError(
                f"{spec.name} has to wait: {self._engines_max} other sources are being asked, and "
                f"none was done within {wait_s:.3g} s. Ask again in a moment."
            ) from None

    def _has_place(self, spec: SourceSpec) -> bool:
        is_full = len(self._held) >= self._engines_max
        return self._closed or spec in self._held or not is_full or self._unused() is not None

    def _placed(self, spec: SourceSpec) -> tuple[_PoolEntry, _PoolEntry | None]:
        if self._closed:
            raise ConflictError(f"{spec.name} cannot be asked any more: the sources were closed.")
        unused = None
        if spec not in self._held:
            engine = self._open_engine(spec)
            if len(self._held) >= self._engines_max and (oldest := self._unused()) is not None:
                unused = self._held.pop(oldest)
            self._held[spec] = _PoolEntry(engine)
        self._held.move_to_end(spec)
        self._held[spec].uses += 1
        return self._held[spec], unused

    def _unused(self) -> SourceSpec | None:
        return next((spec for spec, held in self._held.items() if held.uses == 0), None)

    async def _told(self) -> None:
        async with self._changed:
            self._changed.notify_all()
