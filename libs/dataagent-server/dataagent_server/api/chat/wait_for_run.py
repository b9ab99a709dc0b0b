"""Waits for a run on behalf of `POST /chat`: until it rests, for a time, or until a stop."""

import asyncio
from contextlib import aclosing
from typing import Any, Literal

from dataagent_server.api.chat.run_events import until_rest
from dataagent_server.api.chat.start_run import StartedRun
from dataagent_server.api.limits import CHAT_WAIT_S
from dataagent_server.common.errors import OverloadedError, RequestTimeoutError
from dataagent_server.composition import Services
from dataagent_server.identity.auth.principal import Principal
from dataagent_server.sessions.live.event_line import EventLine

Outcome = tuple[Literal["done", "waiting"], list[EventLine]]


async def outcome_of(services: Services, principal: Principal, started: StartedRun) -> Outcome:
    """Return how the run came to rest, with its events; for a repetition, the earlier answer."""
    upto = None if started.answer is None else started.answer["upto"]
    collecting = asyncio.create_task(_collect(services, principal, started, upto))
    stopping = asyncio.create_task(services.stopping.wait())
    first = asyncio.FIRST_COMPLETED
    try:
        await asyncio.wait({collecting, stopping}, timeout=CHAT_WAIT_S, return_when=first)
        if not collecting.done():
            raise _not_finished(started, stopping=stopping.done())
        lines = collecting.result()
    finally:
        collecting.cancel()
        stopping.cancel()
        await asyncio.wait({collecting, stopping})
    over = any(line.data["event_type"] == "done" for line in lines)
    return ("done" if over else "waiting"), lines


async def _collect(
    services: Services, principal: Principal, started: StartedRun, upto: int | None
) -> list[EventLine]:
    collected: list[EventLine] = []
    batches = until_rest(services, principal, started.run, started.after)
    async with aclosing(batches):
        async for lines in batches:
            collected += lines
            if upto is not None and collected and collected[-1].seq >= upto:
                break
    return [line for line in collected if upto is None or line.seq <= upto]


def _not_finished(started: StartedRun, *, stopping: bool) -> OverloadedError | RequestTimeoutError:
    run = started.run
    details: dict[str, Any] = {"session_id": run.session_id, "run_id": run.run_id}
    where = f"/api/v1/sessions/{run.session_id}/events/stream"
    if stopping:
        return OverloadedError(
            f"The server is stopping; the run goes on with another one. Follow it at {where}.",
            details,
        )
    return RequestTimeoutError(
        f"The run is still going after {CHAT_WAIT_S:g} seconds, and goes on. Follow it at {where}.",
        details,
    )
