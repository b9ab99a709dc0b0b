"""What every engine can do. SQL handed to it was made by the guard, never by a caller."""

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
    """Answers for one source; a failure is a `QueryFailedError` with a sentence for a person."""

    @property
    def spec(self) -> SourceSpec:
        """Say which source it answers for."""
        ...

    async def fingerprint(self) -> str:
        """Say cheaply whether the catalogue is still what it was."""
        ...

    async def catalogue(self) -> Catalogue:
        """Read what tables there are."""
        ...

    async def query(self, sql: str, into: Path, limits: QueryLimits) -> EngineResult:
        """Run checked SQL and write its rows to a Parquet file that does not exist yet.

        Past its time the process is killed, at most a second later; nothing of it is left.
        """
        ...

    async def estimate(self, sql: str, timeout_s: float = QUERY_PLAN_S) -> CostEstimate:
        """Ask the engine what the query would cost, without running it.

        It may compute for long all the same; past its time it is stopped like a query.
        """
        ...

    async def profile(
        self, table: Table, columns: Sequence[str], sample_rows: int
    ) -> tuple[ColumnProfile, ...]:
        """Look at a sample of a table."""
        ...

    async def warnings(self) -> tuple[str, ...]:
        """Say what the login may do beyond reading, loudly; nothing when it may only read."""
        ...

    async def aclose(self) -> None:
        """End its process."""
        ...
