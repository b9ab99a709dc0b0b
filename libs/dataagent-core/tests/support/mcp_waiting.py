"""Runs that are put away until somebody answers from elsewhere, as on a server."""

import asyncio
from collections.abc import Callable
from typing import Any, NoReturn, cast

from dataagent_core.errors import NoOneToAskError, StorageError
from dataagent_core.events import HITLAnswerEvent, HITLRequestEvent
from dataagent_core.hitl import ActionRequest, Decision, bound, plain
from dataagent_core.session import Outcome
from dataagent_core.session.stores.bundle import Stores
from dataagent_core.session.stores.memory import MemoryEventLog


async def eventually(true: Callable[[], bool], wait_s: float = 10) -> None:
    """Wait until something has become true."""
    async with asyncio.timeout(wait_s):
        while not true():  # noqa: ASYNC110 (what is waited for has no event)
            await asyncio.sleep(0.005)


class Waiting:
    """Nobody is there: every question leaves the run waiting."""

    async def request_approval(self, action_request: ActionRequest, session_id: str) -> NoReturn:
        raise NoOneToAskError("nobody is here")

    async def answer_question(self, request: HITLRequestEvent, session_id: str) -> NoReturn:
        raise NoOneToAskError("nobody is here")


class WaitsForAnswers(Waiting):
    """Approves what is asked; questions leave the run waiting."""

    def __init__(self) -> None:
        self.approved: list[ActionRequest] = []

    async def request_approval(self, action_request: ActionRequest, session_id: str) -> Any:
        self.approved.append(action_request)
        return {"type": "approve"}


async def answered(
    stores: Stores, request: HITLRequestEvent, decision: Decision | None = None
) -> None:
    """Write a person's answer into the log, as a server does while no engine runs."""
    given = decision or {"type": "approve"}
    action = cast("ActionRequest", request.action_requests[0])
    answer = HITLAnswerEvent(
        event_id=f"answer:{request.run_id}:{request.interrupt_id}",
        interrupt_id=request.interrupt_id,
        kind=request.kind,
        decision=plain(bound(given, action)),
        by="somebody",
    )
    await stores.log.append(request.session_id or "", request.run_id or "", [answer])


class DiesBeforeOutcome(MemoryEventLog):
    """A log whose process is gone once a tool has run, while it is `dying`."""

    dying = False

    async def append(self, session_id: str, run_id: str, events: Any, journal: Any = ()) -> Any:
        if self.dying and any(isinstance(record, Outcome) for record in journal):
            raise StorageError("gone")
        return await super().append(session_id, run_id, events, journal)
