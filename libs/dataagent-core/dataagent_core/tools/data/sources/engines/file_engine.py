"""`FileEngine`: queries files, folders, DuckDB and SQLite files, and earlier results.

Each engine has a few workers of its own (`workers/file_worker_client.py`), started with the first
query and again when a file was added, removed or replaced.
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

    No file may be outside of `beneath`, also through links.
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
        slots: WorkerSlots | None = None,
    ) -> None:
        self._spec = spec
        self._scratch = scratch
        self._tables = dict(tables or {})
        self._beneath = beneath
        self._sandboxed = sandboxed
        self._learned: dict[str, Any] = {}
        self._number = 0
        self._workers = WorkerPool(
            lambda: FileWorkerClient(self._start, spec.name, memory_bytes), spec.name, slots
        )

    @property
    def spec(self) -> SourceSpec:
        """The source of this engine."""
        return self._spec

    async def fingerprint(self) -> str:
        """Hash the metadata of the files, and what was learned about them."""
        return self._make_fingerprint(await self._list_files())

    async def catalogue(self) -> Catalogue:
        """Read the tables; a file that cannot be read becomes a note."""
        async with self._workers.member(DATA_BUSY_S) as (worker, _):
            files = await self._list_files()
            tables: list[Table] = []
            notes = list(files.notes)
            start: int | None = 0
            while start is not None and start < DATA_TABLES_MAX:
                request = {"start": start}
                answer = await worker.ask(
                    "catalogue", request, DATA_LOOK_S, seen=files, learned=self._learned
                )
                tables += map(parse_table, answer["tables"])
                notes += answer["notes"]
                self._learn(answer["learned"])
                start = answer["next"]
        return Catalogue(
            dialect=self._spec.dialect,
            tables=tuple(tables),
            fingerprint=self._make_fingerprint(files),
            default_schema="main",
            notes=tuple(notes),
        )

    async def query(self, sql: str, into: Path, limits: QueryLimits) -> EngineResult:
        """Run checked SQL; its rows are in `into` when this returns."""
        async with self._workers.member(limits.timeout_s) as (worker, left_s):
            began = time.monotonic()
            self._number += 1
            out = f"out-{self._number}.parquet"
            request = {
                "sql": sql,
                "into": out,
                "rows_max": limits.rows_max,
                "bytes_max": limits.bytes_max,
            }
            answer = await worker.ask(
                "query",
                request,
                left_s,
                seen=await self._list_files(),
                learned=self._learned,
                memory_bytes=limits.memory_bytes,
            )
            self._learn(answer["learned"])
            # The file is in the worker's folder, where the next request deletes it.
            size = await worker.move_output(out, into, 2 * limits.bytes_max)
        return EngineResult(
            columns=tuple(ResultColumn(**column) for column in answer["columns"]),
            row_count=answer["row_count"],
            truncated=answer["truncated"],
            elapsed_ms=round((time.monotonic() - began) * 1000),
            bytes=size,
            notes=tuple(answer["notes"]),
        )

    async def estimate(self, sql: str, timeout_s: float = QUERY_PLAN_S) -> CostEstimate:
        """Estimate with the engine's EXPLAIN."""
        async with self._workers.member(timeout_s) as (worker, left_s):
            files = await self._list_files()
            request = {"sql": sql}
            answer = await worker.ask(
                "estimate", request, left_s, seen=files, learned=self._learned
            )
        return CostEstimate(**answer)

    async def profile(
        self, table: Table, columns: Sequence[str], sample_rows: int
    ) -> tuple[ColumnProfile, ...]:
        """Profile a sample of a table."""
        wanted = [c for c in table.columns if c.name in columns] if columns else table.columns
        request = {
            "table": table.name,
            "schema": table.schema,
            "columns": [[column.name, column.kind] for column in wanted],
            "sample_rows": sample_rows,
            "rows": table.rows,
        }
        return tuple(map(parse_profile, await self._ask("profile", request, PROFILE_S)))

    async def warnings(self) -> tuple[str, ...]:
        """Warn only about a missing sandbox: files are always only read."""
        if self._sandboxed:
            return ()
        return (f"{self._spec.name} is read without a sandbox: a broken file could do harm.",)

    async def aclose(self) -> None:
        """End its processes."""
        await self._workers.aclose()

    async def _list_files(self) -> SourceFiles:
        return await asyncio.to_thread(list_source_files, self._spec, self._tables)

    async def _ask(
        self, operation: str, arguments: Mapping[str, Any], timeout_s: float = DATA_LOOK_S
    ) -> Any:
        async with self._workers.member(DATA_BUSY_S) as (worker, _):
            files = await self._list_files()
            return await worker.ask(
                operation, arguments, timeout_s, seen=files, learned=self._learned
            )

    async def _start(self, memory_bytes: int) -> tuple[FolderProcess, SourceFiles]:
        files = await self._list_files()
        work = FileWorkerSpec(
            engine=_ENGINES[self._spec.kind],
            seen=files,
            scratch=self._scratch,
            beneath=self._beneath,
            sandboxed=self._sandboxed,
            memory_bytes=memory_bytes,
            learned=self._learned,
            dates=self._spec.dates,
            decimals=self._spec.decimals,
            encoding=self._spec.encoding,
        )
        return await start_file_worker(work), files

    def _learn(self, learned_now: Mapping[str, Any]) -> None:
        """Merge what a worker learned about the tables with what others learned."""
        learned = dict(self._learned)
        for name, lessons in learned_now.items():
            known = learned.get(name, {"step": 0, "text": []})
            learned[name] = {
                "step": max(known["step"], lessons["step"]),
                "text": sorted({*known["text"], *lessons["text"]}),
            }
        self._learned = learned

    def _make_fingerprint(self, files: SourceFiles) -> str:
        # Reading changes SQLite's shared memory file too.
        stable = (file for file in files.files if not file.path.name.endswith("-shm"))
        stamps = [(*file.identity, file.size_bytes, file.mtime_ns) for file in stable]
        state = json.dumps([stamps, files.notes, self._learned], sort_keys=True)
        return hashlib.sha256(state.encode("utf-8", "surrogatepass")).hexdigest()[:32]
