"""Reads the session in a bundle and validates it as hostile input.

Events must be in order, every run must begin and end once, and ids and times must be valid. Claims
that only the writing installation can vouch for are removed: receipts, sources of figures,
artifacts, modes. The engine validates the model's history.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
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
from dataagent_core.events import (
    ContextCompressedEvent,
    DoneEvent,
    Event,
    ModeChangedEvent,
    RunResumedEvent,
    RunStartedEvent,
    TextEvent,
    ToolResultEvent,
    from_dict,
)
from dataagent_core.session.bundle_file import names
from dataagent_core.session.bundle_file.archive import Archive
from dataagent_core.session.copies.session_part import SessionPart
from dataagent_core.session.run import summarize_runs
from dataagent_core.session.state import Message, Role

M = TypeVar("M", bound=BaseModel)

# An event that says that the session was imported precedes those of the file.
_SHIFT = 1
_MESSAGE_ID: Final = r"^[A-Za-z0-9._:-]{1,200}$"
# Empty for an event of the session that belongs to no run.
_RUN_ID: Final = re.compile(r"([A-Za-z0-9][A-Za-z0-9._-]{0,63})?\Z")
# The last second of the year 9999, the latest time that can be shown.
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
    """The validated content of a bundle."""

    title: str
    created_at: datetime
    part: SessionPart
    # JSON values that the engine validates.
    history: Any
    # Its id in the exporting installation: to be shown, never to be looked up.
    session_id: str


def read_bundle(archive: Archive) -> Bundle:
    """Read a bundle; raise if it is invalid. Blocks."""
    head = _validate(_Head, _parse_json(archive.part(names.HEAD), names.HEAD), names.HEAD)
    messages = list(_read_messages(archive))
    events = list(_read_events(archive))
    _check_order(events, {message.message_id for message in messages if message.role == "user"})
    runs = summarize_runs(events)
    if any(not run.done for run in runs):
        raise ValidationError("the bundle holds a run that is not finished.")
    part = SessionPart(
        messages=messages,
        events=[remove_claims(event) for event in events],
        runs=runs,
        left_runs=(),
    )
    return Bundle(
        title=head.session.title,
        created_at=_parse_time(head.session.created_at, names.HEAD),
        part=part,
        history=_parse_json(archive.part(names.HISTORY), names.HISTORY),
        session_id=head.session.session_id[:80],
    )


def _read_messages(archive: Archive) -> Iterator[Message]:
    known: set[str] = set()
    for number, line in enumerate(archive.lines(names.MESSAGES), 1):
        where = f"line {number} of {names.MESSAGES}"
        if number > BUNDLE_MESSAGES_MAX:
            raise ValidationError(f"the bundle holds more than {BUNDLE_MESSAGES_MAX:,} messages.")
        message = _validate(_BundleMessage, _parse_json(line, where), where)
        if message.message_id in known:
            raise ValidationError(f"{where} repeats the message {message.message_id!r}.")
        known.add(message.message_id)
        yield Message(
            message_id=message.message_id,
            session_id="",
            role=message.role,
            content=message.content,
            created_at=_parse_time(message.created_at, where),
        )


def _read_events(archive: Archive) -> Iterator[Event]:
    known: set[str] = set()
    for number, line in enumerate(archive.lines(names.EVENTS), 1):
        where = f"line {number} of {names.EVENTS}"
        if number > BUNDLE_EVENTS_MAX:
            raise ValidationError(f"the bundle holds more than {BUNDLE_EVENTS_MAX:,} events.")
        value = _parse_json(line, where)
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


def _check_order(events: list[Event], user_message_ids: set[str]) -> None:
    begun: set[str] = set()
    ended: set[str] = set()
    for event in events:
        run_id = event.run_id or ""
        if run_id in ended:
            raise ValidationError(f"event {event.seq} follows the end of its run.")
        if isinstance(event, RunStartedEvent):
            if not run_id or run_id in begun or event.message_id not in user_message_ids:
                raise ValidationError(f"event {event.seq} begins a run that cannot be.")
            begun.add(run_id)
            user_message_ids = user_message_ids - {event.message_id}
        elif isinstance(event, DoneEvent):
            if run_id not in begun:
                raise ValidationError(f"event {event.seq} ends a run that never began.")
            ended.add(run_id)


def _parse_json(text: bytes, where: str) -> Any:
    try:
        return json.loads(text, parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        raise ValidationError(f"{where} is no JSON that can be read: {error!s:.200}.") from error


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is no number")


def _validate(model: type[M], value: Any, where: str) -> M:
    try:
        return model.model_validate(value)
    except PydanticValidationError as error:
        raise ValidationError(f"{where} is not as it must be: {error!s:.500}") from error


def _parse_time(text: str, where: str) -> datetime:
    try:
        moment = datetime.fromisoformat(text)
        if moment.tzinfo is not None:
            return moment.astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise ValidationError(f"{where} has no moment that can be read: {error}.") from error
    raise ValidationError(f"{where} has a moment without a time zone.")


def remove_claims(event: Event) -> Event:
    """Return the event as it is imported: one number later, without what only its writer knew.

    A receipt in this log means that this installation saw the call; a mode, that its user chose it.
    """
    match event:
        case RunStartedEvent() | ModeChangedEvent():
            return replace(event, mode="ask")
        case RunResumedEvent():
            return replace(event, discard_after=event.discard_after + _SHIFT)
        case ToolResultEvent():
            return replace(event, receipt=None, artifacts=[])
        case TextEvent():
            return replace(event, figures=[], unsourced=[])
        case ContextCompressedEvent():
            return replace(
                event,
                from_seq=_shift(event.from_seq),
                to_seq=_shift(event.to_seq),
                pins=[{**pin, "seq": _shift(pin.get("seq"))} for pin in event.pins],
            )
        case _:
            return event


def _shift(seq: Any) -> Any:
    return seq + _SHIFT if isinstance(seq, int) else seq
