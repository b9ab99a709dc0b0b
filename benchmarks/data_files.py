"""Ten million rows of Parquet through the engine of files, beside polars and pandas.

The engine is measured as a person meets it: with its sandbox and its process started for the first
question, and the answer on disk. polars and pandas do the same work in a fresh Python each, their
import left out. Aims: group-by under 2 s and 300 MB, describe under 1 s, profile of a sample under
5 s.
"""

import asyncio
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncGenerator, Awaitable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TypeVar

import duckdb
import psutil

from dataagent_core.tools.data.data_model import QueryLimits
from dataagent_core.tools.data.sources.engines.file_engine import FileEngine
from dataagent_core.tools.data.sources.source_kinds import make_source_spec

ROWS = 10_000_000
SAMPLE_ROWS = 100_000
MAKE = f"""COPY (SELECT range AS id, (hash(range) % 1000)::INTEGER AS customer,
  (hash(range + 1) % 50)::INTEGER AS product,
  ((hash(range + 2) % 100000) / 100)::DECIMAL(9, 2) AS amount,
  (hash(range + 3) % 1000) / 7 AS weight,
  DATE '2024-01-01' + (hash(range + 4) % 366)::INTEGER AS day,
  TIMESTAMP '2024-01-01' + to_seconds((hash(range + 5) % 31622400)::BIGINT) AS at,
  'city ' || hash(range + 6) % 300 AS city, hash(range + 7) % 2 = 0 AS paid,
  CASE WHEN hash(range + 8) % 10 = 0 THEN NULL ELSE 'note ' || hash(range + 9) % 100000 END AS note
  FROM range({ROWS})) TO '{{path}}' (FORMAT parquet, COMPRESSION zstd)"""
GROUP = (
    "SELECT city, paid, count(*) AS n, sum(amount) AS total FROM t "
    "GROUP BY city, paid ORDER BY city, paid"
)
BASE = """import json, resource, sys, time
import {library} as lib
path = sys.argv[1]
began = time.perf_counter()
{work}
took = time.perf_counter() - began
print(json.dumps([took, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024]))
"""
# The same queries in the other libraries.
WORK = {
    ("polars", "group"): "lib.scan_parquet(path).group_by('city', 'paid')"
    ".agg(lib.len(), lib.col('amount').sum()).sort('city', 'paid').collect()",
    ("polars", "profile"): f"lib.read_parquet(path).sample({SAMPLE_ROWS}).describe()",
    ("pandas", "group"): "lib.read_parquet(path, columns=['city', 'paid', 'amount'])"
    ".groupby(['city', 'paid'])['amount'].agg(['count', 'sum'])",
    ("pandas", "profile"): f"lib.read_parquet(path).sample({SAMPLE_ROWS}).describe(include='all')",
}
T = TypeVar("T")


async def timed(work: Awaitable[T]) -> tuple[T, float]:
    began = time.perf_counter()
    return await work, time.perf_counter() - began


def worker_peak_mb() -> float:
    """Return the peak memory of the worker."""
    for process in psutil.Process().children(recursive=True):
        if (
            process.name().startswith("python")
            and "worker_programs.duckdb_program" in process.cmdline()
        ):
            status = Path(f"/proc/{process.pid}/status").read_text()
            return int(status.partition("VmHWM:")[2].split()[0]) / 1024
    raise SystemExit("the worker is gone")


async def ours(path: Path, folder: Path) -> dict[str, float]:
    figures: dict[str, float] = {}
    # A new engine each time: a first query includes starting its process.
    async with opened(path, folder) as engine:
        catalogue, figures["describe_s"] = await timed(engine.catalogue())
    async with opened(path, folder) as engine:
        asked = engine.query(GROUP, folder / "cold.parquet", QueryLimits())
        _, figures["group_cold_s"] = await timed(asked)
        asked = engine.query(GROUP, folder / "warm.parquet", QueryLimits())
        _, figures["group_warm_s"] = await timed(asked)
        figures["group_mb"] = worker_peak_mb()
    async with opened(path, folder) as engine:
        asked = engine.profile(catalogue.tables[0], [], SAMPLE_ROWS)
        _, figures["profile_s"] = await timed(asked)
        figures["profile_mb"] = worker_peak_mb()
    return figures


@asynccontextmanager
async def opened(path: Path, folder: Path) -> AsyncGenerator[FileEngine]:
    engine = FileEngine(make_source_spec("t", str(path), None), scratch=folder / "scratch")
    try:
        yield engine
    finally:
        await engine.aclose()


def theirs(library: str, work: str, path: Path) -> tuple[float, float]:
    code = BASE.format(library=library, work=work)
    done = subprocess.run([sys.executable, "-c", code, str(path)], capture_output=True, check=True)
    seconds, megabytes = json.loads(done.stdout)
    return seconds, megabytes


def main() -> dict[str, float]:
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "t.parquet"
        duckdb.connect().execute(MAKE.format(path=path))
        figures = asyncio.run(ours(path, Path(name)))
        for (library, asked), work in WORK.items():
            seconds, megabytes = theirs(library, work, path)
            figures[f"{library}_{asked}_s"] = seconds
            figures[f"{library}_{asked}_mb"] = megabytes
    figures["group_ratio_polars"] = figures["group_warm_s"] / figures["polars_group_s"]
    figures["profile_ratio_polars"] = figures["profile_s"] / figures["polars_profile_s"]
    return figures


if __name__ == "__main__":
    print(json.dumps(main(), indent=2))
