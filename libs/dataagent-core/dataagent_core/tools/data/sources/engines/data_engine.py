"""The port of an engine. Its SQL comes from the guard, never from a caller."""

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from dataagent_core.config.limits.data import QUERY_PLAN_S
from dataagent_core.tools.data.data_model import (
    Catalogue,
    ColumnProfile,
    CostEstimate,
    EngineResult,
    QueryLimits,
    Table,
)
from dataagent_core.tools.data.sources.source_spec import SourceSpec


class DataEngine(Protocol):
    """Runs queries on one source; a failure is a `QueryFailedError` with a message for a person."""

    @property
    def spec(self) -> SourceSpec:
        """The source of this engine."""
        ...

    async def fingerprint(self) -> str:
        """Return a cheap hash that changes with the catalogue."""
        ...

    async def catalogue(self) -> Catalogue:
        """Read the tables of the source."""
        ...

    async def query(self, sql: str, into: Path, limits: QueryLimits) -> EngineResult:
        """Run checked SQL and write its rows to a Parquet file that does not exist yet.

        After the time limit the process is killed within a second; no file is left.
        """
        ...

    async def estimate(self, sql: str, timeout_s: float = QUERY_PLAN_S) -> CostEstimate:
        """Estimate the cost of a query without running it.

        This may take long too; it is stopped after its time limit like a query.
        """
        ...

    async def profile(
        self, table: Table, columns: Sequence[str], sample_rows: int
    ) -> tuple[ColumnProfile, ...]:
        """Profile a sample of a table."""
        ...

    async def warnings(self) -> tuple[str, ...]:
        """Return a warning for each right of the login beyond reading."""
        ...

    async def aclose(self) -> None:
        """End its process."""
        ...
