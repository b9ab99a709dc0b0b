"""Histories in checkpoints, for those who move a conversation without running it.

Needs no agent: a graph of one step that does nothing has the same state as every agent's, so what
one writes the other reads. Which part of it is meant is told by ids; what stands in a history after
a cut is nobody's business any more, so neither the record of how it was shown nor the plan of
later may come along.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NotRequired

from langchain_core.messages import BaseMessage
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import START, StateGraph

from dataagent_core.context.context_record import (
    RECORD_KEY,
    REPORT_KEY,
    ContextRecord,
    ContextState,
)
from dataagent_core.engine.checkpoints.history import Graph, thread, with_unapplied
from dataagent_core.engine.checkpoints.history_values import pack_history, unpack_history
from dataagent_core.engine.graph.deep import DeepAgentState
from dataagent_core.engine.middleware.middleware_chain import FIRST_STEP
from dataagent_core.session.copies.histories import HistoryExtent
from dataagent_core.session.copies.new_ids import IdMapping

_TODOS_KEY = "todos"


class _State(ContextState, DeepAgentState):  # pyright: ignore[reportIncompatibleVariableOverride] (the last one counts)
    """What is carried from run to run (`history.py`)."""

    todos: NotRequired[list[Any]]


@dataclass(frozen=True, slots=True, kw_only=True)
class CarriedHistory:
    """What a model knows of a conversation."""

    messages: Sequence[BaseMessage]
    todos: Sequence[Any] = ()
    record: ContextRecord = field(default_factory=ContextRecord)
    report: dict[str, Any] | None = None


class CheckpointHistories:
    """The histories of runs in one store of checkpoints."""

    def __init__(self, checkpoints: BaseCheckpointSaver[Any]) -> None:
        self._checkpoints = checkpoints
        self._graph = _carrier(checkpoints)

    async def read(self, extent: HistoryExtent) -> CarriedHistory | None:
        """Return the newest history there is, cut where the extent ends."""
        for run_id in extent.run_ids:
            state = await self._graph.aget_state(thread(run_id))
            messages: Sequence[BaseMessage] = state.values.get("messages", [])
            if messages:
                known = await with_unapplied(self._checkpoints, thread(run_id), messages)
                return _cut(known, state.values, extent)
        return None

    async def write(self, run_id: str, history: CarriedHistory, ids: IdMapping) -> None:
        """Write a history under a run's name, with the names of its new session."""
        values: dict[str, Any] = {"messages": [_renamed(m, ids) for m in history.messages]}
        if history.todos:
            values[_TODOS_KEY] = list(history.todos)
        if history.record.version:
            values[RECORD_KEY] = _renamed_record(history.record, ids).to_state()
        if history.report is not None:
            values[REPORT_KEY] = history.report
        await self._graph.aupdate_state(thread(run_id), values, as_node=FIRST_STEP)

    def pack(self, history: CarriedHistory | None) -> dict[str, Any]:
        """Give what of a history is plain: the record of how it is shown is made anew elsewhere."""
        if history is None:
            return {"messages": [], "todos": []}
        return pack_history(history.messages, history.todos)

    def unpack(self, values: Any) -> CarriedHistory:
        """Make a history of values that may be anything."""
        messages, todos = unpack_history(values)
        return CarriedHistory(messages=messages, todos=todos)

    async def forget(self, run_id: str) -> None:
        """Remove a run's history."""
        await self._checkpoints.adelete_thread(run_id)


def _carrier(checkpoints: BaseCheckpointSaver[Any]) -> Graph:
    builder: Any = StateGraph(_State)
    builder.add_node(FIRST_STEP, _nothing)
    builder.add_edge(START, FIRST_STEP)
    return builder.compile(checkpointer=checkpoints)


def _nothing(_: Any) -> dict[str, Any]:
    return {}


def _cut(
    messages: Sequence[BaseMessage], values: dict[str, Any], extent: HistoryExtent
) -> CarriedHistory:
    kept = list(messages)
    for position, message in enumerate(messages):
        if message.id in extent.before:
            kept = list(messages[:position])
            break
    record = ContextRecord.from_state(values.get(RECORD_KEY))
    if len(kept) == len(messages):
        todos = values.get(_TODOS_KEY) or ()
        report = values.get(REPORT_KEY)
        return CarriedHistory(messages=kept, todos=todos, record=record, report=report)
    known = {message.id for message in kept}
    # One that was made of later messages would tell of them; without it all of them are shown,
    # and made to fit again when they do not.
    if record.made_after not in known:
        record = ContextRecord()
    return CarriedHistory(messages=kept, todos=extent.todos, record=record)


def _renamed(message: BaseMessage, ids: IdMapping) -> BaseMessage:
    if message.id is None:
        return message
    return message.model_copy(update={"id": ids.message_id(message.id)})


def _renamed_record(record: ContextRecord, ids: IdMapping) -> ContextRecord:
    def named(old: str | None) -> str | None:
        return None if old is None else ids.message_id(old)

    return replace(
        record,
        covered_to=named(record.covered_to),
        made_after=named(record.made_after),
        cuts={ids.message_id(name): cut for name, cut in record.cuts.items()},
    )
