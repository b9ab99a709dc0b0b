"""What happens around every tool call, of the agent and of every sub-agent, in this order.

    finished before? > readable? > a person's approval > journal the intent > run > journal the
    outcome with its receipt

Intent and `tool_call`, outcome and `tool_result`, are each written in one transaction, so that a
crash at any point leaves a log that says exactly what is known.
"""

import asyncio
import json
import time
from collections.abc import Awaitable, Callable
from typing import Any, cast

from langchain.agents.middleware.types import AgentMiddleware
from langchain_core.messages import ToolMessage
from langgraph.errors import GraphBubbleUp
from langgraph.prebuilt.tool_node import ToolCallRequest

from dataagent_core.errors import DeniedError, LimitReachedError, StorageError
from dataagent_core.hitl import Decision
from dataagent_core.permissions import (
    Policy,
    RunScope,
    approval_for,
    loop_decision,
    repeat_approval,
)
from dataagent_core.session import Intent, Outcome
from dataagent_core.tools.call import MALFORMED_KEY, Call, call_from
from dataagent_core.tools.call_events import (
    call_event,
    refusal_event,
    result_events,
    start_events,
)
from dataagent_core.tools.effects import Effect, effect_of
from dataagent_core.tools.file_tracker import OPERATIONS, FileOpTracker, FileSource
from dataagent_core.tools.outcome import (
    ToolReturn,
    message_of,
    pack_value,
    receipt_of,
    storable_result,
    unpack,
)

Bound = Callable[[ToolMessage, str], None]
Handler = Callable[[ToolCallRequest], Awaitable[Any]]


class ToolPipeline(AgentMiddleware[Any, Any, Any]):
    """The guard around tool calls; `subagent` names whose calls these are."""

    def __init__(
        self, policy: Policy, backend: FileSource, bound: Bound, subagent: str | None = None
    ) -> None:
        super().__init__()
        self._policy = policy
        self._backend = backend
        self._bound = bound
        self._subagent = subagent

    async def awrap_tool_call(self, request: ToolCallRequest, handler: Handler) -> Any:
        scope = cast("RunScope", request.runtime.context)
        call = call_from(request, self._subagent)
        finished = scope.finished_calls.get(call.key)
        if finished is not None and finished.payload is not None:
            return unpack(finished.payload)
        if problem := _unreadable(call, request):
            return await self._answer_without_running(scope, call, problem)
        try:
            decision = await self._decision(scope, call, request)
        except DeniedError as denied:
            return await self._answer_without_running(scope, call, str(denied))
        if decision["type"] != "approve" and decision["type"] != "edit":
            return await self._answer_without_running(scope, call, _declined(decision))
        if decision["type"] == "edit":
            call, request = _edited(call, request, decision)
        return await self._run(scope, call, request, handler, edited=decision["type"] == "edit")

    async def _decision(self, scope: RunScope, call: Call, request: ToolCallRequest) -> Decision:
        """Ask what has to be asked, in an order that is the same when the run is resumed."""
        action = call.action_request()
        effect: Effect = effect_of(request.tool) if request.tool else "irreversible"
        if call.key in scope.unknown_calls and not _may_repeat(call, effect):
            return repeat_approval(action, _what_is_known(call, effect))
        looping = loop_decision(action, scope)
        if looping is not None and looping["type"] != "continue":
            return looping
        return await approval_for(action, effect, self._policy, scope)

    async def _run(
        self,
        scope: RunScope,
        call: Call,
        request: ToolCallRequest,
        handler: Handler,
        *,
        edited: bool,
    ) -> ToolReturn:
        tracker = FileOpTracker(self._backend)
        tracked = call.name in OPERATIONS
        if tracked:
            await asyncio.to_thread(tracker.start_operation, call.name, call.args, call.call_id)
        await scope.recorder.commit(
            *start_events(scope.run, call),
            journal=[Intent(call_key=call.key, tool_name=call.name, args_hash=call.args_hash)],
        )
        began = time.perf_counter()
        result = await _guarded(handler, request)
        duration_ms = round((time.perf_counter() - began) * 1000)
        if edited:
            message = message_of(result, call.call_id)
            message.content = f"(A person changed the arguments: {call.args})\n{message.text}"
        self._bound(message_of(result, call.call_id), call.key)
        result, packed = storable_result(result, call.call_id)
        message = message_of(result, call.call_id)
        if request.tool is not None:
            scope.taint = scope.taint.after(call.name, request.tool.metadata)
        record = (
            await asyncio.to_thread(tracker.complete_with_message, message) if tracked else None
        )
        events = result_events(scope.run, call, result, record, duration_ms)
        await scope.recorder.commit(*events, journal=[_outcome(call, message, packed)])
        return result

    async def _answer_without_running(self, scope: RunScope, call: Call, text: str) -> ToolMessage:
        message = _error_message(call.name, call.call_id, text)
        events = (call_event(scope.run, call), refusal_event(call, message))
        journal = [_outcome(call, message, pack_value(message))]
        await scope.recorder.commit(*events, journal=journal)
        return message


def _outcome(call: Call, message: ToolMessage, packed: bytes) -> Outcome:
    receipt = json.dumps(receipt_of(call.args_hash, message))
    return Outcome(call_key=call.key, tool_name=call.name, payload=packed, receipt=receipt)


async def _guarded(handler: Handler, request: ToolCallRequest) -> ToolReturn:
    """Run the tool; what it raises is a result for the model, not the end of the run.

    Three things a sub-agent's call can meet are not its own: an interrupt, the run's limit, and a
    log that cannot be written.
    """
    try:
        return await handler(request)
    except (GraphBubbleUp, LimitReachedError, StorageError):
        raise
    except asyncio.CancelledError as error:
        # Some clients raise it for a lost connection; only if this task is cancelled is it ours.
        task = asyncio.current_task()
        if task is None or task.cancelling():
            raise
        failure: BaseException = error
    except Exception as error:  # noqa: BLE001 (third-party tools raise anything)
        failure = error
    text = f"{type(failure).__name__}: {failure}"
    return _error_message(request.tool_call["name"], request.tool_call["id"] or "", text)


def _unreadable(call: Call, request: ToolCallRequest) -> str | None:
    if MALFORMED_KEY in call.args:
        return (
            f"The arguments of {call.name} were not valid JSON, so it did not run: "
            f"{call.args[MALFORMED_KEY]!r:.500}. Call it again with one JSON object."
        )
    if request.tool is None:
        known = ", ".join(sorted(tool.name for tool in request.runtime.tools))
        return f"There is no tool {call.name!r}. Use one of: {known}."
    return None


def _may_repeat(call: Call, effect: Effect) -> bool:
    # A file tool compares the file with what was read, so one that has happened refuses itself.
    return effect in {"pure", "idempotent"} or (effect == "compensable" and call.name in OPERATIONS)


def _what_is_known(call: Call, effect: str) -> str:
    return (
        f"{call.name} had begun when the process ended, and nobody knows whether it happened. It "
        f"is {effect}: make the call again only if it did not."
    )


def _declined(decision: Decision) -> str:
    match decision["type"]:
        case "skip":
            return "Skipped: the same call was made again and again. Try something else."
        case "correct":
            return f"The person stopped a loop and says: {decision.get('message') or 'change it'}"
        case _:
            return f"The person declined this call and says: {decision.get('message')}"


def _edited(
    call: Call, request: ToolCallRequest, decision: Decision
) -> tuple[Call, ToolCallRequest]:
    args = decision.get("args", {})
    changed = request.override(tool_call={**request.tool_call, "args": args})
    return call_from(changed, call.subagent), changed


def _error_message(name: str, call_id: str, text: str) -> ToolMessage:
    return ToolMessage(content=text, name=name, tool_call_id=call_id, status="error")
