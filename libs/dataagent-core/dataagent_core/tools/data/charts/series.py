"""A number by one or two other columns: put together, limited, ordered and named.

Rows are put together over the whole result, so that what is drawn is small and right; the notes
say what was put together and what was left out. The marks are `building.py`'s.
"""

from collections.abc import Sequence
from typing import Any

from dataagent_core.errors import ValidationError
from dataagent_core.tools.data.charts import theme
from dataagent_core.tools.data.charts.built import Built, sampled
from dataagent_core.tools.data.charts.choosing import Choice
from dataagent_core.tools.data.charts.frame import Field, Frame
from dataagent_core.tools.data.charts.grouping import (
    ADDITIVE,
    floored,
    grain_for,
    greatest,
    grouped,
    natural_grain,
)
from dataagent_core.tools.data.charts.model import Aggregate, Grain, Intent
from dataagent_core.tools.data.charts.names import escaped, words_for
from dataagent_core.tools.data.charts.roles import sequence_of


class Series:
    """A number by one or two other columns."""

    def __init__(self, frame: Frame, choice: Choice, intent: Intent) -> None:
        assert choice.x is not None
        self.x, self.color, self.kind = choice.x, choice.color, choice.kind
        self.words = words_for(choice)
        self.notes: list[str] = []
        self.grain: Grain | None = None
        self.how: Aggregate = intent.aggregate or ("sum" if choice.y else "count")
        xs = self._times(intent.grain) if self.x.role == "time" else self.x.cells
        colors = self.color.cells if self.color else [None] * frame.row_count
        numbers = choice.y.cells if choice.y else None
        found = grouped(zip(xs, colors, strict=True), numbers, self.how)
        if not found.values:
            raise ValidationError(
                f"There is nothing to draw: {self.x.name!r} and its number are empty in every row."
            )
        self.values = found.values
        self.y_name = choice.y.name if choice.y else self.words.rows
        if self.y_name in {self.x.name, self.color.name if self.color else None}:
            self.y_name += " #"
        self.measure = self.y_name
        if choice.y and found.had_repeats:
            self.measure = self.words.measure(self.how, choice.y.name)
            self.notes.append(
                f"{choice.y.name} is put together ({self.how}) where rows share "
                f"{' and '.join(repr(f.name) for f in (self.x, self.color) if f)}"
            )

    def _times(self, grain: Grain | None) -> Sequence[str | None]:
        chosen = grain or grain_for(self.x.cells)
        self.grain = chosen
        if chosen is None:
            return self.x.cells
        if grain is None:
            self.notes.append(f"{self.x.name} is shown by {chosen}: there are too many points")
        return [floored(time, chosen) for time in self.x.cells]

    def axis_x(self) -> dict[str, Any]:
        x: dict[str, Any] = {"field": escaped(self.x.name), "title": self.x.name}
        if self.x.role == "time":
            times = {key[0] for key in self.values}
            grain = self.grain or natural_grain(times)
            return {**x, "type": "temporal", "axis": theme.time_axis(grain, len(times))}
        if self.x.role == "number":
            return {**x, "type": "quantitative"}
        return {**x, "type": "ordinal", "sort": self.ordered_names(), "axis": {"labelAngle": 0}}

    def number_axis(self) -> dict[str, Any]:
        chinese = theme.is_chinese(self.measure, self.x.name)
        return theme.number_axis(self.y_name, self.values.values(), chinese=chinese)

    def number_channel(self) -> dict[str, Any]:
        return {
            "field": escaped(self.measure),
            "type": "quantitative",
            "title": self.measure,
            "axis": self.number_axis(),
        }

    def colour_channel(self) -> dict[str, Any]:
        if self.color is None:
            return self._faint_rest()
        names = self.ordered_colours()
        shown = {"field": escaped(self.color.name), "type": "nominal", "title": self.color.name}
        return {"color": {**shown, "sort": names, "scale": self.colours(names)}}

    def _faint_rest(self) -> dict[str, Any]:
        """Let what was gathered stand back behind what has a name."""
        if all(key[0] != self.words.other for key in self.values):
            return {}
        rest = {"field": escaped(self.x.name), "equal": self.words.other}
        grey = {"test": rest, "value": theme.OTHER_COLOUR}
        return {"color": {"condition": grey, "value": theme.PALETTE[0]}}

    def colours(self, names: Sequence[Any]) -> dict[str, Any]:
        colours = [
            theme.OTHER_COLOUR
            if name == self.words.other
            else theme.PALETTE[n % len(theme.PALETTE)]
            for n, name in enumerate(names)
        ]
        return {"domain": list(names), "range": colours}

    def ordered_names(self) -> list[Any]:
        """Order the names along x: by their own order if they have one, else greatest first."""
        return self._ordered(0, self.x)

    def ordered_colours(self) -> list[Any]:
        """Order the names of the colours likewise."""
        return self._ordered(1, self.color) if self.color else []

    def _ordered(self, place: int, column: Field) -> list[Any]:
        totals = self._totals(place)
        if column.role == "ordered":
            written = sequence_of(str(name) for name in totals)
            return list(written) if written else sorted(totals)
        ranked = sorted(totals, key=lambda name: (-totals[name], str(name)))
        others = [name for name in ranked if name == self.words.other]
        return [name for name in ranked if name != self.words.other] + others

    def _totals(self, place: int) -> dict[Any, float]:
        totals: dict[Any, float] = {}
        for key, value in self.values.items():
            totals[key[place]] = totals.get(key[place], 0) + value
        return dict(sorted(totals.items(), key=lambda item: (-abs(item[1]), str(item[0]))))

    def limit_x(self, names_max: int) -> None:
        if self.x.role != "time":
            self._limit(0, self.x, names_max)

    def limit_colours(self, names_max: int) -> None:
        if self.color is not None:
            self._limit(1, self.color, names_max)

    def _limit(self, place: int, column: Field, names_max: int) -> None:
        kept = greatest(self._totals(place), names_max)
        if not kept.left_out:
            return
        shown, gathered = set(kept.names), self.how in ADDITIVE
        values: dict[tuple[Any, ...], float] = {}
        for key, value in self.values.items():
            if key[place] in shown:
                values[key] = value
            elif gathered:
                other = tuple(self.words.other if n == place else k for n, k in enumerate(key))
                values[other] = values.get(other, 0) + value
        self.values = values
        fate = f"are gathered as {self.words.other!r}" if gathered else "are left out"
        self.notes.append(
            f"of {len(kept.names) + kept.left_out} values of {column.name} the {names_max} "
            f"greatest are shown, {kept.left_out} {fate}"
        )

    def built(
        self,
        mark: dict[str, Any],
        encoding: dict[str, Any],
        *,
        width: int = theme.WIDTH_PIXELS,
        height: Any = theme.HEIGHT_PIXELS,
    ) -> Built:
        rows: list[dict[str, Any]] = []
        for key, value in sorted(self.values.items(), key=lambda item: str(item[0])):
            row = {self.x.name: key[0], self.measure: value}
            if self.color is not None:
                row[self.color.name] = key[1]
            rows.append(row)
        spec = {"width": width, "height": height, "mark": mark, "encoding": encoding}
        title = self.words.title(self.measure, self.x.name, self.color.name if self.color else None)
        rows, notes = sampled(rows, self.notes)
        return Built(title, rows, spec, notes)
