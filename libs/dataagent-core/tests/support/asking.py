"""What tests of the data engines share: an engine over a path, and its rows as Python sees them."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4

import pyarrow.parquet as pq

from dataagent_core.tools.data.data_model import Catalogue, EngineResult, QueryLimits, Table
from dataagent_core.tools.data.sources.engines.file_engine import FileEngine
from dataagent_core.tools.data.sources.source_kinds import make_source_spec


@dataclass(frozen=True, slots=True)
class Asking:
    engine: FileEngine
    folder: Path

    async def ran(self, sql: str, **limits: Any) -> tuple[EngineResult, list[dict[str, Any]]]:
        into = self.folder / f"{uuid4().hex}.parquet"
        ran = await self.engine.query(sql, into, QueryLimits(**limits))
        return ran, pq.read_table(into).to_pylist()

    async def rows(self, sql: str, **limits: Any) -> list[tuple[Any, ...]]:
        _, rows = await self.ran(sql, **limits)
        return [tuple(row.values()) for row in rows]


@asynccontextmanager
async def asking(path: Path, tmp_path: Path, **options: Any) -> AsyncGenerator[Asking]:
    results = tmp_path / "results"
    results.mkdir(exist_ok=True)
    engine = FileEngine(
        make_source_spec("s", str(path), None), scratch=tmp_path / "scratch", **options
    )
    try:
        yield Asking(engine, results)
    finally:
        await engine.aclose()


def table(catalogue: Catalogue, name: str) -> Table:
    return next(table for table in catalogue.tables if table.name == name)


def types(found: Table) -> dict[str, str]:
    return {column.name: column.type for column in found.columns}
