"""Results of every shape, drawn by every kind of request: columns x kinds x counts x words.

The judge adds the data up by itself. Nothing may fail but with a sentence; the kind is the one
asked for, or a note says why not; what is drawn, with what a note says is left out, is the total.
"""

import datetime as dt
import itertools
import math
import re
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from drawn_results import keep

from dataagent_core.errors import ValidationError
from dataagent_core.tools.data.charts import Renderer, make_chart
from dataagent_core.tools.data.charts.chart_data.chart_frame import ChartFrame, read_frame
from dataagent_core.tools.data.charts.chart_maker import build_chart
from dataagent_core.tools.data.charts.kinds.built_chart import BuiltChart
from dataagent_core.tools.data.results import FolderResultStore

Columns = dict[str, list[Any]]
Names = Mapping[str, str]

ENGLISH: Names = {"x": "place", "color": "channel", "y": "sales", "z": "cost"}
CHINESE: Names = {"x": "地点", "color": "渠道", "y": "销售额", "z": "成本"}
_START = dt.date(2025, 1, 1)


def _days(count: int, step_days: int = 1) -> list[dt.date]:
    return [_START + dt.timedelta(days=n * step_days) for n in range(count)]


# What lies along x, by name; a name of its own says what the column is where its values do not.
AXES: dict[str, tuple[str | None, list[Any]]] = {
    "nothing": (None, [None]),
    "months": ("month", [dt.date(2025, month, 1) for month in range(1, 13)]),
    "month ends": ("month", [day - dt.timedelta(days=1) for day in _days(400) if day.day == 1]),
    "written months": ("month", [f"2025-{month:02}" for month in range(1, 8)]),
    "weeks": ("week", _days(30, 7)),
    "days": ("date", _days(100)),
    "hours": ("at", [dt.datetime(2025, 1, 1) + dt.timedelta(hours=n) for n in range(760)]),  # noqa: DTZ001
    "years": ("year", [2019, 2020, 2021, None]),
    "days of a month": ("day", list(range(1, 32))),
    "weekdays": ("weekday", ["Wed", "Mon", "Sun", "Tue"]),
    "one name": ("x", ["Rome"]),
    "few names": ("x", ["Rome", "Oslo", None]),
    "40 names": ("x", [f"name {n}" for n in range(40)]),
    "120 names": ("x", ["Other", *(f"name {n}" for n in range(119))]),
    "identifiers": ("store_id", [1000 + n for n in range(30)]),
    "whole numbers": ("size", list(range(25))),
    "fractions": ("size", [n / 7 for n in range(25)]),
    "booleans": ("x", [True, False]),
}
COLOURS: dict[str, list[Any]] = {
    "none": [None],
    "two": ["web", "shop"],
    "fifteen": [f"c{n}" for n in range(14)] + [None],
}
NUMBERS: dict[str, Callable[[int], Any]] = {
    "whole": lambda n: (n * 7) % 11 + 1,
    "with gaps": lambda n: None if n % 3 == 1 else n + 0.25,
    "negative": lambda n: n - 5,
    "large": lambda n: 10**9 * (n % 5 + 1),
    "zero": lambda _: 0,
}
REQUESTS: dict[str, tuple[tuple[str, str | None], ...]] = {
    "en": (
        ("", None),
        ("line of {y} by {x}", "line"),
        ("area of {y} by {x}", "area"),
        ("bar of {y} by {x}", "bar"),
        ("pie of {y} by {x}", "arc"),
        ("donut", "arc"),
        ("pie of unicorns", "arc"),
        ("scatter of {y} against {z}", "point"),
        ("histogram of {y}", "histogram"),
        ("distribution of {y} by {x}", "histogram"),
        ("box plot of {y} by {x}", "box"),
        ("heatmap of {y} by {x} and {color}", "rect"),
        ("bar of {y} by {x} split by {color}", "bar"),
        ("side by side bars of {y} by {x} split by {color}", "bar"),
        ("{y} and {z} over time", None),
        ("bars of {y} and {z} by {x}", "bar"),
        ("{y} by {x} as percent", None),
        ("area of {y} by {x} split by {color} in percent", "area"),
        ("top 5 {x} by {y}", "bar"),
        ("average {y} by {x}, titled 'Our own'", None),
        ("how many rows per {x}", None),
        ("radar chart of {y} by {x}", None),
        ("monthly {y}", None),
    ),
    "zh": (
        ("{y}的折线图", "line"),
        ("各{x}的{y}柱状图", "bar"),
        ("各{x}{y}占比饼图", "arc"),
        ("独角兽饼图", "arc"),
        ("{y}和{z}的趋势", None),
        ("{y}与{z}的散点图", "point"),
        ("各{x}的{y}箱线图", "box"),
        ("{y}前5名的{x}", None),
        ("按{x}和{color}的{y}热力图", "rect"),
        ("各{x}的{y}百分比,标题为“自己的”", None),
        ("按{x}统计数量", None),
        ("{y}直方图", "histogram"),
    ),
}


def shape(axis: str, colour: str, number: str, names: Names) -> tuple[Columns, Names]:
    """Make the columns of one shape, with the names its requests use."""
    kind, values = AXES[axis]
    x = names["x"] if kind in {None, "x"} else str(kind)
    cells = list(itertools.product(values, COLOURS[colour]))
    columns: Columns = {}
    if kind is not None:
        columns[x] = [place for place, _ in cells]
    if colour != "none":
        columns[names["color"]] = [color for _, color in cells]
    columns[names["y"]] = [NUMBERS[number](n) for n in range(len(cells))]
    columns[names["z"]] = [n * 0.5 for n in range(len(cells))]
    return columns, {**names, "x": x}


def kind_of(chart: BuiltChart) -> str:
    spec = chart.spec
    if "layer" in spec:
        first = spec["layer"][0]["mark"]["type"]
        return "box" if first == "rule" else first
    is_histogram = "bin" in spec["encoding"].get("x", {})
    return "histogram" if is_histogram else spec["mark"]["type"]


def check_kind(chart: BuiltChart, wanted: str | None) -> None:
    if wanted is None or kind_of(chart) == wanted:
        return
    assert any(note.startswith("drawn as") for note in chart.notes), (kind_of(chart), chart.notes)


def check_totals(chart: BuiltChart, columns: Columns, frame: ChartFrame, names: Names) -> None:
    if kind_of(chart) not in {"bar", "line", "area", "arc", "rect"}:
        return
    measured = [
        key for row in chart.rows[:1] for key in row if key.endswith((names["y"], "rows", "行数"))
    ]
    if len(measured) != 1 or any("rows, evenly spaced" in note for note in chart.notes):
        return
    [measure] = measured
    how = re.match(r"(mean|median|min|max) of |平均|share of ", measure)
    if how or "占比" in measure:
        return
    x = columns.get(names["x"])
    is_placed = [True] * frame.row_count
    if (
        x is not None
        and frame.field(names["x"]).role in {"time", "number"}
        and names["x"] in chart.rows[0]
    ):
        is_placed = [cell is not None for cell in x]
    ones: list[Any] = [1] * frame.row_count
    values = columns[names["y"]] if measure.endswith(names["y"]) else ones
    whole = math.fsum(
        v for v, placed in zip(values, is_placed, strict=True) if placed and v is not None
    )
    drawn = math.fsum(row[measure] for row in chart.rows)
    for note in chart.notes:
        left_out = re.search(r"are left out \(together (-?[\d.,e+]+)\)", note)
        drawn += float(left_out[1].replace(",", "")) if left_out else 0
    assert math.isclose(drawn, whole, rel_tol=1e-9, abs_tol=1e-6), (
        measure,
        drawn,
        whole,
        chart.notes,
    )


def check_shares(chart: BuiltChart, names: Names) -> None:
    """Shares of one whole are one in all; split by colour they are one at each x."""
    measure = next(
        (k for k in chart.rows[0] if k.startswith("share of") or k.endswith("占比")), None
    )
    if measure is None or any("left out (" in note for note in chart.notes):
        return
    total = math.fsum(row[measure] for row in chart.rows)
    wholes = len({row[names["x"]] for row in chart.rows}) if len(chart.rows[0]) > 2 else 1
    assert math.isclose(total, wholes, rel_tol=1e-9)


@pytest.mark.parametrize("axis", AXES)
@pytest.mark.parametrize("colour", COLOURS)
@pytest.mark.slow
async def test_every_request_draws_what_was_asked_or_says_why_not(
    results: FolderResultStore, axis: str, colour: str
):
    for number, (language, names) in itertools.product(NUMBERS, (("en", ENGLISH), ("zh", CHINESE))):
        columns, called = shape(axis, colour, number, names)
        frame = await read_frame(results, (await keep(results, columns)).result_id)
        for words, wanted in REQUESTS[language]:
            request = words.format_map(called)
            try:
                chart = build_chart(frame, None, request)
            except ValidationError:
                continue  # it says why it draws nothing
            assert chart.rows, request
            check_kind(chart, wanted)
            if "average" not in request:  # means have no total
                check_totals(chart, columns, frame, called)
            check_shares(chart, called)
            assert "unicorns" not in request or any("'unicorns'" in note for note in chart.notes)
            assert "独角兽" not in request or any("独角兽" in note for note in chart.notes)
            assert "radar" not in request or any("radar" in note for note in chart.notes)
            assert "Our own" not in request or chart.title == "Our own"
            assert "自己的" not in request or chart.title == "自己的"


async def test_what_is_built_can_be_rendered(results: FolderResultStore, renderer: Renderer):
    # One after the other, so that each kind meets each shape of x without drawing them all.
    shapes = itertools.cycle(
        (("month ends", "two"), ("days of a month", "none"), ("120 names", "fifteen"))
    )
    for (words, _), (axis, colour) in zip(REQUESTS["en"], shapes, strict=False):
        columns, called = shape(axis, colour, "whole", ENGLISH)
        kept = await keep(results, columns)
        request = words.format_map(called)
        chart = await make_chart(
            results, kept.result_id, renderer=renderer, intent=request, formats=("svg",)
        )
        assert chart.pictures["svg"].startswith(b"<svg"), request
