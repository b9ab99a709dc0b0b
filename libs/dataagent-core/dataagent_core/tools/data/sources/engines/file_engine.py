"""`FileEngine`: answers for files, folders, DuckDB and SQLite files, and earlier results.

Each has a few workers of its own (`tools/data/sources/workers/file_worker_client.py`), started when
first asked and again when a file came, went or was replaced.
"""

import asyncio
import hashlib
import json
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from dataagent_core.config.limits.data import (
    DATA_BUSY_S,
    DATA_LOOK_S,
    DATA_TABLES_MAX,
    PROFILE_S,
    QUERY_MEMORY_BYTES_MAX,
    QUERY_PLAN_S,
)
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
from dataagent_core.tools.data.sources.source_spec import SourceKind, SourceSpec
from dataagent_core.tools.data.sources.workers.file_worker_client import FileWorkerClient
from dataagent_core.tools.data.sources.workers.file_worker_process import (
    FileEngineKind,
    FileWorkerSpec,
    FolderProcess,
    start_file_worker,
)
from dataagent_core.tools.data.sources.workers.source_files import SourceFiles, list_source_files
from dataagent_core.tools.data.sources.workers.worker_pool import WorkerPool
from dataagent_core.tools.data.sources.workers.worker_slots import WorkerSlots

_ENGINES: dict[SourceKind, FileEngineKind] = {
    "files": "duckdb",
    "results": "duckdb",
    "duckdb": "duckdb_file",
    "sqlite": "sqlite",
}


class FileEngine:
    """A `DataEngine` over files. `tables` are the Parquet files of a source of kind `results`.

    `beneath` is a folder that no file may be reached from outside of, whatever links say.
    Without `sandboxed` the worker sees what we see: for one person who asked for it.
    """

    def __init__(
        self,
        spec: SourceSpec,
        *,
        scratch: Path,
        tables: Mapping[str, Path] | None = None,
        beneath: Path | None = None,
        sandboxed: bool = True,
        memory_bytes: int = QUERY_MEMORY_BYTES_MAX,
        room: WorkerSlots | None = None,
    ) -> None:
        self._spec = spec
        self._scratch = scratch
        self._tables = dict(tables or {})
        self._beneath = beneath
        self._sandboxed = sandboxed
        self._learned: dict[str, Any] = {}
        self._number = 0
        self._crew = WorkerPool(
            lambda: FileWorkerClient(self._start, spec.name, memory_bytes), spec.name, room
        )

    @property
    def spec(self) -> SourceSpec:
        """Say which source it answers for."""
        return self._spec

    async def fingerprint(self) -> str:
        """Hash what the files look like from outside, and what was learned of them."""
        return self._print(await self._see())

    async def catalogue(self) -> Catalogue:
        """Read what tables there are; a file that cannot be read is a note."""
        async with self._crew.member(DATA_BUSY_S) as (seat, _):
            seen = await self._see()
            tables: list[Table] = []
            notes = list(seen.notes)
            start: int | None = 0
            while start is not None and start < DATA_TABLES_MAX:
                asked = {"start": start}
                answer = await seat.ask(
                    "catalogue", asked, DATA_LOOK_S, seen=seen, learned=self._learned
                )
                tables += map(parse_table, answer["tables"])
                notes += answer["notes"]
                self._learn(answer["learned"])
                start = answer["next"]
        return Catalogue(
            dialect=self._spec.dialect,
            tables=tuple(tables),
            fingerprint=self._print(seen),
            default_schema="main",
            notes=tuple(notes),
        )

    async def query(self, sql: str, into: Path, limits: QueryLimits) -> EngineResult:
        """Run checked SQL; its rows are in `into` when this returns."""
        async with self._crew.member(limits.timeout_s) as (seat, left_s):
            began = time.monotonic()
            self._number += 1
            out = f"out-{self._number}.parquet"
            asked = {
                "sql": sql,
                "into": out,
                "rows_max": limits.rows_max,
                "bytes_max": limits.bytes_max,
            }
            answer = await seat.ask(
                "query",
                asked,
                left_s,
                seen=await self._see(),
                learned=self._learned,
                memory_bytes=limits.memory_bytes,
            )
            self._learn(answer["learned"])
            # It lies in the worker's folder, where the next question drops it.
            size = await seat.move_output(out, into, 2 * limits.bytes_max)
        return EngineResult(
            columns=tuple(ResultColumn(**column) for column in answer["columns"]),
            row_count=answer["row_count"],
            truncated=answer["truncated"],
            elapsed_ms=round((time.monotonic() - began) * 1000),
            bytes=size,
            notes=tuple(answer["notes"]),
        )

    async def estimate(self, sql: str, timeout_s: float = QUERY_PLAN_S) -> CostEstimate:
        """Ask the engine's EXPLAIN."""
        async with self._crew.member(timeout_s) as (seat, left_s):
            seen = await self._see()
            asked = {"sql": sql}
            answer = await seat.ask("estimate", asked, left_s, seen=seen, learned=self._learned)
        return CostEstimate(**answer)

    async def profile(
        self, table: Table, columns: Sequence[str], sample_rows: int
    ) -> tuple[ColumnProfile, ...]:
        """Look at a sample of a table."""
        wanted = [c for c in table.columns if c.name in columns] if columns else table.columns
        asked = {
            "table": table.name,
            "schema": table.schema,
            "columns": [[column.name, column.kind] for column in wanted],
            "sample_rows": sample_rows,
            "rows": table.rows,
        }
        return tuple(map(parse_profile, await self._look("profile", asked, PROFILE_S)))

    async def warnings(self) -> tuple[str, ...]:
        """Say nothing: whatever a file's owner may do, here it is only read."""
        if self._sandboxed:
            return ()
        return (f"{self._spec.name} is read without a sandbox: a broken file could do harm.",)

    async def aclose(self) -> None:
        """End its processes."""
        await self._crew.aclose()

    async def _see(self) -> SourceFiles:
        return await asyncio.to_thread(list_source_files, self._spec, self._tables)

    async def _look(
        self, operation: str, arguments: Mapping[str, Any], timeout_s: float = DATA_LOOK_S
    ) -> Any:
        async with self._crew.member(DATA_BUSY_S) as (seat, _):
            seen = await self._see()
            return await seat.ask(operation, arguments, timeout_s, seen=seen, learned=self._learned)

    async def _start(self, memory_bytes: int) -> tuple[FolderProcess, SourceFiles]:
        seen = await self._see()
        work = FileWorkerSpec(
            engine=_ENGINES[self._spec.kind],
            seen=seen,
            scratch=self._scratch,
            beneath=self._beneath,
            sandboxed=self._sandboxed,
            memory_bytes=memory_bytes,
            learned=self._learned,
            dates=self._spec.dates,
            decimals=self._spec.decimals,
            encoding=self._spec.encoding,
        )
        return await start_file_worker(work), seen

    def _learn(self, told: Mapping[str, Any]) -> None:
        """Add what a worker found out of the tables; another one may know more of others."""
        learned = dict(self._learned)
        for name, given in told.items():
            known = learned.get(name, {"step": 0, "text": []})
            learned[name] = {
                "step": max(known["step"], given["step"]),
                "text": sorted({*known["text"], *given["text"]}),
            }
        self._learned = learned

    def _print(self, seen: SourceFiles) -> str:
        # Readers touch SQLite's shared memory too.
        told = (file for file in seen.files if not file.path.name.endswith("-shm"))
        stamps = [(*file.identity, file.size_bytes, file.mtime_ns) for file in told]
        state = json.dumps([stamps, seen.notes, self._learned], sort_keys=True)
        return hashlib.sha256(state.encode("utf-8", "surrogatepass")).hexdigest()[:32]
