"""A tool call as events: that it began, and what came of it."""

from dataagent_core.events import (
    Event,
    FileOperationEvent,
    SubAgentEvent,
    TodoUpdateEvent,
    ToolCallEvent,
    ToolResultEvent,
)
from dataagent_core.events.agents import SubAgentPhase
from dataagent_core.session import Run
from dataagent_core.tools.call import Call
from dataagent_core.tools.file_tracker import FileOpRecord
from dataagent_core.tools.outcome import (
    ToolReturn,
    message_of,
    receipt_of,
    shown,
    state_update_of,
)


def start_events(run: Run, call: Call) -> list[Event]:
    """Say that a call begins, and the sub-agent it starts, if it does."""
    began = ToolCallEvent(
        event_id=_fact_id(run, call, "call"),
        tool_name=call.name,
        tool_args=call.args,
        tool_call_id=call.call_id,
        subagent=call.subagent,
    )
    return [began, *_subagent_events(run, call, "started")]


def result_events(
    run: Run, call: Call, result: ToolReturn, record: FileOpRecord | None, duration_ms: int
) -> list[Event]:
    """Say what a call returned, what it did to a file, and how the plan now stands."""
    message = message_of(result, call.call_id)
    events: list[Event] = [
        ToolResultEvent(
            tool_call_id=call.call_id,
            tool_name=call.name,
            result=shown(message),
            status=message.status,
            duration_ms=duration_ms,
            receipt=receipt_of(call.args_hash, message),
        )
    ]
    if record is not None:
        events.append(_file_operation(record))
    # A sub-agent's list is its own; the person follows the agent's.
    if call.subagent is None and "todos" in (update := state_update_of(result)):
        events.append(TodoUpdateEvent(todos=[dict(todo) for todo in update["todos"]]))
    ended: SubAgentPhase = "failed" if message.status == "error" else "finished"
    return [*events, *_subagent_events(run, call, ended)]


def _fact_id(run: Run, call: Call, what: str) -> str:
    # The same call goes through the pipeline again after a sub-agent's interrupt: one fact, one id.
    return f"{what}:{run.run_id}:{call.key}:{run.attempt}"


def _subagent_events(run: Run, call: Call, phase: SubAgentPhase) -> list[Event]:
    if call.name != "task":
        return []
    return [
        SubAgentEvent(
            event_id=_fact_id(run, call, phase),
            phase=phase,
            name=str(call.args.get("subagent_type", "")),
            task=str(call.args.get("description", "")),
        )
    ]


def _file_operation(record: FileOpRecord) -> FileOperationEvent:
    return FileOperationEvent(
        operation=record.operation,
        file_path=record.display_path,
        metrics=dict(record.metrics),
        diff=record.diff,
        status=record.status,
    )
