"""A number by one or two other columns: limited, ordered and named, with its axes and colours.

`chart_data/aggregation.py` aggregates the rows and `chart_builder.py` adds the marks; the notes say
what is left out.
"""

from collections.abc import Sequence
from typing import Any, Literal

from dataagent_core.config.limits.data import CHART_TIMES_MAX
from dataagent_core.tools.data.charts import chart_theme
from dataagent_core.tools.data.charts.chart_choice import ChartChoice, make_field
from dataagent_core.tools.data.charts.chart_data.aggregation import aggregate_numbers
from dataagent_core.tools.data.charts.chart_data.chart_frame import ChartField
from dataagent_core.tools.data.charts.chart_data.column_roles import find_sequence
from dataagent_core.tools.data.charts.chart_data.row_groups import (
    ADDITIVE_AGGREGATES,
    choose_grain,
    choose_greatest,
    find_natural_grain,
    floor_time,
)
from dataagent_core.tools.data.charts.chart_model import ChartGrain, ChartIntent, ChartKind
from dataagent_core.tools.data.charts.chart_names import choose_words, escape_field
from dataagent_core.tools.data.charts.kinds.built_chart import BuiltChart, sample_rows

# The names beyond a limit: gathered into one, dropped, or gathered unless that dwarfs the others.
Rest = Literal["gathered", "left out", "gathered if small"]


class ChartSeries:
    """A number by one or two other columns."""

    def __init__(self, choice: ChartChoice, intent: ChartIntent) -> None:
        assert choice.x is not None
        self.x, self.measures = choice.x, choice.measures
        self.kind: ChartKind = choice.kind
        self.words = choose_words(choice)
        self.top = intent.top
        self.notes: list[str] = list(choice.notes)
        self.subtitle: str | None = None
        self.grain: ChartGrain | None = None
        made = aggregate_numbers(choice, intent, self._list_positions(intent.grain), self.words)
        self.values, self.how, self.measure = made.values, made.how, made.measure
        self.is_percent = made.is_percent
        self.notes += made.notes
        names = [column.name for column in choice.measures]
        self.color = make_field(self.words.name, "ordered", names) if names else choice.color
        if self.color is not None and self.color.name == self.x.name:
            self.color = make_field(f"{self.color.name} ", self.color.role, names)
        if self.measure in {self.x.name, self.color.name if self.color else None}:
            self.measure += " #"
        self.other = _find_unused_name(
            self.words.other, {name for key in self.values for name in key}
        )
        # What is added up stands on top of each other; means and several numbers do not.
        self.stacks = (
            self.how in ADDITIVE_AGGREGATES and not self.measures and not intent.side_by_side
        )

    def _list_positions(self, grain: ChartGrain | None) -> Sequence[Any]:
        if self.x.role != "time":
            if self.x.role == "number" and self.kind != "pie":
                return self.x.cells
            return [self.words.empty if cell is None else cell for cell in self.x.cells]
        chosen = grain or choose_grain(self.x.cells)
        self.grain = chosen
        if chosen is None:
            return self.x.cells
        if grain is None:
            self.notes.append(f"{self.x.name} is shown by {chosen}: there are too many points")
        return [floor_time(time, chosen) for time in self.x.cells]

    def axis_x(self) -> dict[str, Any]:
        x: dict[str, Any] = {"field": escape_field(self.x.name), "title": self.x.name}
        if self.x.role == "time":
            axis = chart_theme.make_time_axis(self.time_grain(), {key[0] for key in self.values})
            return {**x, "type": "temporal", "axis": axis}
        if self.x.role == "number":
            return {**x, "type": "quantitative", "scale": {"zero": False}}
        return {**x, "type": "ordinal", "sort": self.ordered_names(), "axis": {"labelAngle": 0}}

    def time_grain(self) -> ChartGrain:
        return self.grain or find_natural_grain({key[0] for key in self.values})

    def number_axis(self) -> dict[str, Any]:
        chinese = chart_theme.is_chinese(self.measure, self.x.name)
        name = self.words.share("") if self.is_percent else self.measure
        return chart_theme.make_number_axis(name, self.values.values(), chinese=chinese)

    def number_channel(self) -> dict[str, Any]:
        return {
            "field": escape_field(self.measure),
            "type": "quantitative",
            "title": None if self.measures else self.measure,
            "axis": self.number_axis(),
            **({} if self.stacks else {"stack": None}),
        }

    def colour_channel(self) -> dict[str, Any]:
        if self.color is None:
            return self._fade_rest()
        names = self.ordered_colours()
        title = None if self.measures else self.color.name
        shown = {"field": escape_field(self.color.name), "type": "nominal", "title": title}
        return {"color": {**shown, "sort": names, "scale": self.colours(names)}}

    def _fade_rest(self) -> dict[str, Any]:
        """Draw the gathered rest fainter than the named values."""
        if all(key[0] != self.other for key in self.values):
            return {}
        rest = {"field": escape_field(self.x.name), "equal": self.other}
        grey = {"test": rest, "value": chart_theme.OTHER_COLOUR}
        return {"color": {"condition": grey, "value": chart_theme.PALETTE[0]}}

    def colours(self, names: Sequence[Any]) -> dict[str, Any]:
        colours = [
            chart_theme.OTHER_COLOUR
            if name == self.other
            else chart_theme.PALETTE[n % len(chart_theme.PALETTE)]
            for n, name in enumerate(names)
        ]
        return {"domain": list(names), "range": colours}

    def ordered_names(self) -> list[Any]:
        """Order the names along x: by their own order if they have one, else greatest first."""
        return self._order_names(0, self.x)

    def ordered_colours(self) -> list[Any]:
        """Order the names of the colours likewise."""
        return self._order_names(1, self.color) if self.color else []

    def _order_names(self, position: int, column: ChartField) -> list[Any]:
        totals = self._sum_by_name(position)
        last = [name for name in (self.words.empty, self.other) if name in totals]
        names = [name for name in totals if name not in last]
        if position == 1 and self.measures:
            return [measure.name for measure in self.measures if measure.name in totals]
        if column.role in {"ordered", "number", "time"}:
            written = find_sequence(str(name) for name in names)
            return [*(written or sorted(names, key=_get_sort_key)), *last]
        return [*sorted(names, key=lambda name: (-totals[name], str(name))), *last]

    def _sum_by_name(self, position: int) -> dict[Any, float]:
        totals: dict[Any, float] = {}
        for key, value in self.values.items():
            totals[key[position]] = totals.get(key[position], 0) + value
        return dict(sorted(totals.items(), key=lambda item: (-abs(item[1]), str(item[0]))))

    def limit_x(self, names_max: int, *, all_up_to: int = 0, rest: Rest = "gathered") -> None:
        """Keep the greatest names along x; ordered names are rarely cut."""
        if self.top is not None:
            self._limit_names(0, self.x, self.top, self.top, "left out")
            return
        ordered = self.x.role in {"time", "ordered", "number"} and self.kind != "pie"
        self._limit_names(0, self.x, names_max, CHART_TIMES_MAX if ordered else all_up_to, rest)

    def limit_colours(self, names_max: int) -> None:
        if self.color is not None:
            rest: Rest = "gathered" if self.stacks and self.kind != "line" else "gathered if small"
            self._limit_names(1, self.color, names_max, names_max, rest)

    def _limit_names(
        self, position: int, column: ChartField, names_max: int, all_up_to: int, rest: Rest
    ) -> None:
        totals = self._sum_by_name(position)
        if len(totals) <= max(all_up_to, names_max):
            return
        kept = choose_greatest(totals, names_max)
        shown, additive = set(kept.names), self.how in ADDITIVE_AGGREGATES
        left = sum(total for name, total in totals.items() if name not in shown)
        is_small = abs(left) <= max(abs(totals[name]) for name in kept.names)
        gathered = additive and (rest == "gathered" or (rest == "gathered if small" and is_small))
        values: dict[tuple[Any, ...], float] = {}
        for key, value in self.values.items():
            if key[position] in shown:
                values[key] = value
            elif gathered:
                other = tuple(self.other if n == position else k for n, k in enumerate(key))
                values[other] = values.get(other, 0) + value
        self.values = values
        others = f"{kept.left_out:,} are left out"
        if gathered:
            others = f"{kept.left_out:,} are gathered as {self.other!r}"
        together = f" (together {self._format_figure(left)})" if additive else ""
        self.notes.append(
            f"of {len(totals):,} values of {column.name} the {names_max} greatest are shown, "
            f"{others}{together}"
        )
        if not gathered:
            figure = self._format_figure(left) if additive else None
            self.subtitle = self.words.left_out(
                column.name, len(totals), names_max, kept.left_out, figure
            )

    def _format_figure(self, value: float) -> str:
        return f"{value:.1%}" if self.is_percent else f"{value:,.12g}"

    def built(
        self,
        mark: dict[str, Any],
        encoding: dict[str, Any],
        *,
        width: Any = chart_theme.WIDTH_PIXELS,
        height: Any = chart_theme.HEIGHT_PIXELS,
    ) -> BuiltChart:
        rows: list[dict[str, Any]] = []
        for key, value in sorted(self.values.items(), key=lambda item: str(item[0])):
            row = {self.x.name: key[0], self.measure: value}
            if self.color is not None:
                row[self.color.name] = key[1]
            rows.append(row)
        spec = {"width": width, "height": height, "mark": mark, "encoding": encoding}
        rows, notes = sample_rows(rows, self.notes)
        return BuiltChart(self._make_title(), rows, spec, notes, self.subtitle)

    def _make_title(self) -> str:
        if self.measures:
            return self.words.title_of([column.name for column in self.measures], self.x.name)
        color = self.color.name if self.color else None
        return self.words.title(self.measure, self.x.name, color)


def _get_sort_key(name: Any) -> tuple[bool, Any]:
    """Return the sort key of a name: numbers by size before text."""
    return (True, name) if isinstance(name, str) else (False, name)


def _find_unused_name(name: str, taken: set[Any]) -> str:
    """Find an unused name."""
    while name in taken:
        name += " +"
    return name
