"""Reports run from their definition: filled, written in three forms, and run again."""

import base64
import datetime as dt
import io
import json
import re
from pathlib import Path
from typing import Any

import pytest
from drawn_results import keep
from fontTools.ttLib import TTFont
from markdown_it import MarkdownIt
from query_services import make_services

from dataagent_core.errors import ValidationError
from dataagent_core.tools.data.agent_tools.report_tool import report_create
from dataagent_core.tools.data.charts import Renderer
from dataagent_core.tools.data.charts.chart_model import MaskCell
from dataagent_core.tools.data.privacy import cell_masks
from dataagent_core.tools.data.reports import (
    ReportMaker,
    read_definition,
    run_report,
)
from dataagent_core.tools.data.reports.formats.html_report import render_html
from dataagent_core.tools.data.reports.formats.markdown_report import render_markdown
from dataagent_core.tools.data.reports.report_files import render_report_files
from dataagent_core.tools.data.results import FolderResultStore, StoredResult
from dataagent_core.tools.output.artifacts import ARTIFACTS_KEY

NASTY = '<script>alert(1)</script> #set page(fill: red) $x$ @a *b* "q" \\end | `t`'
DOCUMENT = """
title: Sales of 2025
queries:
  monthly: {source: shop, sql: "SELECT month, sales FROM orders WHERE n > {{least}}"}
parameters:
  least: {type: number, default: 0}
blocks:
  - {type: heading, text: Overview}
  - {type: text, markdown: "A **bold** word, at least {{least}}."}
  - {type: figure, query: monthly, label: Total, column: sales, aggregate: sum}
  - {type: figure, query: monthly, label: First, column: sales}
  - {type: chart, query: monthly, title: By month}
  - {type: table, query: monthly, rows_max: 5}
"""


@pytest.fixture
def asked() -> list[tuple[str, str]]:
    return []


@pytest.fixture
def maker(
    results: FolderResultStore, renderer: Renderer, asked: list[tuple[str, str]]
) -> ReportMaker:
    async def run_query(source: str, sql: str, rows_max: int) -> StoredResult:
        asked.append((source, sql))
        months = [dt.date(2025, month, 1) for month in range(1, 13)]
        sales = [1000.5 * len(asked) + n for n in range(12)]
        return await keep(results, {"month": months, "sales": sales}, sql=sql)

    return ReportMaker(results=results, renderer=renderer, run_query=run_query)


def pages(pdf: bytes) -> int:
    return len(re.findall(rb"/Type\s*/Page\b", pdf))


@pytest.mark.requirement("F5-6")
async def test_a_report_is_run_with_its_parameters_and_run_again_with_fresh_data(
    maker: ReportMaker, asked: list[tuple[str, str]]
):
    definition = read_definition(DOCUMENT)
    first = await run_report(definition, maker, parameters={"least": 7})
    again = await run_report(first.definition, maker)
    assert [sql for _, sql in asked] == [
        "SELECT month, sales FROM orders WHERE n > 7",
        "SELECT month, sales FROM orders WHERE n > 0",
    ]
    assert "12,072" in render_markdown(first, "files")
    assert "24,078" in render_markdown(again, "files")


async def test_the_html_is_one_file_that_fetches_and_runs_nothing(maker: ReportMaker):
    page = render_html(await run_report(read_definition(DOCUMENT), maker))
    assert "default-src 'none'" in page
    assert "<svg" in page
    assert "<script" not in page
    assert not re.search(r"(src|href)\s*=", page.replace('rel="', ""))
    assert "SELECT month, sales FROM orders WHERE n &gt; 0" in page


async def test_a_pdf_holds_the_chinese_font_and_its_pages(
    results: FolderResultStore, renderer: Renderer
):
    async def run_query(source: str, sql: str, rows_max: int) -> StoredResult:
        names = {"客户": [f"客户{n}" for n in range(600)], "金额": list(range(600))}
        return await keep(results, names, sql=sql, truncated=True)

    definition = read_definition(
        """
        title: 二〇二五年销售报告
        template: briefing-zh
        queries: {q: {source: 商店, sql: SELECT 1}}
        blocks: [{type: table, query: q, rows_max: 600}]
        """
    )
    maker = ReportMaker(results=results, renderer=renderer, run_query=run_query)
    report = await run_report(definition, maker)
    files = await render_report_files(report, renderer, ["pdf"])
    pdf = files["/reports/二〇二五年销售报告.pdf"]
    assert b"NotoSansSC" in pdf
    assert pages(pdf) >= 10
    assert report.words.contents == "目录"


async def test_a_chinese_page_brings_its_characters_along(
    results: FolderResultStore, renderer: Renderer
):
    async def run_query(source: str, sql: str, rows_max: int) -> StoredResult:
        return await keep(results, {"城市": ["北京", "上海"], "销售额": [1, 2]}, sql=sql)

    definition = read_definition(
        """
        title: 报告
        queries: {q: {source: shop, sql: SELECT 1}}
        blocks: [{type: chart, query: q}]
        """
    )
    maker = ReportMaker(results=results, renderer=renderer, run_query=run_query)
    files = await render_report_files(await run_report(definition, maker), renderer, ["html"])
    page = files["/reports/报告.html"].decode()
    found = re.search(r"data:font/woff;base64,([\w+/=]+)", page)
    assert found is not None
    font = TTFont(io.BytesIO(base64.b64decode(found[1])))
    assert set(map(ord, "报告城市北京上海销售额")) <= set(font.getBestCmap() or ())
    assert len(found[1]) < 200_000


async def test_text_from_anywhere_stays_text_in_every_form(
    results: FolderResultStore, renderer: Renderer
):
    async def run_query(source: str, sql: str, rows_max: int) -> StoredResult:
        return await keep(results, {NASTY: [NASTY, "b"], "n": [1, 2]}, sql=f"SELECT '{NASTY}'")

    document = {
        "title": NASTY,
        "author": NASTY,
        "queries": {"q": {"source": "shop", "sql": "SELECT 1"}},
        "blocks": [
            {"type": "heading", "text": NASTY},
            {"type": "text", "markdown": f"{NASTY}\n\n<img src=x onerror=alert(1)>"},
            {"type": "text", "markdown": "[a](javascript:alert(1)) ![b](http://x/y.png)"},
            {"type": "table", "query": "q", "title": NASTY},
            {"type": "chart", "query": "q", "title": NASTY},
            {"type": "figure", "query": "q", "label": NASTY, "column": NASTY},
            {"type": "sql", "query": "q"},
        ],
    }
    maker = ReportMaker(results=results, renderer=renderer, run_query=run_query)
    report = await run_report(read_definition(json.dumps(document)), maker)
    files = await render_report_files(report, renderer, ["pdf", "html", "md"])
    by_kind = {path.rpartition(".")[2]: data for path, data in files.items()}
    html, markdown = by_kind["html"].decode(), by_kind["md"].decode()
    assert "<script" not in html
    assert "<img" not in html
    assert "href" not in html
    # As a reader shows it that would let HTML through.
    shown = MarkdownIt("commonmark", {"html": True}).render(markdown)
    assert not re.search(r"<script|<img src=x|javascript:alert\(1\)\"", shown)
    assert by_kind["pdf"].startswith(b"%PDF-")


async def test_a_cut_result_is_named_wherever_it_is_shown(
    results: FolderResultStore, renderer: Renderer
):
    async def run_query(source: str, sql: str, rows_max: int) -> StoredResult:
        return await keep(results, {"a": ["x", "y"], "n": [1, 2]}, sql=sql, truncated=True)

    definition = read_definition(
        """
        title: T
        queries: {q: {source: shop, sql: SELECT 1}}
        blocks:
          - {type: table, query: q, rows_max: 1}
          - {type: figure, query: q, label: Sum, column: n, aggregate: sum}
        """
    )
    maker = ReportMaker(results=results, renderer=renderer, run_query=run_query)
    text = render_markdown(await run_report(definition, maker), "files")
    assert text.count("cut at 2 rows") == 3
    assert "Rows 1 to 1 of 2" in text


async def test_a_chart_of_a_chinese_report_is_explained_in_chinese(maker: ReportMaker):
    document = """
title: 2025 年
language: zh
queries: {q: {source: shop, sql: "SELECT 1"}}
blocks: [{type: chart, query: q, intent: "radar of sales by month", title: 各月}]
"""
    report = await run_report(read_definition(document), maker)
    assert "注: 这里不能画雷达图,因此是另一种图." in render_markdown(report, "charts")


async def test_a_mask_covers_tables_and_figures(results: FolderResultStore, renderer: Renderer):
    async def run_query(source: str, sql: str, rows_max: int) -> StoredResult:
        return await keep(results, {"mail": ["a@example.com"], "n": [5]}, sql=sql)

    def mask(name: str, value: Any) -> Any:
        return "[email]" if name == "mail" else value

    def mask_for(kept: StoredResult) -> MaskCell:
        return mask

    definition = read_definition(
        """
        title: T
        queries: {q: {source: shop, sql: SELECT 1}}
        blocks:
          - {type: table, query: q}
          - {type: figure, query: q, label: Mail, column: mail}
          - {type: figure, query: q, label: N, column: n}
        """
    )
    maker = ReportMaker(results=results, renderer=renderer, run_query=run_query, mask_for=mask_for)
    page = render_html(await run_report(definition, maker))
    assert "a@example.com" not in page
    assert page.count("[email]") == 2


async def test_free_text_is_scrubbed_in_a_report_a_model_can_read(
    results: FolderResultStore, renderer: Renderer
):
    async def run_query(source: str, sql: str, rows_max: int) -> StoredResult:
        return await keep(results, {"note": ["ask eve@example.com"], "n": [5]}, sql=sql)

    definition = read_definition(
        """
        title: T
        queries: {q: {source: shop, sql: SELECT 1}}
        blocks:
          - {type: table, query: q}
          - {type: figure, query: q, label: Note, column: note}
          - {type: figure, query: q, label: N, column: n}
        """
    )
    maker = ReportMaker(
        results=results, renderer=renderer, run_query=run_query, mask_for=cell_masks.make_cell_mask
    )
    page = render_html(await run_report(definition, maker))
    assert "eve@" not in page
    assert page.count("ask [email") == 2


async def test_a_metric_needs_a_semantic_layer(maker: ReportMaker):
    definition = read_definition(
        "title: T\nqueries: {m: {metric: {metric: margin}}}\nblocks: [{type: table, query: m}]"
    )
    with pytest.raises(ValidationError, match="semantic layer"):
        await run_report(definition, maker)


async def test_a_figure_outside_the_result_is_refused(maker: ReportMaker):
    definition = read_definition(DOCUMENT.replace("label: First,", "label: First, row: 99,"))
    with pytest.raises(ValidationError, match="Rows count from 0"):
        await run_report(definition, maker)


async def test_the_tool_writes_a_report_of_results_that_can_be_run_again(
    results: FolderResultStore, renderer: Renderer, tmp_path: Path
):
    folder = tmp_path / "workspace"
    folder.mkdir()
    kept = await keep(results, {"city": ["Oslo", "Bern"], "sales": [1, 2]}, sql="SELECT city")
    # There is no source: what is written comes from the results.
    tool = report_create.bind(make_services(folder, results=results, renderer=renderer))
    blocks = [
        {"type": "text", "markdown": "Hello."},
        {"type": "table", "query": kept.result_id},
        {"type": "chart", "query": kept.result_id, "intent": "bar of sales by city"},
    ]
    arguments = {"title": "Cities", "blocks": blocks, "formats": ["pdf", "html", "md"]}
    call = {"type": "tool_call", "id": "1", "name": "report_create", "args": arguments}
    message = await tool.ainvoke(call)
    paths = [file["path"] for file in message.artifact[ARTIFACTS_KEY]]
    assert paths == [
        "/reports/cities.pdf",
        "/reports/cities.html",
        "/reports/cities.md",
        "/reports/cities-files/chart-1.png",
        "/reports/cities.yml",
    ]
    definition = read_definition((folder / "reports/cities.yml").read_text())
    assert [q.sql for q in definition.queries.values()] == ["SELECT city"]


async def test_the_tool_refuses_a_block_it_does_not_know(tmp_path: Path):
    tool = report_create.bind(make_services(tmp_path))
    with pytest.raises(ValidationError, match="cannot be used"):
        await tool.ainvoke({"title": "T", "blocks": [{"type": "html", "html": "<b>"}]})
