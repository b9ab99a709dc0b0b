"""Charts and reports: a PNG cold and warm, the other forms, and a PDF of ten pages.

Baseline: vl-convert itself, called in this process with the same spec. Aims: PNG under 1.5 s warm,
a ten-page PDF under 5 s.
"""

import asyncio
import datetime as dt
import json
import re
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import vl_convert

from dataagent_core.tools.data.charts import Renderer, make_chart
from dataagent_core.tools.data.charts.fonts import locate_font_folder
from dataagent_core.tools.data.data_model import EngineResult, ResultColumn
from dataagent_core.tools.data.reports import ReportMaker, read_definition, run_report
from dataagent_core.tools.data.reports.formats.html_report import render_html
from dataagent_core.tools.data.reports.formats.pdf_report import render_pdf
from dataagent_core.tools.data.results import FolderResultStore, StoredResult

ROUNDS = 7
DAYS, REGIONS, ROWS = 365, ("North", "South", "East", "西部"), 420
DEFINITION = """
title: 销售报告 Sales
template: briefing
queries:
  daily: {source: shop, sql: "SELECT day, region, sales FROM orders"}
blocks:
  - {type: heading, text: Overview}
  - {type: text, markdown: "Sales **by day** and region."}
  - {type: figure, query: daily, label: Total, column: sales, aggregate: sum}
  - {type: chart, query: daily}
  - {type: chart, query: daily, intent: bar of sales by region}
  - {type: table, query: daily, rows_max: 420}
"""


async def kept_days(results: FolderResultStore, _source: str, sql: str) -> StoredResult:
    days = [dt.date(2025, 1, 1) + dt.timedelta(days=n) for n in range(DAYS) for _ in REGIONS]
    sales = [float(n * 37 % 1_000) for n in range(len(days))]
    table = pa.table({"day": days, "region": list(REGIONS) * DAYS, "sales": sales})
    draft = results.draft()
    pq.write_table(table, draft)
    columns = (
        ResultColumn(name="day", type="DATE", kind="date"),
        ResultColumn(name="region", type="VARCHAR", kind="text"),
        ResultColumn(name="sales", type="DOUBLE", kind="float"),
    )
    ran = EngineResult(
        columns=columns,
        row_count=table.num_rows,
        truncated=False,
        elapsed_ms=1,
        bytes=draft.stat().st_size,
    )
    return await results.keep(draft, ran, source="shop", dialect="duckdb", sql=sql)


async def timed_s(work: Callable[[], Awaitable[Any]]) -> float:
    began = time.perf_counter()
    await work()
    return time.perf_counter() - began


async def median_s(work: Callable[[], Awaitable[Any]]) -> float:
    return statistics.median([await timed_s(work) for _ in range(ROUNDS)])


def bare_png_s(spec: dict[str, Any]) -> float:
    """Draw the same spec in this process."""
    vl_convert.register_font_directory(str(locate_font_folder()))
    samples: list[float] = []
    for _ in range(ROUNDS):
        began = time.perf_counter()
        vl_convert.vegalite_to_png(json.dumps(spec), vl_version="6.4", scale=2)
        samples.append(time.perf_counter() - began)
    return statistics.median(samples)


async def measured(folder: Path) -> dict[str, float]:
    results, renderer = FolderResultStore(folder), Renderer(workers_max=1)
    kept = await kept_days(results, "shop", "SELECT day, region, sales FROM orders")

    async def png() -> Any:
        return await make_chart(results, kept.result_id, renderer=renderer)

    async def all_forms() -> Any:
        forms = ("png", "svg", "pdf")
        return await make_chart(results, kept.result_id, renderer=renderer, formats=forms)

    figures = {"chart_png_cold_s": await timed_s(png), "chart_png_warm_s": await median_s(png)}
    figures["chart_png_svg_pdf_warm_s"] = await median_s(all_forms)
    bare = bare_png_s(dict((await png()).spec))
    figures |= {"vl_convert_png_s": bare, "chart_png_ratio": figures["chart_png_warm_s"] / bare}

    async def run_query(source: str, sql: str, rows_max: int) -> StoredResult:  # noqa: ARG001 (the report asks so)
        return await kept_days(results, source, sql)

    maker = ReportMaker(results=results, renderer=renderer, run_query=run_query)
    definition = read_definition(DEFINITION)
    report = await run_report(definition, maker)

    async def whole() -> None:
        await render_pdf(await run_report(definition, maker), renderer)

    figures["report_pdf_first_s"] = await timed_s(lambda: render_pdf(report, renderer))
    pdf = await render_pdf(report, renderer)
    figures["report_pdf_pages"] = len(re.findall(rb"/Type\s*/Page\b", pdf))
    figures["report_run_and_pdf_s"] = await median_s(whole)
    began = time.perf_counter()
    render_html(report)
    figures["report_html_s"] = time.perf_counter() - began
    await renderer.aclose()
    return figures


def main() -> dict[str, float]:
    with tempfile.TemporaryDirectory() as name:
        return asyncio.run(measured(Path(name)))


if __name__ == "__main__":
    print(json.dumps(main(), indent=2))
