"""What a bundle says, checked as if its writer meant harm, and as a part of a session.

Events are in order and of runs that began once and ended once; ids are ids; moments are moments.
What only the harness that wrote it could vouch for is taken away: receipts, sources of figures,
artifacts, modes. The model's history is the engine's to check.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field
from pydantic import ValidationError as PydanticValidationError

from dataagent_core.config.limits.sessions import (
    BUNDLE_EVENTS_MAX,
    BUNDLE_ID_CHARS_MAX,
    BUNDLE_MESSAGES_MAX,
    TITLE_CHARS_MAX,
)
from dataagent_core.errors import ValidationError
from dataagent_core.events import DoneEvent, Event, RunStartedEvent, from_dict
from dataagent_core.session.bundle_file import names
from dataagent_core.session.bundle_file.archive import Archive
from dataagent_core.session.bundle_file.foreign_events import without_claims
from dataagent_core.session.copies.session_part import SessionPart
from dataagent_core.session.run import summarize_runs
from dataagent_core.session.state import Message, Role

M = TypeVar("M", bound=BaseModel)

_MESSAGE_ID: Final = r"^[A-Za-z0-9._:-]{1,200}$"
# Or none: what belongs to the session alone.
_RUN_ID: Final = re.compile(r"([A-Za-z0-9][A-Za-z0-9._-]{0,63})?\Z")
# The last second of the year 9999, beyond which no moment can be shown.
_SECONDS_MAX: Final = 253_402_300_799.0


class _Strict(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class _SessionHead(_Strict):
    session_id: str
    assistant_id: str
    title: str = Field(max_length=TITLE_CHARS_MAX * 4)
    created_at: str
    last_active: str


class _Head(_Strict):
    format: Literal["dataagent.bundle"]
    version: Literal[1]
    session: _SessionHead


class _BundleMessage(_Strict):
    message_id: str = Field(pattern=_MESSAGE_ID)
    role: Role
    content: str
    created_at: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Bundle:
    """What a file holds, as far as it may be believed."""

    title: str
    created_at: datetime
    part: SessionPart
    # For the engine to check; JSON values.
    history: Any
    # What the session was called where it comes from: to be shown, never to be looked up.
    session_id: str


def read_bundle(archive: Archive) -> Bundle:
    """Read a bundle, or say what is wrong with it; blocks."""
    head = _validated(_Head, _value(archive.part(names.HEAD), names.HEAD), names.HEAD)
    messages = list(_messages(archive))
    events = list(_events(archive))
    _check_order(events, {message.message_id for message in messages if message.role == "user"})
    runs = summarize_runs(events)
    if any(not run.done for run in runs):
        raise ValidationError("the bundle holds a run that is not finished.")
    part = SessionPart(
        messages=messages,
        events=[without_claims(event) for event in events],
        runs=runs,
        left_runs=(),
    )
    return Bundle(
        title=head.session.title,
        created_at=_moment(head.session.created_at, names.HEAD),
        part=part,
        history=_value(archive.part(names.HISTORY), names.HISTORY),
        session_id=head.session.session_id[:80],
    )


def _messages(archive: Archive) -> Iterator[Message]:
    known: set[str] = set()
    for number, line in enumerate(archive.lines(names.MESSAGES), 1):
        where = f"line {number} of {names.MESSAGES}"
        if number > BUNDLE_MESSAGES_MAX:
            raise ValidationError(f"the bundle holds more than {BUNDLE_MESSAGES_MAX:,} messages.")
        said = _validated(_BundleMessage, _value(line, where), where)
        if said.message_id in known:
            raise ValidationError(f"{where} repeats the message {said.message_id!r}.")
        known.add(said.message_id)
        yield Message(
            message_id=said.message_id,
            session_id="",
            role=said.role,
            content=said.content,
            created_at=_moment(said.created_at, where),
        )


def _events(archive: Archive) -> Iterator[Event]:
    known: set[str] = set()
    for number, line in enumerate(archive.lines(names.EVENTS), 1):
        where = f"line {number} of {names.EVENTS}"
        if number > BUNDLE_EVENTS_MAX:
            raise ValidationError(f"the bundle holds more than {BUNDLE_EVENTS_MAX:,} events.")
        value = _value(line, where)
        if not isinstance(value, dict):
            raise ValidationError(f"{where} is no event.")
        event = from_dict(value)  # pyright: ignore[reportUnknownArgumentType] (whatever it holds is checked)
        event_id = event.event_id or ""
        if (
            event.seq != number
            or event_id in known
            or not 1 <= len(event_id) <= BUNDLE_ID_CHARS_MAX
        ):
            raise ValidationError(f"{where} is out of order, or an event twice.")
        if not event_id.isprintable() or event.run_id is None or not _RUN_ID.match(event.run_id):
            raise ValidationError(f"{where} has an id that is refused.")
        if not 0 <= event.timestamp <= _SECONDS_MAX:
            raise ValidationError(f"{where} has no moment that can be shown.")
        known.add(event_id)
        yield event


def _check_order(events: list[Event], asked: set[str]) -> None:
    begun: set[str] = set()
    over: set[str] = set()
    for event in events:
        run_id = event.run_id or ""
        if run_id in over:
            raise ValidationError(f"event {event.seq} follows the end of its run.")
        if isinstance(event, RunStartedEvent):
            if not run_id or run_id in begun or event.message_id not in asked:
                raise ValidationError(f"event {event.seq} begins a run that cannot be.")
            begun.add(run_id)
            asked = asked - {event.message_id}
        elif isinstance(event, DoneEvent):
            if run_id not in begun:
                raise ValidationError(f"event {event.seq} ends a run that never began.")
            over.add(run_id)


def _value(text: bytes, where: str) -> Any:
    try:
        return json.loads(text, parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        raise ValidationError(f"{where} is no JSON that can be read: {error!s:.200}.") from error


def _no_number(name: str) -> Any:
    raise ValueError(f"{name} is no number")


def _validated(model: type[M], value: Any, where: str) -> M:
    try:
        return model.model_validate(value)
    except PydanticValidationError as error:
        raise ValidationError(f"{where} is not as it must be: {error!s:.500}") from error


def _moment(text: str, where: str) -> datetime:
    try:
        moment = datetime.fromisoformat(text)
        if moment.tzinfo is not None:
            return moment.astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise ValidationError(f"{where} has no moment that can be read: {error}.") from error
    raise ValidationError(f"{where} has a moment without a time zone.")
