"""A source's engine as the pool hands it out: each question takes the real one for its own time."""

import time
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from pathlib import Path

from dataagent_core.config.data_limits import DATA_BUSY_S, QUERY_PLAN_S
from dataagent_core.tools.data.model import (
    Catalogue,
    ColumnProfile,
    Estimate,
    QueryLimits,
    Ran,
    Table,
)
from dataagent_core.tools.data.sources.port import DataEngine
from dataagent_core.tools.data.sources.spec import SourceSpec

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

    async def query(self, sql: str, into: Path, limits: QueryLimits) -> Ran:
        """Ask the engine; waiting for it counts."""
        began = time.monotonic()
        async with self.lease(limits.timeout_s) as engine:
            left_s = limits.timeout_s - (time.monotonic() - began)
            return await engine.query(sql, into, replace(limits, timeout_s=max(left_s, 0.001)))

    async def estimate(self, sql: str, timeout_s: float = QUERY_PLAN_S) -> Estimate:
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
