"""What a request asks for is drawn as a person would draw it, or the notes say why not."""

import calendar
import datetime as dt
import re
import statistics
from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from drawn_results import keep

from dataagent_core.errors import ValidationError
from dataagent_core.tools.data.charts import Renderer
from dataagent_core.tools.data.charts.chart_data.chart_frame import read_frame
from dataagent_core.tools.data.charts.chart_maker import build_chart
from dataagent_core.tools.data.charts.chart_model import ChartIntent
from dataagent_core.tools.data.charts.kinds.built_chart import BuiltChart
from dataagent_core.tools.data.results import FolderResultStore

MONTHS = [dt.date(2025, month, 1) for month in range(1, 13)]
MONTH_ENDS = [dt.date(2025, m, calendar.monthrange(2025, m)[1]) for m in range(1, 13)]
CITIES = {"city": ["Rome", "Oslo", "Bern"], "sales": [10, 30, 20]}
COSTS = {"month": MONTHS, "revenue": range(100, 112), "cost": range(80, 92)}


async def drawn(
    results: FolderResultStore, columns: Mapping[str, Sequence[Any]], wish: ChartIntent | str = ""
) -> BuiltChart:
    kept = await keep(results, columns)
    return build_chart(await read_frame(results, kept.result_id), None, wish)


def mark(chart: BuiltChart) -> str:
    first = chart.spec if "mark" in chart.spec else chart.spec["layer"][0]
    return first["mark"]["type"]


async def test_every_day_of_a_month_has_its_bar_in_order(results: FolderResultStore):
    days = {"day": list(range(31, 0, -1)), "sales": range(31)}
    chart = await drawn(results, days, "bar of sales by day")
    assert chart.spec["encoding"]["x"]["sort"] == list(range(1, 32))
    assert len(chart.rows) == 31


async def test_more_steps_than_can_be_drawn_are_cut_without_an_error(results: FolderResultStore):
    columns = {"step of the week": list(range(900)), "sales": [1] * 900}
    chart = await drawn(results, columns, ChartIntent(kind="bar", x="step of the week", y="sales"))
    assert len(chart.rows) == 20
    assert "880 are left out (together 880)" in chart.notes[0]


@pytest.mark.parametrize(
    "words",
    ["revenue and cost over time", "revenue vs cost by month", "revenue和cost的趋势", ""],
)
async def test_two_numbers_over_time_are_two_lines(results: FolderResultStore, words: str):
    chart = await drawn(results, COSTS, words)
    assert mark(chart) == "line"
    assert chart.spec["encoding"]["x"]["field"] == "month"
    assert chart.spec["encoding"]["color"]["scale"]["domain"] == ["revenue", "cost"]
    assert sum(r["value"] for r in chart.rows if r["measure"] == "cost") == sum(range(80, 92))
    assert chart.title == "Revenue and cost by month"


async def test_numbers_of_different_size_have_panels_of_their_own(results: FolderResultStore):
    columns = {"month": MONTHS, "revenue": range(1_000_000, 1_000_012), "margin": [0.2] * 12}
    chart = await drawn(results, columns, "revenue and margin over time")
    assert chart.spec["encoding"]["row"]["field"] == "measure"
    assert chart.spec["resolve"] == {"scale": {"y": "independent"}}


async def test_two_numbers_against_each_other_stay_points(results: FolderResultStore):
    chart = await drawn(results, {"price": [1.5, 2.5], "sold": [3.0, 4.0]}, "sold vs price")
    assert (mark(chart), chart.spec["encoding"]["x"]["field"]) == ("point", "price")


@pytest.mark.parametrize("words", ["box plot of price by city", "各city的price箱线图"])
async def test_a_box_plot_shows_the_quartiles_of_every_row(results: FolderResultStore, words: str):
    prices = [(n * 37) % 101 for n in range(20_000)]
    columns = {"city": ["Rome", "Oslo"] * 10_000, "price": prices}
    chart = await drawn(results, columns, words)
    quartiles = statistics.quantiles(prices[::2], n=4, method="inclusive")
    [rome] = [row for row in chart.rows if row["city"] == "Rome"]
    assert [rome["price q1"], rome["price median"], rome["price q3"]] == quartiles
    assert [layer["mark"]["type"] for layer in chart.spec["layer"]] == [
        "rule",
        "bar",
        "tick",
        "point",
    ]


async def test_a_value_beyond_the_whiskers_is_a_point_of_its_own(results: FolderResultStore):
    chart = await drawn(results, {"price": [1, 2, 3, 4, 5, 99]}, "box plot of price")
    assert [row["price"] for row in chart.rows if "price" in row] == [99]
    assert chart.rows[0]["price high"] == 5


@pytest.mark.parametrize(
    ("words", "title"),
    [
        ('bar of sales by city, titled "Where We Sell"', "Where We Sell"),
        ("bar of sales by city with the title 'Pie in the sky'", "Pie in the sky"),
        ("sales by city. Title: North and South", "North and South"),
        ("各city的sales柱状图,标题为“销售概览”", "销售概览"),
        ("柱状图,标题:销售概览", "销售概览"),
    ],
)
async def test_the_title_of_a_request_is_the_title_of_the_chart(
    results: FolderResultStore, words: str, title: str
):
    chart = await drawn(results, CITIES, words)
    assert (chart.title, mark(chart), chart.notes) == (title, "bar", [])


@pytest.mark.parametrize("words", ["sales by city as percent", "各city的sales占比柱状图"])
async def test_percent_draws_shares_of_the_whole(results: FolderResultStore, words: str):
    chart = await drawn(results, CITIES, words)
    [measure] = [name for name in chart.rows[0] if name != "city"]
    assert {row["city"]: row[measure] for row in chart.rows}["Oslo"] == 0.5
    assert chart.spec["encoding"]["y"]["axis"]["format"] == ".0%"


async def test_percent_of_split_bars_is_a_share_of_each_bar(results: FolderResultStore):
    columns = {"month": MONTHS * 2, "kind": ["a"] * 12 + ["b"] * 12, "n": [1] * 12 + [3] * 12}
    chart = await drawn(results, columns, "bar of n by month split by kind in %")
    assert {row["share of n"] for row in chart.rows} == {0.25, 0.75}


async def test_shares_of_what_is_no_part_of_a_whole_are_not_drawn(results: FolderResultStore):
    mean = await drawn(results, CITIES, "average sales by city in percent")
    assert "a mean is no part of a whole" in mean.notes[0]
    loss = await drawn(results, {"city": ["a", "b"], "n": [-1, 2]}, "n by city in percent")
    assert "negative values" in loss.notes[0]


@pytest.mark.parametrize("months", [MONTHS[:3], MONTH_ENDS[:3], MONTH_ENDS])
async def test_months_have_one_tick_each(results: FolderResultStore, months: list[dt.date]):
    chart = await drawn(results, {"month": months, "sales": range(len(months))})
    axis = chart.spec["encoding"]["x"]["axis"]
    assert [(tick["month"], tick["date"]) for tick in axis["values"]] == [
        (month.month, month.day) for month in months
    ]
    assert axis["format"] == "%Y-%m"


async def test_forty_names_have_a_bar_each(results: FolderResultStore):
    columns = {"city": [f"c{n}" for n in range(40)], "sales": range(100, 140)}
    chart = await drawn(results, columns)
    assert len(chart.rows) == 40
    assert chart.notes == []


async def test_a_rest_that_would_dwarf_the_bars_is_said_and_not_drawn(results: FolderResultStore):
    columns = {"city": [f"c{n}" for n in range(100)], "sales": range(100, 200)}
    chart = await drawn(results, columns)
    assert len(chart.rows) == 20
    rest = sum(range(100, 180))
    assert f"80 are left out (together {rest:,})" in chart.notes[0]
    assert f"{rest:,}" in str(chart.subtitle)


async def test_a_value_named_other_is_not_mixed_with_the_rest(results: FolderResultStore):
    names = ["Other", *(f"c{n}" for n in range(60))]
    chart = await drawn(results, {"city": names, "sales": [1000, *([1] * 60)]})
    sales = {row["city"]: row["sales"] for row in chart.rows}
    assert sales["Other"] == 1000
    assert sum(sales.values()) == 1060


async def test_the_number_of_bars_asked_for_is_drawn(results: FolderResultStore):
    columns = {"city": [f"c{n}" for n in range(30)], "sales": range(30)}
    for words in ("top 5 cities by sales", "sales前5名的city"):
        chart = await drawn(results, columns, words)
        assert sorted(row["sales"] for row in chart.rows) == [25, 26, 27, 28, 29]
        assert "25 are left out" in chart.notes[0]


async def test_a_pie_shows_values_and_shares(results: FolderResultStore):
    chart = await drawn(results, CITIES, "pie of sales by city")
    legend = chart.spec["encoding"]["color"]["legend"]["labelExpr"]
    assert "Oslo  30 (50.0%)" in legend
    assert {row["share"] for row in chart.rows} == {"16.7%", "50.0%", "33.3%"}


async def test_a_pie_over_time_has_few_slices_with_readable_names(results: FolderResultStore):
    days = [dt.date(2025, 1, 1) + dt.timedelta(days=n) for n in range(90)]
    chart = await drawn(results, {"date": days, "sales": [1] * 90}, "pie of sales by date")
    assert len(chart.rows) == 8
    assert {len(row["date"]) for row in chart.rows} == {len("2025-01-01"), len("Other")}


@pytest.mark.parametrize(
    ("columns", "words", "said"),
    [
        ({"n": [1.5, 2.5, 4]}, "pie of unicorns", "'unicorns'"),
        ({"n": [1.5, 2.5, 4]}, "pie of unicorns", "not as a pie"),
        (CITIES, "pie of unicorns", "'unicorns'"),
        (CITIES, "sales by city for Berlin in 2024", "'berlin', '2024'"),
        (CITIES, "独角兽的饼图", "独角兽"),
        (CITIES, "radar chart of sales by city", "radar chart cannot be drawn"),
        (CITIES, "line of sales by city", "not as a line chart: city has no order"),
        (CITIES, "heatmap of sales by city", "not as a heatmap"),
        (CITIES, "distribution of sales by city", "drawn as a box plot"),
    ],
)
async def test_what_cannot_be_drawn_as_asked_is_said(
    results: FolderResultStore, columns: dict[str, Any], words: str, said: str
):
    chart = await drawn(results, columns, words)
    assert any(said in note for note in chart.notes), chart.notes


@pytest.mark.parametrize(
    "words",
    [
        "please show me a bar chart of the sales for each city",
        "compare sales across cities",
        "请画一张各city的sales柱状图",
        "sales by city, highest first",
    ],
)
async def test_a_request_that_is_understood_has_no_notes(results: FolderResultStore, words: str):
    chart = await drawn(results, CITIES, words)
    assert (mark(chart), chart.notes) == ("bar", [])


async def test_means_stand_beside_each_other_and_not_on_top(results: FolderResultStore):
    columns = {"city": ["a", "a", "b"], "kind": ["x", "y", "x"], "price": [1.5, 2, 3]}
    chart = await drawn(results, columns, "average price by city split by kind")
    assert chart.spec["encoding"]["xOffset"]["field"] == "kind"
    assert chart.spec["encoding"]["y"]["stack"] is None


async def test_rates_are_not_added_up(results: FolderResultStore):
    columns = {"city": ["a", "a"], "win_rate": [0.2, 0.4]}
    chart = await drawn(results, columns)
    assert chart.rows[0]["mean of win_rate"] == pytest.approx(0.3)


async def test_rows_without_a_name_are_drawn_as_empty(results: FolderResultStore):
    chart = await drawn(results, {"city": ["a", None], "sales": [1, 2]})
    assert {row["city"]: row["sales"] for row in chart.rows} == {"a": 1, "(empty)": 2}


async def test_rows_without_a_time_are_counted(results: FolderResultStore):
    chart = await drawn(results, {"month": [*MONTHS, None], "sales": [1] * 13})
    assert chart.notes == ["left out: 1 row without month"]


async def test_one_row_of_totals_is_a_bar_each(results: FolderResultStore):
    chart = await drawn(results, {"revenue": [5], "cost": [3]})
    assert (mark(chart), chart.title) == ("bar", "revenue, cost")
    assert {row["measure"]: row["value"] for row in chart.rows} == {"revenue": 5, "cost": 3}


async def test_a_pie_of_zeros_is_refused(results: FolderResultStore):
    with pytest.raises(ValidationError, match="zeros only"):
        await drawn(results, {"city": ["a", "b"], "n": [0, 0]}, "pie of n by city")


@pytest.mark.parametrize(
    ("columns", "wish"),
    [
        ({"city": ["Rome", "Oslo", "Bern"], "returns": [1, 2, 1]}, "bar of returns by city"),
        ({"city": ["Rome", "Oslo", "Bern"], "returns": [0, 1, 1]}, "bar of returns by city"),
        ({"month": MONTHS, "incidents": [0, 1, 2] * 4}, "line of incidents"),
        ({"x": [1, 2, 3, 4, 5] * 4, "y": [1, 2, 1, 2, 1] * 4}, "scatter of y against x"),
    ],
)
async def test_an_axis_of_whole_numbers_has_no_halves(
    results: FolderResultStore, renderer: Renderer, columns: dict[str, Any], wish: str
):
    chart = await drawn(results, columns, wish)
    rows = {"data": {"values": [dict(row) for row in chart.rows]}}
    svg = (await renderer.draw({**rows, **chart.spec}, ("svg",)))["svg"].decode()
    assert re.findall(r">(\d+\.\d+)<", svg) == []
