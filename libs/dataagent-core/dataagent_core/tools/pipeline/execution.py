"""Carries out a call that may run, and writes down that it began and what came of it.

Intent and `tool_call`, outcome and `tool_result`, are each written in one transaction, so that a
crash at any point leaves a log that says exactly what is known.
"""

import asyncio
import json
import random
import time
from collections.abc import Awaitable, Callable
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any, TypeVar

from langchain_core.messages import ToolMessage
from langgraph.errors import GraphBubbleUp

from dataagent_core.config.limits import TOOL_RETRIES_MAX
from dataagent_core.errors import (
    DataAgentError,
    LimitReachedError,
    StorageError,
    ToolExecutionError,
)
from dataagent_core.events import RetryEvent
from dataagent_core.models.retry.retry_policy import RetryPolicy
from dataagent_core.runs import RunContext
from dataagent_core.session import Intent, JournalEntry, Outcome
from dataagent_core.tools.effects import Effect
from dataagent_core.tools.file_tracker import OPERATIONS, FileOpTracker, FileSource
from dataagent_core.tools.files.file_probe import FileProbe
from dataagent_core.tools.pipeline.agent_call import AgentCall, enter_call
from dataagent_core.tools.pipeline.call_events import (
    make_call_event,
    make_change_events,
    make_refusal_event,
    make_result_events,
)
from dataagent_core.tools.pipeline.hooks import Refusal
from dataagent_core.tools.pipeline.outcome import (
    BY_PERSON_KEY,
    FOR_PERSON_KEY,
    ToolReturn,
    find_message,
    make_receipt,
    make_storable_result,
    pack_value,
)
from dataagent_core.tools.registry import ToolRegistry
from dataagent_core.tools.shell.shell_look import LookOutcome
from dataagent_core.tools.workspace_history.call_watch import CallWatch

BoundOutput = Callable[[ToolMessage, str], None]
Invoke = Callable[[AgentCall], Awaitable[Any]]


@dataclass(frozen=True, slots=True)
class CallExecution:
    """Journal, run, post-hooks, bounds, journal."""

    backend: FileSource
    bound: BoundOutput
    registry: ToolRegistry
    # Takes a snapshot before calls; there is none where the files are on another machine.
    watch: CallWatch | None = None
    probe: FileProbe | None = None

    async def run(
        self,
        call: AgentCall,
        context: RunContext,
        invoke: Invoke,
        *,
        edited: bool = False,
        remembered: bool = False,
    ) -> ToolReturn:
        """Run the call; whatever the tool does, the model gets an answer.

        One that is `remembered` is not run again when the same run meets it again.
        """
        tracker = FileOpTracker(self.backend)
        tracked = call.name in OPERATIONS
        if tracked:
            await asyncio.to_thread(tracker.start_operation, call.name, call.args, call.call_id)
        intent = await self._intent(call)
        entry = self.registry.find(call.name)
        # Before the intent: a crash while looking must not leave a call that may have happened.
        watch = self.watch.around(entry, call, context.run) if self.watch else nullcontext()
        async with watch as watched:
            await context.recorder.commit(make_call_event(context.run, call), journal=[intent])
            context.progress.tool_calls += 1
            began = time.perf_counter()
            with enter_call(call, context):
                returned = await _guarded(
                    lambda made: with_retries(lambda: invoke(made), entry.effect, context), call
                )
            duration_ms = round((time.perf_counter() - began) * 1000)
            result, packed = self._settled(call, context, returned, edited=edited)
            message = find_message(result, call.call_id)
            record = (
                await asyncio.to_thread(tracker.complete_with_message, message) if tracked else None
            )
            events = make_result_events(call, result, record, duration_ms)
            if self.watch is not None and watched is not None:
                events += make_change_events(context.run, await self.watch.ended(watched, record))
        await self._conclude(call, context, message, packed, events)
        if remembered:
            context.journal.finished[call.key] = _journalled(call, context, packed)
        return result

    async def conclude_look(
        self,
        call: AgentCall,
        context: RunContext,
        looked: LookOutcome,
        *,
        edited: bool = False,
        remembered: bool = False,
    ) -> ToolReturn:
        """Write down a call that was run while it was decided about, and changed nothing."""
        intent = await self._intent(call)
        await context.recorder.commit(make_call_event(context.run, call), journal=[intent])
        result, packed = self._settled(call, context, looked.message, edited=edited)
        message = find_message(result, call.call_id)
        events = make_result_events(call, result, None, looked.duration_ms)
        await self._conclude(call, context, message, packed, events)
        if remembered:
            context.journal.finished[call.key] = _journalled(call, context, packed)
        return result

    def _settled(
        self, call: AgentCall, context: RunContext, returned: ToolReturn, *, edited: bool
    ) -> tuple[ToolReturn, bytes]:
        """Make of what a tool returned what the model reads, and what is kept of it."""
        result = self.registry.after(call, returned)
        if edited:
            message = find_message(result, call.call_id)
            message.content = _after(f"(A person changed the arguments: {call.args})", message)
        _mark_whose_words(find_message(result, call.call_id), "changed" if edited else None)
        self.bound(find_message(result, call.call_id), call.key)
        context.permissions.add_call(call.name, self.registry.find(call.name).tool.metadata)
        return make_storable_result(result, call.call_id)

    async def _intent(self, call: AgentCall) -> Intent:
        note = (
            await asyncio.to_thread(self.probe.expect, call.name, call.args)
            if self.probe is not None and call.name in OPERATIONS
            else None
        )
        return Intent(
            call_key=call.key,
            tool_name=call.name,
            args_hash=call.args_hash,
            probe=note,
            step_number=call.step_number,
        )

    async def refuse(self, call: AgentCall, context: RunContext, refusal: Refusal) -> ToolMessage:
        """Answer a call that does not run."""
        message = _error_message(call, refusal.reason, refusal.for_person)
        _mark_whose_words(message, "said" if refusal.by_person else None)
        events = (make_call_event(context.run, call), make_refusal_event(call, message))
        await self._conclude(call, context, message, pack_value(message), events)
        return message

    async def _conclude(
        self, call: AgentCall, context: RunContext, message: ToolMessage, packed: bytes, events: Any
    ) -> None:
        receipt = json.dumps(make_receipt(call.args_hash, message))
        outcome = Outcome(
            call_key=call.key,
            tool_name=call.name,
            payload=packed,
            receipt=receipt,
            step_number=call.step_number,
        )
        await context.recorder.commit(*events, journal=[outcome])


def _after(words: str, message: ToolMessage) -> str | list[Any]:
    """Put words before a result, which may hold more than text."""
    if isinstance(message.content, str):
        return f"{words}\n{message.content}"
    return [{"type": "text", "text": f"{words}\n"}, *message.content]


def _mark_whose_words(message: ToolMessage, by_person: str | None) -> None:
    """Note what a person did to the call; a tool that says so of itself is not believed."""
    own = {k: v for k, v in message.additional_kwargs.items() if k != BY_PERSON_KEY}
    message.additional_kwargs = own | ({BY_PERSON_KEY: by_person} if by_person else {})


def _journalled(call: AgentCall, context: RunContext, packed: bytes) -> JournalEntry:
    return JournalEntry(
        run_id=context.run.run_id,
        call_key=call.key,
        tool_name=call.name,
        args_hash=call.args_hash,
        payload=packed,
    )


async def _guarded(invoke: Invoke, call: AgentCall) -> ToolReturn:
    """Run the tool; what it raises is a result for the model, not the end of the run.

    Three things a sub-agent's call can meet are not its own: an interrupt, the run's limit, and a
    log that cannot be written.
    """
    try:
        return await invoke(call)
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
    kind = type(failure).__name__
    for_person = failure.for_person if isinstance(failure, DataAgentError) else None
    return _error_message(
        call, f"{kind}: {failure}", None if for_person is None else f"{kind}: {for_person}"
    )


def _error_message(call: AgentCall, text: str, for_person: str | None = None) -> ToolMessage:
    return ToolMessage(
        content=text,
        name=call.name,
        tool_call_id=call.call_id,
        status="error",
        artifact=None if for_person in (None, text) else {FOR_PERSON_KEY: for_person},
    )


T = TypeVar("T")

_POLICY = RetryPolicy(max_retries=TOOL_RETRIES_MAX)
_MAY_RUN_TWICE: frozenset[Effect] = frozenset({"pure", "idempotent"})


async def with_retries(run: Callable[[], Awaitable[T]], effect: Effect, context: RunContext) -> T:
    """Run it, and again after a growing pause while it fails in a way that may pass.

    Only what the tool itself calls retryable, and only tools that may run twice (S3's recovery
    table); everything else is the model's to deal with.
    """
    for retry in range(_POLICY.max_retries):
        try:
            return await run()
        except ToolExecutionError as error:
            if not error.retryable or effect not in _MAY_RUN_TWICE:
                raise
            wait_s = _POLICY.wait_s(retry, chance=random.random())  # noqa: S311 (chance, not secrecy)
            told = RetryEvent(attempt=retry + 1, delay_s=round(wait_s, 3), reason=str(error))
            await context.recorder.commit(told)
            await asyncio.sleep(wait_s)
    return await run()
