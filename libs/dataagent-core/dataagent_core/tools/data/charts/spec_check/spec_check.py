"""Checks a spec from outside: its structure, and the columns it names.

A model's spec is untrusted. An allow-list limits its structure, anything that fetches or listens is
refused at any depth, formulas are checked (`spec_formulas.py`), and each field must be a column of
the result or made by a transform. The spec never brings its own data.
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
    # The spec aggregates or stacks rows, so that all rows must be present.
    adds_up: bool


def check_spec(given: Mapping[str, Any], frame: ChartFrame) -> CheckedSpec:
    """Check a spec against the rules and the result; return a copy."""
    check_size(given)
    spec: dict[str, Any] = json.loads(json.dumps(given))
    check = SpecCheck(frame)
    for made in _find_made_names(spec):
        check.made.add(made)
    adds_up = any(_is_aggregating(key, value) for key, value in _iterate_pairs(spec))
    _check_part(spec, check, "the spec")
    return CheckedSpec(spec, list(check.used), adds_up)


def _is_aggregating(key: str, value: Any) -> bool:
    if key == "mark":
        return _get_mark_name(value) not in spec_grammar.SAMPLED_MARKS
    return key in spec_grammar.ADDING_KEYS and bool(value) and value != {"binned": True}


def _check_part(spec: dict[str, Any], check: SpecCheck, where: str) -> None:
    _check_keys(spec, where)
    for transform in _check_list(spec.get("transform", []), "transform"):
        _check_transform(transform, check)
    if "mark" in spec:
        _check_mark(spec["mark"], check)
    _check_encoding(_check_object(spec.get("encoding", {}), "encoding"), check)
    if "facet" in spec:
        facet = _check_object(spec["facet"], "facet")
        parts = {k: v for k, v in facet.items() if k in {"row", "column"}} or {"facet": facet}
        _check_encoding(parts, check)
    for name, part in _iterate_parts(spec):
        _check_part(_check_object(part, name), check, name)
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


def _iterate_parts(spec: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    for key in spec_grammar.COMPOSITIONS:
        for number, part in enumerate(_check_list(spec.get(key, []), key)):
            yield f"{key}[{number}]", part
    if "spec" in spec:
        yield "the inner spec", spec["spec"]


def _check_mark(mark: Any, check: SpecCheck) -> None:
    name = _get_mark_name(mark)
    if name not in spec_grammar.MARKS:
        raise ValidationError(
            f"The mark {name!r:.60} is not available. {suggest_names(name, spec_grammar.MARKS)} "
            f"Marks: {', '.join(sorted(spec_grammar.MARKS))}."
        )
    check_leaf(mark, check, "mark")


def _get_mark_name(mark: Any) -> str:
    return str(mark.get("type") if isinstance(mark, dict) else mark)


def _check_encoding(encoding: dict[str, Any], check: SpecCheck) -> None:
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
            _check_channel(_check_object(part, f"encoding.{channel}"), channel, check)


def _check_channel(definition: dict[str, Any], channel: str, check: SpecCheck) -> None:
    name = definition.get("field")
    if isinstance(name, str) and "type" not in definition and not channel.endswith("2"):
        plain = re.sub(r"\\(.)", r"\1", name)
        columns = [f for f in check.frame.fields if f.name in (name, plain)]
        if columns and name not in check.made and "aggregate" not in definition:
            # Vega-Lite would take every column for names.
            definition["type"] = _TYPES.get(columns[0].role, "nominal")
    check_leaf(definition, check, f"encoding.{channel}")


def _check_transform(transform: Any, check: SpecCheck) -> None:
    step = _check_object(transform, "transform")
    kinds = [key for key in spec_grammar.TRANSFORMS if key in step]
    if not kinds:
        keys = ", ".join(step)
        raise ValidationError(
            f"The transform with {keys!r:.80} is not available. Use one of "
            f"{', '.join(sorted(spec_grammar.TRANSFORMS))}, or transform in the query."
        )
    columns = spec_grammar.TRANSFORMS[kinds[0]] | {"field", "groupby"}
    if "filter" in step:
        _check_filter(step, check)
    for key, value in step.items():
        if key in columns and isinstance(value, str):
            step[key] = check.column(value)
        elif key in columns and isinstance(value, list):
            step[key] = [check.column(v) if isinstance(v, str) else v for v in value]
        elif key != "filter":
            step[key] = check_value(value, check, key)


def _check_filter(step: dict[str, Any], check: SpecCheck) -> None:
    match step["filter"]:
        case str(formula):
            check_formula(formula, check)
        case predicate:
            step["filter"] = check_value(predicate, check, "predicate")


def _find_made_names(value: Any) -> Iterator[str]:
    """Yield the columns that transforms make, at any depth."""
    for key, part in _iterate_pairs(value):
        if key == "as":
            for name in part if isinstance(part, list) else [part]:
                yield str(name)
                yield f"{name}_end"  # what `bin` makes beside it
        elif key in spec_grammar.MADE_BY_DEFAULT and isinstance(part, (list, str)):
            yield from spec_grammar.MADE_BY_DEFAULT[key]


def _iterate_pairs(value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, dict):
        for key, part in value.items():
            yield key, part
            yield from _iterate_pairs(part)
    elif isinstance(value, list):
        for part in value:
            yield from _iterate_pairs(part)


def _check_object(value: Any, where: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ValidationError(f"{where} must be an object, and is {value!r:.60}.")
    return value


def _check_list(value: Any, where: str) -> list[Any]:
    if not isinstance(value, list):
        raise ValidationError(f"{where} must be a list, and is {value!r:.60}.")
    return value
