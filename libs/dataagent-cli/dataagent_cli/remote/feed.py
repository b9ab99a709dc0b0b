"""The events of a session on a server as they happen: from a number on, without gaps or repeats.

A lost connection is opened again, with growing delays, after the last number that arrived. An error
that waiting cannot cure (invalid key, no access, no such session) is raised.

An event of another version that cannot be read keeps its number: it is shown as a warning, and the
events after it have no gap.
"""

import asyncio
import json
import random
import time
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, cast

from dataagent_cli.messages import Messages
from dataagent_cli.remote.backoff import delay_s
from dataagent_cli.remote.client import ServerClient
from dataagent_cli.remote.failures import ServerAwayError, make_server_error
from dataagent_cli.remote.limits import BACKOFF_S_MAX
from dataagent_core.errors import ValidationError
from dataagent_core.events import WarningEvent, from_dict

if TYPE_CHECKING:
    from dataagent_core.events import Event

_NAME_CHARS_MAX = 60


@dataclass(frozen=True, slots=True)
class EventFrame:
    """An event of the session's log."""

    seq: int
    event: "Event"


@dataclass(frozen=True, slots=True)
class RefusalFrame:
    """Why the server sends nothing more."""

    code: str
    text: str


class NotOursError(Exception):
    """A frame that no server of ours writes; never shown to a person."""


class ConnectionListener(Protocol):
    """Is told whenever the server starts or stops answering."""

    def __call__(self, *, connected: bool) -> None: ...


async def follow(
    client: ServerClient, session_id: str, after: int, say: Messages, tell: ConnectionListener
) -> AsyncGenerator["Event", None]:
    """Yield every event after a number, for ever."""
    last, failures = after, 0
    while True:
        began_s = time.monotonic()
        try:
            async with client.socket(session_id, last) as socket:
                tell(connected=True)
                async for text in socket:
                    frame = decode_frame(text, session_id, say)
                    if isinstance(frame, RefusalFrame):
                        raise make_server_error(frame.code, frame.text, client.url, say)
                    if frame is None or frame.seq <= last:
                        continue
                    if _leaves_a_gap(frame, last):
                        break
                    last, failures = frame.seq, 0
                    yield frame.event
        except (ServerAwayError, NotOursError):
            pass  # reported as disconnected; tried again below
        tell(connected=False)
        # A connection that lasted long resets the delay.
        failures = 0 if time.monotonic() - began_s > BACKOFF_S_MAX else failures
        await asyncio.sleep(delay_s(failures, random.random()))  # noqa: S311 (no secret)
        failures += 1


def decode_frame(
    text: str | bytes, session_id: str, say: Messages
) -> EventFrame | RefusalFrame | None:
    """Read a frame; None if it carries no event."""
    try:
        frame = json.loads(text)
    except ValueError as error:
        raise NotOursError from error
    if not isinstance(frame, dict):
        raise NotOursError
    fields = cast("dict[str, Any]", frame)
    kind, data, seq = fields.get("event_type"), fields.get("data"), fields.get("seq")
    if not isinstance(kind, str) or not isinstance(data, dict):
        raise NotOursError
    inside = cast("dict[str, Any]", data)
    if seq is None:
        return _unnumbered(kind, inside)
    if type(seq) is not int or seq < 1:
        raise NotOursError
    known = {
        "event_type": kind,
        "timestamp": fields.get("timestamp"),
        "session_id": session_id,
        "run_id": fields.get("run_id"),
        "seq": seq,
    }
    return EventFrame(seq, _event({**inside, **known}, seq, say))


def _unnumbered(kind: str, data: dict[str, Any]) -> RefusalFrame | None:
    if kind != "error":
        return None
    return RefusalFrame(str(data.get("code") or ""), str(data.get("error") or ""))


def _event(data: dict[str, Any], seq: int, say: Messages) -> "Event":
    try:
        return from_dict(data)
    except ValidationError:
        name = str(data["event_type"])[:_NAME_CHARS_MAX]
        return WarningEvent(
            code="unknown_event", message=say("remote_unknown_event", name=name), seq=seq
        )


def _leaves_a_gap(frame: EventFrame, last: int) -> bool:
    return frame.seq != last + 1
