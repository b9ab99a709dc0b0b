"""The engine for each kind of source: the one place that knows all of them."""

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
    scratch: Path, *, sandboxed: bool = True, room: WorkerSlots | None = None
) -> Callable[[SourceSpec], DataEngine]:
    """Make what opens a source's engine; nothing is started before it is asked something.

    Its workers share the room with all that was opened with the same.
    """
    shared = room or WorkerSlots()

    def open_engine(spec: SourceSpec) -> DataEngine:
        match spec.kind:
            case "files" | "duckdb" | "sqlite" | "results":
                beneath = Path(spec.beneath) if spec.beneath else None
                return FileEngine(
                    spec, scratch=scratch, beneath=beneath, sandboxed=sandboxed, room=shared
                )
            case "postgres" | "mysql":
                return ServerEngine(spec, shared)
            case "clickhouse":
                beneath = Path(spec.beneath) if spec.beneath else None
                return ChdbEngine(spec, scratch=scratch, beneath=beneath, room=shared)
            case "spark" | "trino" | "snowflake" | "bigquery":
                return WarehouseEngine(spec, shared)
            case _:
                assert_never(spec.kind)

    return open_engine


def make_results_opener(
    scratch: Path, *, sandboxed: bool = True, room: WorkerSlots | None = None
) -> Callable[[SourceSpec, Mapping[str, Path]], DataEngine]:
    """Make what opens an engine over kept results."""
    shared = room or WorkerSlots()

    def open_results(spec: SourceSpec, tables: Mapping[str, Path]) -> DataEngine:
        return FileEngine(spec, scratch=scratch, tables=tables, sandboxed=sandboxed, room=shared)

    return open_results
