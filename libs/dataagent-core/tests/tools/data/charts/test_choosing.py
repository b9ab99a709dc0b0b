"""Which chart is drawn when only the columns, or a few words, say what to show."""

import datetime as dt
from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from drawn_results import keep

from dataagent_core.errors import ValidationError
from dataagent_core.tools.data.charts.chart_data.chart_frame import read_frame
from dataagent_core.tools.data.charts.chart_maker import build_chart
from dataagent_core.tools.data.charts.chart_model import ChartIntent
from dataagent_core.tools.data.charts.kinds.built_chart import BuiltChart
from dataagent_core.tools.data.charts.request.intent_parser import parse_intent
from dataagent_core.tools.data.results import FolderResultStore

Columns = Mapping[str, Sequence[Any]]
SALES = [n % 15 for n in range(180)]
MONTHS = [dt.date(2025, month, 1) for month in range(1, 13)]


async def built(
    results: FolderResultStore, columns: Columns, wish: ChartIntent | str = ""
) -> BuiltChart:
    kept = await keep(results, columns)
    frame = await read_frame(results, kept.result_id)
    return build_chart(frame, None, wish)


def mark(chart: BuiltChart) -> str:
    first = chart.spec if "mark" in chart.spec else chart.spec["layer"][0]
    return first["mark"]["type"]


def field(chart: BuiltChart, channel: str) -> str | None:
    return chart.spec["encoding"].get(channel, {}).get("field")


async def test_a_time_and_a_number_make_a_line(results: FolderResultStore):
    chart = await built(results, {"month": MONTHS, "revenue": range(12)})
    assert (mark(chart), field(chart, "x"), field(chart, "y")) == ("line", "month", "revenue")
    assert chart.spec["encoding"]["x"]["type"] == "temporal"
    assert chart.title == "Revenue by month"
    assert chart.notes == []


async def test_a_category_and_a_number_make_bars_with_the_greatest_first(
    results: FolderResultStore,
):
    chart = await built(results, {"city": ["a", "b", "c"], "sales": [1, 3, 2]})
    assert (mark(chart), field(chart, "x")) == ("bar", "city")
    assert chart.spec["encoding"]["x"]["sort"] == ["b", "c", "a"]


async def test_bars_lie_down_when_their_names_are_long(results: FolderResultStore):
    names = ["a product with a long name", "another product with one"]
    chart = await built(results, {"product": names, "sales": [1, 2]})
    assert (field(chart, "y"), field(chart, "x")) == ("product", "sales")


async def test_chinese_names_count_double_when_bars_are_laid_out(results: FolderResultStore):
    short = await built(results, {"城市": ["北京", "上海"], "销售额": [1, 2]})
    long = await built(results, {"城市": ["内蒙古自治区", "上海"], "销售额": [1, 2]})
    assert (field(short, "x"), field(long, "y")) == ("城市", "城市")
    assert short.title == "各城市的销售额"


async def test_two_numbers_make_points(results: FolderResultStore):
    chart = await built(results, {"price": [1.5, 2.5], "sold": [3.0, 4.0]})
    assert (mark(chart), field(chart, "x"), field(chart, "y")) == ("point", "price", "sold")


async def test_one_number_makes_a_histogram_of_every_row(results: FolderResultStore):
    chart = await built(results, {"amount": [n / 10 for n in range(20_000)]})
    assert mark(chart) == "bar"
    assert sum(row["rows"] for row in chart.rows) == 20_000
    assert len(chart.rows) < 60


async def test_a_time_a_category_and_a_number_make_a_line_each(results: FolderResultStore):
    columns = {"month": MONTHS * 2, "region": ["n"] * 12 + ["s"] * 12, "sales": range(24)}
    chart = await built(results, columns)
    assert (mark(chart), field(chart, "color")) == ("line", "region")


async def test_many_lines_are_limited_and_a_small_rest_is_gathered(results: FolderResultStore):
    regions = [f"r{n:02}" for n in range(15)]
    sales = [1 if region < "r07" else 100 for _ in MONTHS for region in regions]
    columns = {
        "month": [month for month in MONTHS for _ in regions],
        "region": regions * 12,
        "sales": sales,
    }
    chart = await built(results, columns)
    shown = {row["region"] for row in chart.rows}
    assert len(shown) == 9
    assert "Other" in shown
    assert sum(row["sales"] for row in chart.rows) == sum(sales)
    assert "15 values of region" in chart.notes[0]


async def test_what_cannot_be_added_up_is_left_out_and_said_so(results: FolderResultStore):
    names = [f"n{n}" for n in range(60)]
    chart = await built(results, {"name": names, "age": range(60)}, "average age by name")
    assert len(chart.rows) == 20
    assert "40 are left out" in chart.notes[0]


async def test_rows_that_share_a_place_are_added_up_over_the_whole_result(
    results: FolderResultStore,
):
    columns = {"city": ["a", "b"] * 15_000, "sales": [1, 2] * 15_000}
    chart = await built(results, columns)
    assert [row["sum of sales"] for row in chart.rows] == [15_000, 30_000]
    assert "put together (sum)" in chart.notes[0]


async def test_times_too_many_to_draw_are_drawn_by_a_coarser_grain(results: FolderResultStore):
    at = [
        dt.datetime(2025, 1, 1, tzinfo=dt.UTC) + dt.timedelta(minutes=10 * n) for n in range(5_000)
    ]
    chart = await built(results, {"at": at, "load": [1.0] * 5_000})
    assert len(chart.rows) <= 750
    assert any("at is shown by day" in note or "by hour" in note for note in chart.notes)
    assert sum(row["sum of load"] for row in chart.rows) == 5_000


async def test_a_year_is_a_time_and_an_identifier_is_nothing_to_measure(results: FolderResultStore):
    chart = await built(results, {"order_id": [1, 2], "year": [2024, 2025], "sales": [5, 6]})
    assert (mark(chart), field(chart, "x"), field(chart, "y")) == ("line", "year", "sales")
    assert chart.rows[0]["year"] == "2024-01-01T00:00:00"


async def test_months_and_weekdays_keep_their_own_order(results: FolderResultStore):
    chart = await built(results, {"weekday": ["Wed", "Mon", "Sun"], "orders": [9, 1, 5]})
    assert chart.spec["encoding"]["x"]["sort"] == ["Mon", "Wed", "Sun"]


async def test_a_share_is_shown_as_bars_and_as_a_pie_only_when_asked(results: FolderResultStore):
    columns = {"channel": ["web", "shop"], "share": [0.7, 0.3]}
    assert mark(await built(results, columns)) == "bar"
    pie = await built(results, columns, "pie of share by channel")
    assert (mark(pie), field(pie, "theta"), field(pie, "color")) == ("arc", "share", "channel")


async def test_a_pie_of_negative_values_is_refused(results: FolderResultStore):
    with pytest.raises(ValidationError, match="bar chart"):
        await built(results, {"kind": ["a", "b"], "profit": [-1, 2]}, ChartIntent(kind="pie"))


async def test_percentages_and_large_numbers_are_written_short(results: FolderResultStore):
    share = await built(results, {"city": ["a", "b"], "win_rate": [0.2, 0.9]})
    assert share.spec["encoding"]["y"]["axis"]["format"] == ".0%"
    large = await built(results, {"城市": ["北京", "上海"], "销售额": [120_000_000, 5_000]})
    assert "亿" in large.spec["encoding"]["y"]["axis"]["labelExpr"]


async def test_names_with_dots_and_brackets_are_fields_and_not_paths(results: FolderResultStore):
    chart = await built(results, {"a.b": ["x", "y"], "sum(price[usd])": [1, 2]})
    assert field(chart, "x") == r"a\.b"
    assert field(chart, "y") == r"sum(price\[usd\])"


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (
            "line of revenue by month",
            ChartIntent(kind="line", x="month", y="revenue", grain="month"),
        ),
        ("average price by region", ChartIntent(x="region", y="price", aggregate="mean")),
        ("scatter of price against revenue", ChartIntent(kind="point", x="revenue", y="price")),
        ("按月的revenue折线图", ChartIntent(kind="line", y="revenue", grain="month")),
        ("histogram of price", ChartIntent(kind="histogram", y="price")),
        ("how many rows per region", ChartIntent(x="region", aggregate="count")),
        (
            "revenue by month, split by region",
            ChartIntent(x="month", y="revenue", color="region", grain="month"),
        ),
        ("show me", ChartIntent()),
    ],
)
async def test_an_intent_is_read_from_plain_words(
    results: FolderResultStore, words: str, expected: ChartIntent
):
    columns = {"month": MONTHS, "region": ["n"] * 12, "revenue": range(12), "price": [1.5] * 12}
    kept = await keep(results, columns)
    assert parse_intent(words, await read_frame(results, kept.result_id)) == expected


async def test_an_unknown_column_is_answered_with_the_one_that_was_meant(
    results: FolderResultStore,
):
    with pytest.raises(ValidationError, match="Did you mean 'revenue'"):
        await built(results, {"month": MONTHS, "revenue": range(12)}, ChartIntent(y="revenu"))


async def test_a_single_figure_is_not_drawn(results: FolderResultStore):
    with pytest.raises(ValidationError, match="better said than drawn"):
        await built(results, {"total": [5.5]})


async def test_a_result_without_rows_is_not_drawn(results: FolderResultStore):
    with pytest.raises(ValidationError, match="no rows"):
        await built(results, {"total": []})
