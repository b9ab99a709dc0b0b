"""Finds where in the results of several runs a value stands, in the same way in each. Pure."""

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any, Final, cast

from pydantic import JsonValue

from dataagent_core.patterns.scrub import holds_private
from dataagent_core.patterns.workflow.differences import find_shared_start
from dataagent_core.patterns.workflow.fill_workflow import take_value
from dataagent_core.patterns.workflow.workflow import TakenValue, may_write

_NODES_MAX: Final = 2_000
_PLACES_MAX: Final = 20
_KEY_CHARS_MAX: Final = 40
_AFTER_CHARS: Final = (3, 30)
_BEFORE_CHARS_MAX: Final = 5
_DIGITS: Final = re.compile(r"\d")


def find_taken(values: Sequence[JsonValue], results: Sequence[str]) -> TakenValue | None:
    """Return the place that has each run's value; `values` may be texts or numbers."""
    for taken in (*_find_paths(values, results), *_find_anchors(values, results)):
        seen = [take_value(taken, result) for result in results]
        if all(a == b and type(a) is type(b) for a, b in zip(seen, values, strict=True)):
            return taken
    return None


def _find_paths(values: Sequence[JsonValue], results: Sequence[str]) -> list[TakenValue]:
    try:
        first: Any = json.loads(results[0])
    except (ValueError, RecursionError):
        return []
    if not isinstance(first, dict | list):
        return []
    paths = [
        path
        for path, value in _walk(first)
        if path and value == values[0] and all(map(_may_name, path))
    ]
    return [TakenValue(path=path) for path in paths[:_PLACES_MAX]]


def _may_name(key: str | int) -> bool:
    """Say whether a workflow may have this in a path: a name, and no text or personal value."""
    if isinstance(key, int):
        return True
    return len(key) <= _KEY_CHARS_MAX and may_write(key) and not holds_private(key)


def _walk(value: Any) -> Iterator[tuple[tuple[str | int, ...], Any]]:
    waiting: list[tuple[tuple[str | int, ...], Any]] = [((), value)]
    for _ in range(_NODES_MAX):
        if not waiting:
            return
        path, one = waiting.pop(0)
        match one:
            case dict():
                fields = cast("dict[str, Any]", one)
                waiting.extend(((*path, key), inner) for key, inner in fields.items())
            case list():
                items = cast("list[Any]", one)
                waiting.extend(((*path, at), inner) for at, inner in enumerate(items))
            case _:
                yield path, one


def _find_anchors(values: Sequence[JsonValue], results: Sequence[str]) -> list[TakenValue]:
    texts = [value for value in values if isinstance(value, str) and value]
    if len(texts) < len(values):
        return []
    found: list[TakenValue] = []
    for before, behind in _find_around(texts[0], results[0]):
        after = before
        for value, result in zip(texts[1:], results[1:], strict=True):
            shared = (_common_end(after, other) for other, _ in _find_around(value, result))
            after = max(shared, key=len, default="")
        is_kept = may_write(after + behind) and not holds_private(after)
        if len(after.strip()) < _AFTER_CHARS[0] or not is_kept:
            continue
        ends = [
            [rest for other, rest in _find_around(value, result) if other.endswith(after)]
            for value, result in zip(texts, results, strict=True)
        ]
        end = find_shared_start([behind, *(rests[0] for rests in ends if rests)])
        # A number before it, or far behind it, is one of these runs.
        start = _DIGITS.split(after)[-1]
        starts = [start, after] if len(start.strip()) >= _AFTER_CHARS[0] else [after]
        ends_of = ["", *(end[:size] for size in range(1, len(end) + 1))]
        found += [TakenValue(after=one, before=two) for one in starts for two in ends_of]
    return found


def _find_around(value: str, result: str) -> list[tuple[str, str]]:
    """Return what stands before and behind a value on its line, wherever it stands."""
    places: list[tuple[str, str]] = []
    at = result.find(value)
    while at >= 0 and len(places) < _PLACES_MAX:
        end = at + len(value)
        before = result[max(0, at - _AFTER_CHARS[1]) : at].rpartition("\n")[2]
        behind = result[end : end + _BEFORE_CHARS_MAX].partition("\n")[0]
        places.append((before, behind))
        at = result.find(value, at + 1)
    return places


def _common_end(one: str, other: str) -> str:
    return find_shared_start([one[::-1], other[::-1]])[::-1]
