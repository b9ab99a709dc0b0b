"""Carries a conversation from run to run; the only module that knows LangGraph's threads.

Each run has a thread of its own, named by its id. It begins with the state of the last run that has
a checkpoint: all messages, the plan, and how the history is shown. Once the new thread holds that,
the old one is dropped. So a session's checkpoints are as large as its history, however many runs it
had (deepagents' delta channel cannot be pruned within a thread), and a run that failed before its
first checkpoint loses nothing.
"""

import logging
from collections.abc import Sequence
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import BaseCheckpointSaver, PendingWrite
from langgraph.pregel import Pregel
from langgraph.types import StateSnapshot

from dataagent_core.context.context_record import RECORD_KEY, REPORT_KEY
from dataagent_core.engine.middleware.middleware_chain import FIRST_STEP
from dataagent_core.errors import StorageError
from dataagent_core.session import Run

logger = logging.getLogger(__name__)

Graph = Pregel[Any, Any, Any, Any]

_MESSAGES_CHANNEL = "messages"
# Carried besides the messages; notes and skills are read anew by every run.
_CARRIED = ("todos", RECORD_KEY, REPORT_KEY)


def thread(run_id: str, recursion_limit: int | None = None) -> RunnableConfig:
    """Return the configuration that names the checkpoints of a run."""
    config: RunnableConfig = {"configurable": {"thread_id": run_id}}
    if recursion_limit is not None:
        config["recursion_limit"] = recursion_limit
    return config


async def begin(graph: Graph, run: Run, message: HumanMessage | None) -> dict[str, Any]:
    """Return the first input of a run: the conversation so far and the new message, if any."""
    new = [] if message is None else [message]
    source, state = await _find_source(graph, run)
    if source is None or state is None:
        return {"messages": new}
    carried = {key: state.values[key] for key in _CARRIED if key in state.values}
    if carried:
        await graph.aupdate_state(thread(run.run_id), carried, as_node=FIRST_STEP)
    messages = await with_unapplied(_checkpoints(graph), thread(source), state.values["messages"])
    return {"messages": [*messages, *new]}


async def obsolete_run(graph: Graph, run: Run) -> str | None:
    """Return the id of the earlier run whose thread this run's has replaced, if any."""
    if not holds(await graph.aget_state(thread(run.run_id)), run):
        return None
    source, _ = await _find_source(graph, run)
    return source


async def drop_obsolete(graph: Graph, checkpoints: BaseCheckpointSaver[Any], run: Run) -> None:
    """Remove the thread that a finished run's has replaced."""
    try:
        obsolete = await obsolete_run(graph, run)
        if obsolete is not None:
            await checkpoints.adelete_thread(obsolete)
    except StorageError:
        # The run is done; what is left behind only takes space.
        logger.exception("cannot drop the checkpoints that run %s replaced", run.run_id)


async def artifacts(graph: Graph, run: Run) -> list[Any]:
    """List the artifacts of tool results in the conversation so far, oldest first."""
    run_id: str | None = run.run_id
    state: StateSnapshot | None = await graph.aget_state(thread(run.run_id))
    if not holds(state, run):
        run_id, state = await _find_source(graph, run)
    if run_id is None or state is None:
        return []
    messages = state.values.get("messages", [])
    known = await with_unapplied(_checkpoints(graph), thread(run_id), messages)
    return [message.artifact for message in known if isinstance(message, ToolMessage)]


def _checkpoints(graph: Graph) -> BaseCheckpointSaver[Any]:
    checkpoints = graph.checkpointer
    if not isinstance(checkpoints, BaseCheckpointSaver):
        raise TypeError("an agent's graph has a store of checkpoints")
    return checkpoints


async def _find_source(graph: Graph, run: Run) -> tuple[str | None, StateSnapshot | None]:
    for run_id in run.earlier_run_ids:
        state = await graph.aget_state(thread(run_id))
        if state.values.get("messages"):
            return run_id, state
    return None, None


def holds(state: StateSnapshot, run: Run) -> bool:
    """Return whether a run's thread has the earlier history, and its message if it has one."""
    if run.kind == "compaction":
        return bool(state.values.get("messages"))
    return knows(state, run.message_id)


def knows(state: StateSnapshot, message_id: str | None) -> bool:
    """Return whether a thread has the message of that id."""
    known: Sequence[BaseMessage] = state.values.get("messages", [])
    return any(message.id == message_id for message in known)


def answers_of(state: StateSnapshot, run: Run) -> list[AIMessage]:
    """List the model's messages of this run, also those of a step not yet applied."""
    messages: list[BaseMessage] = list(state.values.get("messages", []))
    for task in state.tasks:
        if isinstance(task.result, dict):
            messages.extend(task.result.get("messages", []))
    own: list[AIMessage] = []
    # A step may return the whole history again, so earlier messages are recognized by their ids.
    seen: set[str | None] = set()
    begun = False
    for message in messages:
        begun = begun or message.id == run.message_id
        if begun and isinstance(message, AIMessage) and message.id not in seen:
            own.append(message)
        seen.add(message.id)
    return own


async def with_unapplied(
    checkpoints: BaseCheckpointSaver[Any], thread: RunnableConfig, messages: Sequence[BaseMessage]
) -> list[BaseMessage]:
    """Return a thread's messages and the results that are not yet part of its state.

    The calls of one turn are one step of the graph, and their results join the history when all of
    them are finished. When a run ends in between (a person rejected one call, or stopped the run),
    the finished ones are pending writes of the last checkpoint: the next run must know them.
    """
    if not _open_calls(messages):
        return list(messages)
    saved = await checkpoints.aget_tuple(thread)
    return _join_results(messages, (saved.pending_writes if saved else None) or [])


def _join_results(
    messages: Sequence[BaseMessage], writes: Sequence[PendingWrite]
) -> list[BaseMessage]:
    """Append the results among pending writes, in the order of the calls they answer."""
    results = {
        message.tool_call_id: message
        for _, channel, value in writes
        if channel == _MESSAGES_CHANNEL
        for message in (value if isinstance(value, list) else [value])  # pyright: ignore[reportUnknownVariableType]
        if isinstance(message, ToolMessage)
    }
    calls = _open_calls(messages)
    return [*messages, *(results[call_id] for call_id in calls if call_id in results)]


def _open_calls(messages: Sequence[BaseMessage]) -> list[str]:
    """List the ids of the last turn's calls that have no result."""
    answered = {m.tool_call_id for m in messages if isinstance(m, ToolMessage)}
    last = next((m for m in reversed(messages) if isinstance(m, AIMessage)), None)
    calls = last.tool_calls if last else []
    return [call["id"] for call in calls if call["id"] and call["id"] not in answered]
