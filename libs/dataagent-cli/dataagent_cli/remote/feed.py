"""A session's events as they happen: from a number on, with no gap and no repeat.

A connection that is lost is made again, with growing waits, from the last number that came. What
cannot get better by waiting (the key, the right, the session is gone) is raised.
"""

import asyncio
import random
import time
from collections.abc import AsyncGenerator
from typing import TYPE_CHECKING, Protocol

from dataagent_cli.messages import Messages
from dataagent_cli.remote.backoff import delay_s
from dataagent_cli.remote.client import ServerClient
from dataagent_cli.remote.failures import ServerAwayError, make_server_error
from dataagent_cli.remote.frames import EventFrame, NotOursError, RefusalFrame, decode_frame
from dataagent_cli.remote.limits import BACKOFF_S_MAX

if TYPE_CHECKING:
    from dataagent_core.events import Event


class ConnectionListener(Protocol):
    """Learns, over and over, whether the server can be heard."""

    def __call__(self, *, heard: bool) -> None: ...


async def follow(
    client: ServerClient, session_id: str, after: int, say: Messages, tell: ConnectionListener
) -> AsyncGenerator["Event", None]:
    """Give every event after a number, for ever."""
    last, failures = after, 0
    while True:
        began_s = time.monotonic()
        try:
            async with client.socket(session_id, last) as socket:
                tell(heard=True)
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
            pass  # told as not heard; tried again below
        tell(heard=False)
        # One that held for long was a good one, however quiet.
        failures = 0 if time.monotonic() - began_s > BACKOFF_S_MAX else failures
        await asyncio.sleep(delay_s(failures, random.random()))  # noqa: S311 (no secret)
        failures += 1


def _leaves_a_gap(frame: EventFrame, last: int) -> bool:
    return frame.seq != last + 1
