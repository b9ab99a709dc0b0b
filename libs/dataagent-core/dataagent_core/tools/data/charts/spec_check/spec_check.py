"""A spec that somebody else wrote: what may be in it, and the columns it names.

A model's spec is a stranger's. Its structure is taken by an allow-list, what fetches or listens
is refused at any depth, formulas are read (`spec_formulas.py`), and each field must be a column of
the result or be made by a transform. The data is never the spec's own.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from dataagent_core.errors import ValidationError
from dataagent_core.tools.data.charts.chart_data.chart_frame import ChartFrame
from dataagent_core.tools.data.charts.spec_check import spec_grammar
from dataagent_core.tools.data.charts.spec_check.spec_leaf import (
    SpecCheck,
    check_formula,
    check_leaf,
    check_value,
    make_forbidden_error,
)
from dataagent_core.tools.data.charts.spec_check.spec_size import check_size
from dataagent_core.tools.definition.name_suggestions import suggest_names

_STRUCTURE = {"transform", "mark", "encoding", "spec", "facet", *spec_grammar.COMPOSITIONS}
_TYPES = {"time": "temporal", "number": "quantitative", "ordered": "ordinal"}


@dataclass(slots=True)
class CheckedSpec:
    """A spec that may be drawn, and the columns it needs."""

    spec: dict[str, Any]
    columns: list[str]
    # Rows are added up or stacked inside, so that all of them must be there.
    adds_up: bool


def check_spec(given: Mapping[str, Any], frame: ChartFrame) -> CheckedSpec:
    """Check a spec against the rules and the result; what comes back is a copy."""
    check_size(given)
    spec: dict[str, Any] = json.loads(json.dumps(given))
    check = SpecCheck(frame)
    for made in _made_names(spec):
        check.made.add(made)
    adds_up = any(_adds_up(key, value) for key, value in _pairs(spec))
    _spec(spec, check, "the spec")
    return CheckedSpec(spec, list(check.used), adds_up)


def _adds_up(key: str, value: Any) -> bool:
    if key == "mark":
        return _mark_name(value) not in spec_grammar.SAMPLED_MARKS
    return key in spec_grammar.ADDING_KEYS and bool(value) and value != {"binned": True}


def _spec(spec: dict[str, Any], check: SpecCheck, where: str) -> None:
    _check_keys(spec, where)
    for transform in _list(spec.get("transform", []), "transform"):
        _transform(transform, check)
    if "mark" in spec:
        _mark(spec["mark"], check)
    _encoding(_object(spec.get("encoding", {}), "encoding"), check)
    if "facet" in spec:
        facet = _object(spec["facet"], "facet")
        parts = {k: v for k, v in facet.items() if k in {"row", "column"}} or {"facet": facet}
        _encoding(parts, check)
    for name, part in _parts(spec):
        _spec(_object(part, name), check, name)
    for key in spec.keys() - _STRUCTURE:
        check_leaf(spec[key], check, key)


def _check_keys(spec: dict[str, Any], where: str) -> None:
    for key in spec:
        if key in spec_grammar.FORBIDDEN_KEYS:
            raise make_forbidden_error(key, where)
        if key not in spec_grammar.SPEC_KEYS:
            raise ValidationError(
                f"{key!r:.60} in {where} is not available. "
                f"{suggest_names(key, spec_grammar.SPEC_KEYS)} "
                "Use mark, encoding, transform, layer, facet, hconcat or vconcat."
            )


def _parts(spec: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    for key in spec_grammar.COMPOSITIONS:
        for number, part in enumerate(_list(spec.get(key, []), key)):
            yield f"{key}[{number}]", part
    if "spec" in spec:
        yield "the inner spec", spec["spec"]


def _mark(mark: Any, check: SpecCheck) -> None:
    name = _mark_name(mark)
    if name not in spec_grammar.MARKS:
        raise ValidationError(
            f"The mark {name!r:.60} is not available. {suggest_names(name, spec_grammar.MARKS)} "
            f"Marks: {', '.join(sorted(spec_grammar.MARKS))}."
        )
    check_leaf(mark, check, "mark")


def _mark_name(mark: Any) -> str:
    return str(mark.get("type") if isinstance(mark, dict) else mark)


def _encoding(encoding: dict[str, Any], check: SpecCheck) -> None:
    for channel, definition in encoding.items():
        if channel in spec_grammar.FORBIDDEN_KEYS:
            raise make_forbidden_error(channel, "encoding")
        if channel not in spec_grammar.CHANNELS:
            raise ValidationError(
                f"The channel {channel!r:.60} is not available. "
                f"{suggest_names(channel, spec_grammar.CHANNELS)} Use x, y, color, size, "
                "shape, row, "
                "column, text, tooltip or order."
            )
        parts = definition if isinstance(definition, list) else [definition]
        for part in parts:
            _channel(_object(part, f"encoding.{channel}"), channel, check)


def _channel(definition: dict[str, Any], channel: str, check: SpecCheck) -> None:
    name = definition.get("field")
    if isinstance(name, str) and "type" not in definition and not channel.endswith("2"):
        plain = re.sub(r"\\(.)", r"\1", name)
        columns = [f for f in check.frame.fields if f.name in (name, plain)]
        if columns and name not in check.made and "aggregate" not in definition:
            # Vega-Lite would take every column for names.
            definition["type"] = _TYPES.get(columns[0].role, "nominal")
    check_leaf(definition, check, f"encoding.{channel}")


def _transform(transform: Any, check: SpecCheck) -> None:
    step = _object(transform, "transform")
    kinds = [key for key in spec_grammar.TRANSFORMS if key in step]
    if not kinds:
        keys = ", ".join(step)
        raise ValidationError(
            f"The transform with {keys!r:.80} is not available. Use one of "
            f"{', '.join(sorted(spec_grammar.TRANSFORMS))}, or transform in the query."
        )
    columns = spec_grammar.TRANSFORMS[kinds[0]] | {"field", "groupby"}
    if "filter" in step:
        _filter(step, check)
    for key, value in step.items():
        if key in columns and isinstance(value, str):
            step[key] = check.column(value)
        elif key in columns and isinstance(value, list):
            step[key] = [check.column(v) if isinstance(v, str) else v for v in value]
        elif key != "filter":
            step[key] = check_value(value, check, key)


def _filter(step: dict[str, Any], check: SpecCheck) -> None:
    match step["filter"]:
        case str(formula):
            check_formula(formula, check)
        case predicate:
            step["filter"] = check_value(predicate, check, "predicate")


def _made_names(value: Any) -> Iterator[str]:
    """Name the columns that transforms make, wherever they stand."""
    for key, part in _pairs(value):
        if key == "as":
            for name in part if isinstance(part, list) else [part]:
                yield str(name)
                yield f"{name}_end"  # what `bin` makes beside it
        elif key in spec_grammar.MADE_BY_DEFAULT and isinstance(part, (list, str)):
            yield from spec_grammar.MADE_BY_DEFAULT[key]


def _pairs(value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, dict):
        for key, part in value.items():
            yield key, part
            yield from _pairs(part)
    elif isinstance(value, list):
        for part in value:
            yield from _pairs(part)


def _object(value: Any, where: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ValidationError(f"{where} must be an object, and is {value!r:.60}.")
    return value


def _list(value: Any, where: str) -> list[Any]:
    if not isinstance(value, list):
        raise ValidationError(f"{where} must be a list, and is {value!r:.60}.")
    return value
