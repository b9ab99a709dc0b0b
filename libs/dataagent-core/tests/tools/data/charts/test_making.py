"""Charts of results, whole: pictures, notes, masks, files, and the tool a model calls."""

import json
from pathlib import Path
from typing import Any

import pytest
from drawn_results import keep
from query_services import make_services

from dataagent_core.errors import NotFoundError, ValidationError
from dataagent_core.tools.data.agent_tools.chart_tool import chart_create
from dataagent_core.tools.data.charts import ChartIntent, Renderer, make_chart
from dataagent_core.tools.data.results import FolderResultStore
from dataagent_core.tools.effects import read_effect
from dataagent_core.tools.output.artifacts import ARTIFACTS_KEY

CITIES = {"city": ["Rome", "Oslo", "Bern"], "sales": [10, 30, 20]}
POINTS: dict[str, Any] = {
    "mark": "point",
    "encoding": {"x": {"field": "n"}, "y": {"field": "n"}},
}


@pytest.mark.requirement("F5-5")
async def test_a_chart_has_the_pictures_asked_for_and_its_data_in_the_spec(
    results: FolderResultStore, renderer: Renderer
):
    kept = await keep(results, CITIES)
    chart = await make_chart(
        results, kept.result_id, renderer=renderer, formats=("png", "svg", "pdf")
    )
    assert chart.pictures["png"].startswith(b"\x89PNG")
    assert chart.pictures["svg"].startswith(b"<svg")
    assert chart.pictures["pdf"].startswith(b"%PDF-")
    assert {row["city"] for row in chart.spec["data"]["values"]} == set(CITIES["city"])


async def test_a_given_spec_is_drawn_from_the_result_in_our_font(
    results: FolderResultStore, renderer: Renderer
):
    kept = await keep(results, CITIES)
    spec = {
        "mark": "bar",
        "encoding": {"x": {"field": "city"}, "y": {"field": "sales"}},
        "config": {"font": "Comic Sans MS", "bar": {"color": "#ff0000"}},
    }
    chart = await make_chart(results, kept.result_id, renderer=renderer, spec=spec)
    svg = chart.pictures["svg"].decode()
    assert "Oslo" in svg
    assert "#ff0000" in svg
    assert "Comic" not in svg


async def test_a_long_result_is_sampled_and_says_so(results: FolderResultStore, renderer: Renderer):
    kept = await keep(results, {"n": list(range(30_000))})
    chart = await make_chart(results, kept.result_id, renderer=renderer, spec=POINTS)
    assert len(chart.spec["data"]["values"]) == 5_000
    assert "5,000 of 30,000 rows" in chart.notes[0]


async def test_a_spec_that_adds_up_is_refused_where_it_would_not_see_every_row(
    results: FolderResultStore, renderer: Renderer
):
    kept = await keep(results, {"n": list(range(30_000))})
    spec = {"mark": "bar", "encoding": {"y": {"aggregate": "sum", "field": "n"}}}
    with pytest.raises(ValidationError, match="Aggregate in the query"):
        await make_chart(results, kept.result_id, renderer=renderer, spec=spec)


async def test_a_cut_result_is_named_as_such(results: FolderResultStore, renderer: Renderer):
    kept = await keep(results, CITIES, truncated=True)
    chart = await make_chart(results, kept.result_id, renderer=renderer)
    assert "cut at 3 rows" in chart.notes[0]


async def test_a_mask_covers_names_before_they_are_drawn(
    results: FolderResultStore, renderer: Renderer
):
    kept = await keep(results, CITIES)

    def mask(name: str, value: Any) -> Any:
        return f"[city {len(value)}{value[-1]}]" if name == "city" else value

    chart = await make_chart(results, kept.result_id, renderer=renderer, mask=mask)
    drawn = json.dumps(chart.spec) + chart.pictures["svg"].decode()
    assert "Oslo" not in drawn
    assert "[city 4o]" in drawn


async def test_free_text_is_scrubbed_in_the_files_a_model_can_read(
    results: FolderResultStore, renderer: Renderer, tmp_path: Path
):
    folder = tmp_path / "workspace"
    folder.mkdir()
    kept = await keep(results, {"note": ["ask eve@example.com", "call 13812345678"], "n": [1, 2]})
    tool = chart_create.bind(make_services(folder, results=results, renderer=renderer))
    await tool.ainvoke({"result_id": kept.result_id, "formats": ["svg"]})
    written = "".join(file.read_text() for file in folder.rglob("*.*") if file.is_file())
    assert "ask [email" in written
    assert "eve@" not in written
    assert "1381234" not in written


async def test_a_masked_number_can_no_longer_be_measured(
    results: FolderResultStore, renderer: Renderer
):
    kept = await keep(results, CITIES)

    def mask(name: str, value: Any) -> Any:
        return "[salary]" if name == "sales" else value

    with pytest.raises(ValidationError, match="cannot be measured"):
        await make_chart(
            results, kept.result_id, renderer=renderer, intent=ChartIntent(y="sales"), mask=mask
        )


async def test_there_is_no_chart_of_a_result_that_is_not_there(
    results: FolderResultStore, renderer: Renderer
):
    with pytest.raises(NotFoundError):
        await make_chart(results, "r_000000000000", renderer=renderer)


async def test_the_tool_writes_pictures_and_spec_and_lists_them(
    results: FolderResultStore, renderer: Renderer, tmp_path: Path
):
    folder = tmp_path / "workspace"
    folder.mkdir()
    kept = await keep(results, {"城市": ["北京", "上海"], "销售额": [1, 2]})
    tool = chart_create.bind(make_services(folder, results=results, renderer=renderer))
    call = {
        "type": "tool_call",
        "id": "1",
        "name": "chart_create",
        "args": {"result_id": kept.result_id, "formats": ["png", "svg"]},
    }
    message = await tool.ainvoke(call)
    made = message.artifact[ARTIFACTS_KEY]
    stem = f"/charts/各城市的销售额-{kept.result_id[-6:]}"
    assert [file["path"] for file in made] == [f"{stem}.png", f"{stem}.svg", f"{stem}.vl.json"]
    assert [file["media_type"] for file in made] == [
        "image/png",
        "image/svg+xml",
        "application/json",
    ]
    assert json.loads((folder / f"{stem[1:]}.vl.json").read_bytes())["mark"]["type"] == "bar"
    assert "上海" in message.artifact["plot"]
    assert stem in message.content
    assert read_effect(tool) == "idempotent"
