"""Hypothesis strategies for the public values of core, for our tests and for yours.

`values_of(hint)` reads a type annotation, and `instances_of(cls)` a whole dataclass, so a new field
needs nothing here. A public value that is more than its fields (an event belongs to a log or does
not) gets a function of its own at the end of this module, beside `events()`.

Text is as unkind as a model or a user can be: Chinese, emoji, control characters, lone surrogates.
Numbers are finite, because JSON knows no others.
"""

from collections.abc import Mapping
from dataclasses import fields
from datetime import UTC, datetime
from functools import cache
from types import NoneType, UnionType
from typing import Any, Literal, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from hypothesis import strategies as st
from pydantic import JsonValue

from dataagent_core.events import EVENT_CLASSES, Event, ExecutionEvent
from dataagent_core.events.base import LOG_FIELDS
from dataagent_core.events.hitl import HumanRequestKind
from dataagent_core.hitl import Decision
from dataagent_core.hitl.decisions import ALLOWED
from dataagent_core.session import Message, Session

T = TypeVar("T")
E = TypeVar("E", bound=ExecutionEvent)

_TELLING_TEXTS = ("", "数据分析", "👩‍💻🎉", "\x00\x1b[31m\x7f", "\ud800", "a\r\nb\u2028c", "../etc")
_SECONDS_MAX = 2.0**32  # the year 2106: a float still tells microseconds apart there


@cache
def text() -> st.SearchStrategy[str]:
    """Any text at all, often one that has broken somebody's program."""
    return st.sampled_from(_TELLING_TEXTS) | st.text(st.characters(exclude_categories=()))


def finite_floats() -> st.SearchStrategy[float]:
    """Every number JSON can carry."""
    return st.floats(allow_nan=False, allow_infinity=False)


def timestamps() -> st.SearchStrategy[float]:
    """Moments in seconds since 1970."""
    return st.floats(min_value=0, max_value=_SECONDS_MAX)


@cache
def json_values() -> st.SearchStrategy[JsonValue]:
    """Any JSON value, nested a few levels deep."""
    leaves = st.none() | st.booleans() | st.integers() | finite_floats() | text()
    nested = st.recursive(
        leaves,
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(text(), inner, max_size=3),
        max_leaves=6,
    )
    return cast("st.SearchStrategy[JsonValue]", nested)


@cache
def values_of(hint: Any) -> st.SearchStrategy[Any]:
    """Values that fit a field's type annotation."""
    if hint is JsonValue:
        return json_values()
    arguments = get_args(hint)
    match get_origin(hint):
        case None:
            return _PLAIN[hint]()
        case origin if origin is Literal:
            return st.sampled_from(arguments)
        case origin if origin is list:
            return st.lists(values_of(arguments[0]), max_size=3)
        case origin if origin is dict:
            return st.dictionaries(values_of(arguments[0]), values_of(arguments[1]), max_size=3)
        case origin if origin in (Union, UnionType):
            return st.one_of(*map(values_of, arguments))
        case _:
            raise TypeError(f"no strategy for {hint!r}: add it to values_of()")


_PLAIN = {
    str: text,
    int: st.integers,
    float: finite_floats,
    bool: st.booleans,
    NoneType: st.none,
}


def instances_of(cls: type[T], known: Mapping[str, st.SearchStrategy[Any]]) -> st.SearchStrategy[T]:
    """Instances of a dataclass; `known` says better than its annotation what a field may hold."""
    hints = get_type_hints(cls)
    names = [field.name for field in fields(cast("Any", cls)) if field.init]
    guessed = {name: values_of(hints[name]) for name in names if name not in known}
    return st.builds(cls, **guessed, **known)


def event_of(cls: type[E]) -> st.SearchStrategy[E]:
    """Events of one class, fresh from their producer or as the log gives them back."""
    always = {"timestamp": timestamps()}
    fresh = instances_of(cls, always | {name: st.none() for name in LOG_FIELDS})
    logged = instances_of(cls, always | _log_fields())
    return fresh | logged


def events() -> st.SearchStrategy[Event]:
    """Any event of the closed set."""
    every = st.one_of(*map(event_of, EVENT_CLASSES))
    return cast("st.SearchStrategy[Event]", every)


def _log_fields() -> dict[str, st.SearchStrategy[Any]]:
    ids = _ids()
    return {"event_id": ids, "session_id": ids, "run_id": ids, "seq": st.integers(min_value=1)}


def moments() -> st.SearchStrategy[datetime]:
    """Moments as sessions and messages keep them."""
    return timestamps().map(lambda seconds: datetime.fromtimestamp(seconds, UTC))


def sessions() -> st.SearchStrategy[Session]:
    """Any session a store can hold; ids and names are text that every database can compare."""
    return instances_of(
        Session,
        {
            "session_id": _ids(),
            "user_id": _names(),
            "assistant_id": _names(),
            "created_at": moments(),
            "last_active": moments(),
            "state": json_objects(),
            "metadata": json_objects(),
        },
    )


def messages() -> st.SearchStrategy[Message]:
    """Any message a store can hold, with whatever a person or a model may have written."""
    known = {"message_id": _ids(), "session_id": _ids(), "created_at": moments()}
    return instances_of(Message, known | {"metadata": json_objects()})


def json_objects() -> st.SearchStrategy[dict[str, JsonValue]]:
    """Any JSON object."""
    return st.dictionaries(text(), json_values(), max_size=3)


def decisions(kind: HumanRequestKind) -> st.SearchStrategy[Decision]:
    """Any answer that `check_decision` takes for this kind of question."""
    return st.one_of(*(_decisions_of(type_) for type_ in ALLOWED[kind]))


def _decisions_of(type_: str) -> st.SearchStrategy[Decision]:
    required: dict[str, st.SearchStrategy[Any]] = {"type": st.just(type_)}
    optional: dict[str, st.SearchStrategy[Any]] = {
        "message": st.none() | text(),
        "scope": st.sampled_from(["once", "always"]),
        "args": json_objects(),
        "answer": json_values(),
    }
    if type_ == "edit":
        required["args"] = optional.pop("args")
    if type_ == "respond":
        required["message"] = text().filter(bool)
        del optional["message"]
    drawn = st.fixed_dictionaries(required, optional=optional)
    return cast("st.SearchStrategy[Decision]", drawn)


def _ids() -> st.SearchStrategy[str]:
    return st.uuids().map(lambda value: value.hex)


def _names() -> st.SearchStrategy[str]:
    return st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=64)
