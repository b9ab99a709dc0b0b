"""The shape of a tool's result: what is alike in each run, so that anything else is a surprise.

It holds no values: the kind of a result, the names of its fields, how a program ended, and whether
a query found rows. Pure.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, cast

from pydantic import JsonValue

from dataagent_core.config.limits.patterns import PATTERN_ARGUMENTS_MAX, TRACE_RESULT_CHARS_MAX

ResultKind = Literal["any", "nothing", "text", "list", "object"]
# Names only: a field of a foreign result may be called anything.
_FIELD: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_-]{0,63}")
# The name of a number of rows in a receipt (`tools/data/receipts/result_facts.py`).
_RESULT: Final = "result"


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultShape:
    """What is known of a result without its values; an unset part is not compared."""

    kind: ResultKind = "any"
    # Of an object, or of the first object of a list.
    fields: tuple[str, ...] = ()
    exit_code: int | None = None
    has_rows: bool | None = None


# Whatever comes is no surprise.
ANY_RESULT: Final = ResultShape()


def result_text(result: JsonValue) -> str:
    """Return a result as text, as an event has it."""
    text = result if isinstance(result, str) else json.dumps(result, ensure_ascii=False)
    return text[:TRACE_RESULT_CHARS_MAX]


def read_shape(result: JsonValue, receipt: Mapping[str, JsonValue] | None = None) -> ResultShape:
    """Read the shape of a result, with what the receipt says of it."""
    text = result_text(result)
    kind, fields = _read_kind(text)
    facts: Any = receipt or {}
    exit_code, found = facts.get("exit_code"), facts.get(_RESULT)
    row_count: Any = cast("dict[str, Any]", found).get("row_count") if found else None
    return ResultShape(
        kind=kind,
        fields=fields,
        exit_code=exit_code if type(exit_code) is int else None,
        has_rows=row_count > 0 if type(row_count) is int else None,
    )


def join_shapes(shapes: Sequence[ResultShape]) -> ResultShape:
    """Return what all shapes have in common."""
    first = shapes[0]
    kinds = {shape.kind for shape in shapes}
    shared = set(first.fields).intersection(*(shape.fields for shape in shapes))
    codes = {shape.exit_code for shape in shapes}
    rows = {shape.has_rows for shape in shapes}
    return ResultShape(
        kind=first.kind if len(kinds) == 1 else "any",
        fields=tuple(name for name in first.fields if name in shared) if len(kinds) == 1 else (),
        exit_code=first.exit_code if len(codes) == 1 else None,
        has_rows=first.has_rows if len(rows) == 1 else None,
    )


def find_difference(expected: ResultShape, seen: ResultShape) -> str:
    """Say in what a result differs from what is expected; empty where it does not."""
    if expected.kind not in {"any", seen.kind}:
        return f"its result is {seen.kind}, and before it was {expected.kind}"
    missing = [name for name in expected.fields if name not in seen.fields]
    if missing and seen.kind != "any":
        return f"its result has no {', '.join(missing)}"
    if expected.exit_code is not None and seen.exit_code != expected.exit_code:
        return f"it ended with code {seen.exit_code}, and before with {expected.exit_code}"
    if expected.has_rows is not None and seen.has_rows != expected.has_rows:
        return "it found no rows" if expected.has_rows else "it found rows, and before none"
    return ""


def _read_kind(text: str) -> tuple[ResultKind, tuple[str, ...]]:
    if not text.strip():
        return "nothing", ()
    try:
        value: Any = json.loads(text)
    except (ValueError, RecursionError):
        # Cut off, an object looks like text.
        is_cut = text.lstrip()[0] in "{["
        return ("any" if is_cut else "text"), ()
    match value:
        case dict():
            return "object", _list_fields(cast("dict[str, Any]", value))
        case [dict() as first, *_]:
            return "list", _list_fields(cast("dict[str, Any]", first))
        case list():
            return "list", ()
        case _:
            return "text", ()


def _list_fields(value: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(filter(_FIELD.fullmatch, value))[:PATTERN_ARGUMENTS_MAX]
