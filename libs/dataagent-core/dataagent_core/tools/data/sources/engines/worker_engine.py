"""What the engines of servers, warehouses and ClickHouse folders have in common.

Each is a program of `worker_programs/` that answers the same requests; they differ in how it is
started.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from dataagent_core.config.limits.data import (
    CATALOGUE_COLUMNS_MAX,
    DATA_BUSY_S,
    DATA_LOOK_S,
    DATA_REPLY_BYTES_MAX,
    DATA_WORKER_KILL_S,
    DATA_WORKERS_OF_SOURCE_MAX,
    PROFILE_S,
    QUERY_BYTES_MAX,
    QUERY_PLAN_S,
)
from dataagent_core.sandbox.port import Process
from dataagent_core.tools.data.data_model import (
    Catalogue,
    ColumnProfile,
    CostEstimate,
    EngineResult,
    QueryLimits,
    ResultColumn,
    Table,
)
from dataagent_core.tools.data.sources.engines.engine_answers import parse_profile, parse_table
from dataagent_core.tools.data.sources.source_spec import SourceSpec
from dataagent_core.tools.data.sources.workers.worker import Worker
from dataagent_core.tools.data.sources.workers.worker_pool import WorkerPool
from dataagent_core.tools.data.sources.workers.worker_slots import WorkerSlots


class WorkerEngine(ABC):
    """`DataEngine` over a few workers; `start` says how their processes come to be."""

    def __init__(
        self,
        spec: SourceSpec,
        room: WorkerSlots | None = None,
        workers_max: int = DATA_WORKERS_OF_SOURCE_MAX,
    ) -> None:
        self._spec = spec
        name = f"The source {spec.name!r}"
        self._crew = WorkerPool(lambda: Worker(self.start, name), name, room, workers_max)

    @property
    def spec(self) -> SourceSpec:
        """Say which source it answers for."""
        return self._spec

    @abstractmethod
    async def start(self) -> Process:
        """Start the program."""

    async def fingerprint(self) -> str:
        """Hash the engine's own catalogs."""
        return await self._look("fingerprint", {})

    async def catalogue(self) -> Catalogue:
        """Read what tables there are, a page at a time."""
        # Before the tables: a change made meanwhile is then seen at the next look.
        fingerprint = await self.fingerprint()
        tables: list[Table] = []
        offset: int | None = 0
        default_schema, notes = "", ()
        while offset is not None:
            asked = {
                "offset": offset,
                "reply_bytes_max": DATA_REPLY_BYTES_MAX,
                "columns_max": CATALOGUE_COLUMNS_MAX,
            }
            page = await self._look("catalogue", asked)
            tables += [parse_table(table) for table in page["tables"]]
            default_schema, notes, offset = page["default_schema"], page["notes"], page["next"]
        return Catalogue(
            dialect=self._spec.dialect,
            tables=tuple(tables),
            fingerprint=fingerprint,
            default_schema=default_schema,
            notes=tuple(notes),
        )

    async def query(self, sql: str, into: Path, limits: QueryLimits) -> EngineResult:
        """Run checked SQL and write its rows to a Parquet file."""
        try:
            async with self._crew.member(limits.timeout_s) as (worker, left_s):
                limits = replace(limits, timeout_s=left_s)
                # A server stops it in time by itself; the process is killed when it does not.
                wait_s = left_s + DATA_WORKER_KILL_S
                return await run_worker_query(worker, sql, str(into), limits, wait_s)
        except BaseException:
            # A killed process leaves what it had written.
            Path(f"{into}.part").unlink(missing_ok=True)  # noqa: ASYNC240 - one system call
            raise

    async def estimate(self, sql: str, timeout_s: float = QUERY_PLAN_S) -> CostEstimate:
        """Ask for the engine's plan."""
        async with self._crew.member(timeout_s) as (worker, left_s):
            asked = {"sql": sql, "timeout_s": left_s}
            return CostEstimate(**await worker.ask("estimate", asked, left_s + DATA_WORKER_KILL_S))

    async def profile(
        self, table: Table, columns: Sequence[str], sample_rows: int
    ) -> tuple[ColumnProfile, ...]:
        """Look at a sample of a table."""
        asked = {
            "schema": table.schema,
            "table": table.name,
            "columns": list(columns) or [column.name for column in table.columns],
            "rows": table.rows,
            "sample_rows": sample_rows,
            "timeout_s": PROFILE_S,
            "bytes_max": QUERY_BYTES_MAX,
        }
        seen = await self._look("profile", asked, PROFILE_S + DATA_WORKER_KILL_S)
        return tuple(parse_profile(column) for column in seen)

    async def warnings(self) -> tuple[str, ...]:
        """Say what the login may do beyond reading."""
        return tuple(await self._look("warnings", {}))

    async def aclose(self) -> None:
        """End its processes."""
        await self._crew.aclose()

    async def _look(
        self, operation: str, arguments: Mapping[str, Any], timeout_s: float = DATA_LOOK_S
    ) -> Any:
        async with self._crew.member(DATA_BUSY_S) as (worker, _):
            return await worker.ask(operation, arguments, timeout_s)


async def run_worker_query(
    worker: Worker, sql: str, into: str, limits: QueryLimits, wait_s: float
) -> EngineResult:
    """Ask one worker to run SQL."""
    asked: Mapping[str, Any] = {
        "sql": sql,
        "into": into,
        "timeout_s": limits.timeout_s,
        "rows_max": limits.rows_max,
        "bytes_max": limits.bytes_max,
    }
    answer = await worker.ask("query", asked, wait_s)
    return EngineResult(
        columns=tuple(ResultColumn(**column) for column in answer["columns"]),
        row_count=answer["row_count"],
        truncated=answer["truncated"],
        elapsed_ms=answer["elapsed_ms"],
        bytes=answer["bytes"],
        notes=tuple(answer.get("notes", ())),
    )
