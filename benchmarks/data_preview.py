"""What a preview costs a model beside plain CSV, and how soon a late query is gone.

Tokens are estimated as the catalogue of tools estimates them: a quarter of the bytes.
"""

import asyncio
import csv
import io
import json
import tempfile
import time
from pathlib import Path

import psutil

from dataagent_core.errors import QueryFailedError
from dataagent_core.tools.catalog.core_tools import estimate_tokens
from dataagent_core.tools.data.data_model import QueryLimits
from dataagent_core.tools.data.query_service import QueryService
from dataagent_core.tools.data.results import FolderResultStore
from dataagent_core.tools.data.results.result_preview import render_preview
from dataagent_core.tools.data.results.result_reader import read_page
from dataagent_core.tools.data.sample import make_shop
from dataagent_core.tools.data.sources.engines.engine_openers import (
    make_engine_opener,
    make_results_opener,
)
from dataagent_core.tools.data.sources.engines.engine_pool import EnginePool
from dataagent_core.tools.data.sources.source_spec import SourceSpec
from dataagent_core.tools.data.sources.source_store import EmptySourceStore

SQL = "SELECT * FROM orders ORDER BY order_id LIMIT 50"
BOMB = "SELECT count(*) FROM events AS a, events AS b, events AS c WHERE a.event_id > b.event_id"
LIMIT_S = 2.0


def children_mb() -> float:
    return sum(child.memory_info().rss for child in psutil.Process().children(recursive=True)) / 1e6


async def measured(folder: Path) -> dict[str, float]:
    make_shop(folder / "shop")
    spec = SourceSpec(name="shop", kind="files", location=str(folder / "shop"))
    pool = EnginePool(make_engine_opener(folder / "scratch"))

    async def only(_: str) -> SourceSpec:
        return spec

    queries = QueryService(
        sources=EmptySourceStore(),
        pool=pool,
        results=FolderResultStore(folder / "results"),
        open_results=make_results_opener(folder / "scratch"),
        file_source=only,
    )
    kept = await queries.query("shop", SQL)
    page = await read_page(queries.results, kept.result_id, 0, 50)
    plain = io.StringIO()
    csv.writer(plain).writerows([[c.name for c in kept.columns], *page.rows])
    began = time.monotonic()
    try:
        await queries.query("shop", BOMB, QueryLimits(timeout_s=LIMIT_S))
    except QueryFailedError:
        late_s = time.monotonic() - began - LIMIT_S
    else:
        raise AssertionError("the bomb ended by itself: make it larger")
    left_mb = children_mb()
    await pool.aclose()
    return {
        "preview_tokens_ratio": estimate_tokens(render_preview(page).text)
        / estimate_tokens(plain.getvalue()),
        "late_query_gone_s": late_s,
        "late_query_left_mb": left_mb,
    }


def main() -> dict[str, float]:
    with tempfile.TemporaryDirectory() as name:
        return asyncio.run(measured(Path(name)))


if __name__ == "__main__":
    print(json.dumps(main(), indent=2))
