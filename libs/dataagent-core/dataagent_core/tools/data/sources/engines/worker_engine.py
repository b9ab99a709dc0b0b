"""The common base of the engines of servers, warehouses and ClickHouse folders.

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
    """`DataEngine` over a few workers; `start` starts the process of one."""

    def __init__(
        self,
        spec: SourceSpec,
        slots: WorkerSlots | None = None,
        workers_max: int = DATA_WORKERS_OF_SOURCE_MAX,
    ) -> None:
        self._spec = spec
        name = f"The source {spec.name!r}"
        self._workers = WorkerPool(lambda: Worker(self.start, name), name, slots, workers_max)

    @property
    def spec(self) -> SourceSpec:
        """The source of this engine."""
        return self._spec

    @abstractmethod
    async def start(self) -> Process:
        """Start the program."""

    async def fingerprint(self) -> str:
        """Hash the engine's own catalogs."""
        return await self._ask("fingerprint", {})

    async def catalogue(self) -> Catalogue:
        """Read the tables, page by page."""
        # Before the tables: the next call then sees a change made meanwhile.
        fingerprint = await self.fingerprint()
        tables: list[Table] = []
        offset: int | None = 0
        default_schema, notes = "", ()
        while offset is not None:
            request = {
                "offset": offset,
                "reply_bytes_max": DATA_REPLY_BYTES_MAX,
                "columns_max": CATALOGUE_COLUMNS_MAX,
            }
            page = await self._ask("catalogue", request)
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
            async with self._workers.member(limits.timeout_s) as (worker, left_s):
                limits = replace(limits, timeout_s=left_s)
                # A server stops the query in time by itself; otherwise the process is killed.
                wait_s = left_s + DATA_WORKER_KILL_S
                return await run_worker_query(worker, sql, str(into), limits, wait_s)
        except BaseException:
            # A killed process leaves its partial file.
            Path(f"{into}.part").unlink(missing_ok=True)  # noqa: ASYNC240 - one system call
            raise

    async def estimate(self, sql: str, timeout_s: float = QUERY_PLAN_S) -> CostEstimate:
        """Estimate with the engine's plan."""
        async with self._workers.member(timeout_s) as (worker, left_s):
            request = {"sql": sql, "timeout_s": left_s}
            return CostEstimate(
                **await worker.ask("estimate", request, left_s + DATA_WORKER_KILL_S)
            )

    async def profile(
        self, table: Table, columns: Sequence[str], sample_rows: int
    ) -> tuple[ColumnProfile, ...]:
        """Profile a sample of a table."""
        request = {
            "schema": table.schema,
            "table": table.name,
            "columns": list(columns) or [column.name for column in table.columns],
            "rows": table.rows,
            "sample_rows": sample_rows,
            "timeout_s": PROFILE_S,
            "bytes_max": QUERY_BYTES_MAX,
        }
        profiles = await self._ask("profile", request, PROFILE_S + DATA_WORKER_KILL_S)
        return tuple(parse_profile(column) for column in profiles)

    async def warnings(self) -> tuple[str, ...]:
        """Return a warning for each right of the login beyond reading."""
        return tuple(await self._ask("warnings", {}))

    async def aclose(self) -> None:
        """End its processes."""
        await self._workers.aclose()

    async def _ask(
        self, operation: str, arguments: Mapping[str, Any], timeout_s: float = DATA_LOOK_S
    ) -> Any:
        async with self._workers.member(DATA_BUSY_S) as (worker, _):
            return await worker.ask(operation, arguments, timeout_s)


async def run_worker_query(
    worker: Worker, sql: str, into: str, limits: QueryLimits, wait_s: float
) -> EngineResult:
    """Ask one worker to run SQL."""
    request: Mapping[str, Any] = {
        "sql": sql,
        "into": into,
        "timeout_s": limits.timeout_s,
        "rows_max": limits.rows_max,
        "bytes_max": limits.bytes_max,
    }
    answer = await worker.ask("query", request, wait_s)
    return EngineResult(
        columns=tuple(ResultColumn(**column) for column in answer["columns"]),
        row_count=answer["row_count"],
        truncated=answer["truncated"],
        elapsed_ms=answer["elapsed_ms"],
        bytes=answer["bytes"],
        notes=tuple(answer.get("notes", ())),
    )
