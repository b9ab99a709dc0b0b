"""Exports all rows of results that keep one, and says what memory that took. Run as a program.

A process of its own: how much memory was taken at most is known of whole processes only.
"""

import asyncio
import sys
from pathlib import Path
from typing import cast

import psutil
from query_services import open_queries

from dataagent_core.tools.data.complete_rows import open_complete_rows
from dataagent_core.tools.data.data_model import QueryLimits
from dataagent_core.tools.data.query_service import QueryService
from dataagent_core.tools.data.results.result_export import ExportFormat, write_export
from dataagent_core.tools.data.sources.source_kinds import make_source_spec

# Rows of 300 characters.
SQL = "SELECT range AS n, repeat(lpad(range::VARCHAR, 10, '0'), 30) AS t FROM range({rows})"


async def main(folder: Path, form: ExportFormat, few: int, many: int) -> None:
    """Print how many bytes more many rows take than few."""
    file = folder / "one.csv"
    file.write_text("n\n1\n")
    async with open_queries(folder, make_source_spec("one", str(file), None)) as queries:
        await exported(queries, folder / f"few.{form}", form, few)
        before = peaks_bytes()
        await exported(queries, folder / f"many.{form}", form, many)
        after = peaks_bytes()
    print(max(after[pid] - before[pid] for pid in after))  # noqa: T201


async def exported(queries: QueryService, target: Path, form: ExportFormat, rows: int) -> None:
    cut = await queries.query("one", SQL.format(rows=rows), QueryLimits(rows_max=1))
    async with open_complete_rows(queries, cut) as found:
        assert found.row_count == rows
        await write_export(found.kept, found.path, target, form, for_model=False)


def peaks_bytes() -> dict[int, int]:
    """Read how much this process and each that works for it took at most."""
    own = psutil.Process()
    found: dict[int, int] = {}
    for process in (own, *own.children(recursive=True)):
        status = Path(f"/proc/{process.pid}/status").read_text()
        [kilobytes] = [line.split()[1] for line in status.splitlines() if "VmHWM" in line]
        found[process.pid] = int(kilobytes) * 1024
    return found


if __name__ == "__main__":
    _, folder, form, few, many = sys.argv
    asyncio.run(main(Path(folder), cast("ExportFormat", form), int(few), int(many)))
