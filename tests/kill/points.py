"""The named points at which a run is killed, as edges around the real stores.

Each trap writes the name of its point to a file, so that a test can tell a point that was hit
from one that was never reached, and then kills its own process with SIGKILL.
"""

import os
import signal
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from langchain_core.messages import AIMessage, HumanMessage

from dataagent_core.events import (
    DoneEvent,
    Event,
    HITLAnswerEvent,
    HITLRequestEvent,
    StepEndEvent,
    StepStartEvent,
    TextEvent,
    WorkPlanEvent,
)
from dataagent_core.session import EventLog, Intent, JournalEntry, JournalRecord, Outcome
from dataagent_core.session.stores.sqlite.checkpoints import SqliteCheckpointer

Batch = tuple[Sequence[Event], Sequence[JournalRecord]]


def _piece(batch: Batch) -> bool:
    return any(isinstance(e, TextEvent) and not e.is_final for e in batch[0])


def _final_text(batch: Batch) -> bool:
    return any(isinstance(e, TextEvent) and e.is_final for e in batch[0])


def _of(kind: type) -> Callable[[Batch], bool]:
    return lambda batch: any(isinstance(item, kind) for item in (*batch[0], *batch[1]))


# Point -> (what the transaction contains, whether the kill is before or after it).
AROUND_THE_LOG: dict[str, tuple[Callable[[Batch], bool], str]] = {
    "model streaming": (_piece, "after"),
    "text committed, checkpoint not": (_final_text, "after"),
    "intent written": (_of(Intent), "after"),
    "tool done, outcome not committed": (_of(Outcome), "before"),
    "event committed, checkpoint not": (_of(Outcome), "after"),
    "waiting for an approval": (_of(HITLRequestEvent), "after"),
    "approval given": (_of(HITLAnswerEvent), "after"),
    "before done": (_of(DoneEvent), "before"),
}


def _plan_of(stage: str | None, change: str, *, steps: bool) -> Callable[[Batch], bool]:
    """Match the versions of a plan of one kind; `steps`: whether they have any."""
    return lambda batch: any(
        isinstance(e, WorkPlanEvent)
        and (e.stage, e.change, bool(e.steps)) == (stage, change, steps)
        for e in batch[0]
    )


# In runs that work by a plan, and in staged ones.
IN_PLANS: dict[str, tuple[Callable[[Batch], bool], str]] = {
    "planning begun, planner not asked": (_plan_of(None, "made", steps=False), "after"),
    "planner answered, plan not committed": (_plan_of(None, "made", steps=True), "before"),
    "plan committed": (_plan_of(None, "made", steps=True), "after"),
    "step begun": (_of(StepStartEvent), "after"),
    "step done, its end not committed": (_of(StepEndEvent), "before"),
    "step ended": (_of(StepEndEvent), "after"),
    "plan over, answer not written": (_plan_of(None, "ended", steps=True), "after"),
}
IN_STAGES: dict[str, tuple[Callable[[Batch], bool], str]] = {
    "thought, stage not left": (_plan_of("plan", "moved_on", steps=False), "before"),
    "review begun": (_plan_of("review", "moved_on", steps=True), "after"),
    "reviewed, verdict not committed": (_plan_of("execute", "reviewed", steps=True), "before"),
    "sent back": (_plan_of("execute", "reviewed", steps=True), "after"),
    "accepted": (_plan_of("review", "reviewed", steps=True), "after"),
}
AFTER_THE_INPUT = "history carried over, nothing done yet"
AFTER_AN_ANSWER = "model message checkpointed, text not committed"
POINTS = (*AROUND_THE_LOG, AFTER_THE_INPUT, AFTER_AN_ANSWER)


@dataclass
class Trap:
    """Kills this process the `nth` time its point is reached."""

    point: str
    nth: int
    witness: Path

    def spring(self, point: str) -> None:
        if point != self.point:
            return
        self.nth -= 1
        if self.nth == 0:
            self.witness.write_text(point)
            os.kill(os.getpid(), signal.SIGKILL)


class TrappedLog(EventLog):
    """The real log with a trap around its transactions."""

    def __init__(self, inner: EventLog, trap: Trap) -> None:
        self._inner = inner
        self._trap = trap

    async def append(
        self,
        session_id: str,
        run_id: str,
        events: Sequence[Event],
        journal: Sequence[JournalRecord] = (),
    ) -> list[Event]:
        self._spring("before", (events, journal))
        stored = await self._inner.append(session_id, run_id, events, journal)
        self._spring("after", (events, journal))
        return stored

    def _spring(self, when: str, batch: Batch) -> None:
        for point, (matches, moment) in (AROUND_THE_LOG | IN_PLANS | IN_STAGES).items():
            if moment == when and matches(batch):
                self._trap.spring(point)

    async def read(self, session_id: str, **options: Any) -> list[Event]:
        return await self._inner.read(session_id, **options)

    async def last_seq(self, session_id: str) -> int:
        return await self._inner.last_seq(session_id)

    async def journal(self, run_id: str) -> list[JournalEntry]:
        return await self._inner.journal(run_id)

    async def delete(self, session_id: str) -> None:
        await self._inner.delete(session_id)


class TrappedCheckpoints(SqliteCheckpointer):
    """The real checkpoints with a trap right after messages were written."""

    trap: Trap

    async def aput_writes(
        self,
        config: Any,
        writes: Sequence[tuple[str, Any]],
        task_id: str,
        task_path: str = "",
    ) -> None:
        await super().aput_writes(config, writes, task_id, task_path)
        for channel, value in writes:
            if channel != "messages":
                continue
            if any(isinstance(message, HumanMessage) for message in value):
                self.trap.spring(AFTER_THE_INPUT)
            elif any(isinstance(message, AIMessage) for message in value):
                self.trap.spring(AFTER_AN_ANSWER)
