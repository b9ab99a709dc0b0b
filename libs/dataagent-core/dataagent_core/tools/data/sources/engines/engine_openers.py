"""Opens the engine of each kind of source; the only module that knows all engines."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import assert_never

from dataagent_core.tools.data.sources.engines.chdb_engine import ChdbEngine
from dataagent_core.tools.data.sources.engines.data_engine import DataEngine
from dataagent_core.tools.data.sources.engines.file_engine import FileEngine
from dataagent_core.tools.data.sources.engines.server_engine import ServerEngine
from dataagent_core.tools.data.sources.engines.warehouse_engine import WarehouseEngine
from dataagent_core.tools.data.sources.source_spec import SourceSpec
from dataagent_core.tools.data.sources.workers.worker_slots import WorkerSlots


def make_engine_opener(
    scratch: Path, *, sandboxed: bool = True, slots: WorkerSlots | None = None
) -> Callable[[SourceSpec], DataEngine]:
    """Make the function that opens a source's engine; no process starts before the first query.

    Engines that are opened with the same `slots` share them.
    """
    shared = slots or WorkerSlots()

    def open_engine(spec: SourceSpec) -> DataEngine:
        match spec.kind:
            case "files" | "duckdb" | "sqlite" | "results":
                beneath = Path(spec.beneath) if spec.beneath else None
                return FileEngine(
                    spec, scratch=scratch, beneath=beneath, sandboxed=sandboxed, slots=shared
                )
            case "postgres" | "mysql":
                return ServerEngine(spec, shared)
            case "clickhouse":
                beneath = Path(spec.beneath) if spec.beneath else None
                return ChdbEngine(spec, scratch=scratch, beneath=beneath, slots=shared)
            case "spark" | "trino" | "snowflake" | "bigquery":
                return WarehouseEngine(spec, shared)
            case _:
                assert_never(spec.kind)

    return open_engine


def make_results_opener(
    scratch: Path, *, sandboxed: bool = True, slots: WorkerSlots | None = None
) -> Callable[[SourceSpec, Mapping[str, Path]], DataEngine]:
    """Make the function that opens an engine over stored results."""
    shared = slots or WorkerSlots()

    def open_results(spec: SourceSpec, tables: Mapping[str, Path]) -> DataEngine:
        return FileEngine(spec, scratch=scratch, tables=tables, sandboxed=sandboxed, slots=shared)

    return open_results
