"""Checks the descriptive parts of a spec: axes, scales, marks, titles, predicates.

Anything that fetches or listens is refused at any depth; fields are looked up and rewritten, and
formulas are checked.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from dataagent_core.config.limits.data import (
    CHART_EXPRESSIONS_MAX,
    CHART_SIDE_PIXELS_MAX,
    CHART_TEXT_CHARS_MAX,
)
from dataagent_core.errors import ValidationError
from dataagent_core.tools.data.charts.chart_data.chart_frame import ChartFrame
from dataagent_core.tools.data.charts.chart_names import escape_field
from dataagent_core.tools.data.charts.spec_check import spec_grammar
from dataagent_core.tools.data.charts.spec_check.spec_formulas import check_expression

_SIDES = frozenset({"width", "height", "step", "size", "innerRadius", "outerRadius", "thickness"})
_FETCHES = re.compile(r"url\s*\(|javascript:|@import", re.IGNORECASE)
_SIZE_MAX = 1_000_000


@dataclass(slots=True)
class SpecCheck:
    """The state of one check: the columns, and what the spec has used."""

    frame: ChartFrame
    made: set[str] = field(default_factory=set[str])
    used: dict[str, None] = field(default_factory=dict[str, None])
    formulas: int = 0

    def column(self, name: str) -> str:
        """Return a column as written in a field; an unknown column is an error."""
        if name in self.made:
            return name
        plain = re.sub(r"\\(.)", r"\1", name)
        found = self.frame.field(name if name in self.frame.names else plain)
        self.used[found.name] = None
        return escape_field(found.name)


def check_leaf(value: Any, check: SpecCheck, key: str) -> None:
    """Check axes, scales, marks and titles; their fields are rewritten."""
    if isinstance(value, dict):
        for name in list(value):
            value[name] = check_value(value[name], check, name)
    else:
        check_value(value, check, key)


def check_value(value: Any, check: SpecCheck, key: str) -> Any:
    """Return a value with its fields rewritten; a forbidden key is an error."""
    # The n of a window's `lag` is called like a parameter, and is a number.
    if key in spec_grammar.FORBIDDEN_KEYS and not (key == "param" and type(value) is int):
        raise make_forbidden_error(key, "the spec")
    match value:
        case dict():
            return {name: check_value(part, check, name) for name, part in value.items()}
        case list():
            return [check_value(part, check, key) for part in value]
        case str():
            return _check_field_text(value, check, key)
        case bool() | None:
            return value
        case _:
            return _check_number(value, key)


def _check_field_text(value: str, check: SpecCheck, key: str) -> str:
    if key == "field":
        return check.column(value)
    if key in spec_grammar.EXPRESSION_KEYS:
        check_formula(value, check, on_axis=key == "labelExpr")
        return value
    return _check_text(value, key)


def _check_text(value: str, key: str) -> str:
    if len(value) > CHART_TEXT_CHARS_MAX:
        raise ValidationError(
            f"{key!r} has {len(value)} characters, {CHART_TEXT_CHARS_MAX} are possible."
        )
    if _FETCHES.search(value):
        raise ValidationError(
            f"{value!r:.60} under {key!r} points elsewhere. A chart shows only its result: use a "
            "plain colour or text."
        )
    return value


def _check_number(value: float, key: str) -> float:
    most = CHART_SIDE_PIXELS_MAX if key in {"width", "height", "step"} else _SIZE_MAX
    if key in _SIDES and not 0 <= value <= most:
        raise ValidationError(f"{key} is {value}; 0 to {most} is possible.")
    return value


def check_formula(text: str, check: SpecCheck, *, on_axis: bool = False) -> None:
    """Check a formula; their number is bounded as well."""
    check.formulas += 1
    if check.formulas > CHART_EXPRESSIONS_MAX:
        raise ValidationError(
            f"The spec has more than {CHART_EXPRESSIONS_MAX} formulas. Compute in the query."
        )
    own: Callable[[str], str] = check.column
    if on_axis:
        # A label knows itself: datum.value, datum.label, datum.index.
        own = lambda name: name if name in {"value", "label", "index"} else check.column(name)  # noqa: E731
    check_expression(text, own)


def make_forbidden_error(key: str, where: str) -> ValidationError:
    """Make the error of a forbidden key."""
    return ValidationError(
        f"{key!r} in {where} is not allowed: a chart's data is its result's, it fetches nothing "
        "and reacts to nothing. Leave it out."
    )
