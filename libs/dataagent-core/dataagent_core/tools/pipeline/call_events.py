"""A tool call as events: that it began, and what came of it."""

import hashlib
from collections.abc import Mapping

from langchain_core.messages import ToolMessage

from dataagent_core.events import (
    Event,
    FileOperationEvent,
    TodoUpdateEvent,
    ToolCallEvent,
    ToolResultEvent,
    WarningEvent,
)
from dataagent_core.language.unicode_text import storable
from dataagent_core.session import Run
from dataagent_core.tools.command_changes import CommandReport
from dataagent_core.tools.file_tracker import FileOpRecord
from dataagent_core.tools.output.artifacts import read_artifacts
from dataagent_core.tools.pipeline.agent_call import AgentCall
from dataagent_core.tools.pipeline.outcome import (
    ToolReturn,
    collect_state_update,
    find_message,
    make_receipt,
    render_result,
)


def make_call_event(run: Run, call: AgentCall) -> ToolCallEvent:
    """Say that the model made a call."""
    return ToolCallEvent(
        # The same call goes through the pipeline again after a sub-agent's interrupt: one fact,
        # one id. A later attempt is another fact, because `resumed` voids the first.
        event_id=f"call:{run.run_id}:{call.key}:{run.attempt}",
        tool_name=call.name,
        tool_args=call.args,
        tool_call_id=call.call_id,
        subagent=call.subagent,
    )


def parse_call_key(event_id: str, run_id: str) -> str:
    """Give the key of the call that an event's id names."""
    return event_id.removeprefix(f"call:{run_id}:").rpartition(":")[0]


def make_refusal_event(call: AgentCall, message: ToolMessage) -> ToolResultEvent:
    """Say that a call was answered without being run."""
    return _make_result_event(call, message, 0)


def make_result_events(
    call: AgentCall, result: ToolReturn, record: FileOpRecord | None, duration_ms: int
) -> list[Event]:
    """Say what a call returned, what it did to a file, and how the plan now stands."""
    message = find_message(result, call.call_id)
    events: list[Event] = [_make_result_event(call, message, duration_ms)]
    if record is not None:
        events.append(_make_file_event(record))
    # A sub-agent's list is its own; the person follows the agent's.
    if call.subagent is None and isinstance(
        todos := collect_state_update(result).get("todos"), list
    ):
        plan = [dict(todo) for todo in todos if isinstance(todo, Mapping)]
        events.append(TodoUpdateEvent(todos=plan))
    return events


def make_change_events(run: Run, report: CommandReport) -> list[Event]:
    """Say what a command changed in the workspace, and what of it could not be seen."""
    notices: list[Event] = [
        WarningEvent(
            # Once in a run is enough: most of these hold for every command.
            event_id=f"changes:{run.run_id}:{hashlib.sha256(notice.encode()).hexdigest()[:32]}",
            code="FILE_CHANGES_UNSEEN",
            message=notice,
        )
        for notice in (storable(notice) for notice in report.notices)
    ]
    return [*(_make_file_event(record) for record in report.records), *notices]


def _make_result_event(call: AgentCall, message: ToolMessage, duration_ms: int) -> ToolResultEvent:
    return ToolResultEvent(
        tool_call_id=call.call_id,
        tool_name=call.name,
        result=render_result(message),
        status=message.status,
        duration_ms=duration_ms,
        receipt=make_receipt(call.args_hash, message),
        artifacts=read_artifacts(call, message),
    )


def _make_file_event(record: FileOpRecord) -> FileOperationEvent:
    return FileOperationEvent(
        operation=record.operation,
        file_path=storable(record.display_path),
        metrics=dict(record.metrics),
        diff=storable(record.diff),
        status=record.status,
    )
