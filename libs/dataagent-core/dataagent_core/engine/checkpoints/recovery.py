"""Restores a run from its earlier attempts: from the log, the journal and the checkpoint.

The log and the checkpoint are two stores. The log may hold text of a model call that is not in the
checkpoint: it is void, and the model is asked again. The checkpoint may hold a message whose final
text is not in the log: it is added.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from langchain_core.messages import AIMessage

from dataagent_core.config.limits import MESSAGES_READ_MAX
from dataagent_core.engine.ask_person import Answers
from dataagent_core.engine.attachments.attachments import ATTACHED
from dataagent_core.engine.checkpoints.history import Graph, answers_of, thread
from dataagent_core.engine.delegation.worked_time import read_worked_s
from dataagent_core.engine.loops.plan_messages import is_plan_turn, list_planned_subagents
from dataagent_core.engine.stream_events import final_events
from dataagent_core.events import (
    Event,
    HITLAnswerEvent,
    HITLRequestEvent,
    MemoryRecalledEvent,
    RunResumedEvent,
    RunStartedEvent,
    SkillEvent,
    StepFinishEvent,
    SubAgentEvent,
    TextEvent,
    ThoughtEvent,
    ToolCallEvent,
    ToolResultEvent,
    WarningEvent,
)
from dataagent_core.hitl.answer_envelope import make_answer_envelope
from dataagent_core.memory.recall.recalled_events import OF_OTHERS, holds_words_of_others
from dataagent_core.patterns.read_trace import brings_content
from dataagent_core.permissions.active_skills import read_activation
from dataagent_core.permissions.taint import find_named_targets
from dataagent_core.runs import RunContext
from dataagent_core.session import read_all
from dataagent_core.session.copies.import_bundle import find_import_end
from dataagent_core.session.prompt import own_words, sources_of_others
from dataagent_core.session.stores.bundle import Stores
from dataagent_core.tools.pipeline.call_events import parse_call_key
from dataagent_core.usage import CallUse, TokenUsage, Total
from dataagent_core.usage.budget import nano_of

# The events that say what earlier attempts did: which skills are active, what sub-agents used.
_WORK_EVENTS: Final = ("skill", "subagent", "tool_call", "step_finish", "hitl_request")


@dataclass(frozen=True, slots=True, kw_only=True)
class Recovery:
    """How to go on: the number of the attempt, what is void, what to add."""

    attempt: int
    discard_after: int
    missing: list[Event]


def recover(events: Sequence[Event], answers: Sequence[AIMessage], run_id: str) -> Recovery:
    """Compare a run's events with the model's answers in the checkpoint."""
    facts = [event for message in answers for event in final_events(message, run_id)]
    void = _list_void_events(events, {event.event_id for event in facts})
    known = {event.event_id for event in events}
    last = events[-1].seq or 0 if events else 0
    return Recovery(
        attempt=2 + sum(isinstance(event, RunResumedEvent) for event in events),
        discard_after=min((event.seq or 0 for event in void), default=last + 1) - 1,
        missing=[event for event in facts if event.event_id not in known],
    )


def _list_void_events(events: Sequence[Event], kept: set[str | None]) -> list[Event]:
    """List the events whose work will be done again and that no earlier attempt voided."""
    open_pieces: list[Event] = []
    # By whose they are and their id: some models reuse ids.
    open_calls: dict[tuple[str | None, str], Event] = {}
    for event in events:
        match event:
            case RunResumedEvent():
                open_pieces = []
                open_calls = {}
            case ThoughtEvent(level="work", is_final=True):
                # Of a staged loop, not of the model's turn: it is whole.
                pass
            case TextEvent() | ThoughtEvent() if event.event_id in kept:
                open_pieces = []
                open_calls = {}
            case TextEvent() | ThoughtEvent():
                open_pieces.append(event)
            case ToolCallEvent():
                open_calls[event.subagent_id, event.tool_call_id] = event
                # A call, or a question about one, follows only a finished message.
                open_pieces = []
            case HITLRequestEvent():
                open_pieces = []
            case ToolResultEvent():
                open_calls.pop((event.subagent_id, event.tool_call_id), None)
            case SubAgentEvent(phase="finished" | "failed"):
                # One that failed in the middle of a call is not asked again.
                open_calls = {
                    key: call
                    for key, call in open_calls.items()
                    if call.subagent_id != event.subagent_id
                }
            case _:
                pass
    return [*open_pieces, *open_calls.values()]


async def restore_context(stores: Stores, graph: Graph, context: RunContext) -> Answers:
    """Fill the context with earlier decisions, and return the answers this run already has."""
    run = context.run
    answers: Answers = {}
    requests: dict[str, HITLRequestEvent] = {}
    history = await read_all(stores.log, run.session_id, types=("hitl_request", "hitl_answer"))
    for event in history:
        is_own = event.run_id == run.run_id
        if isinstance(event, HITLRequestEvent):
            requests[event.interrupt_id] = event
            if is_own:
                context.questions.add(event)
        elif isinstance(event, HITLAnswerEvent) and event.interrupt_id in requests:
            context.add_answer(requests[event.interrupt_id], event.decision)
            if is_own and not event.superseded:
                answers[event.interrupt_id] = make_answer_envelope(event.decision, event.by)
    await _restore_content_sources(stores, context)
    if run.attempt > 1:
        await _restore_earlier_attempts(stores, graph, context)
    return answers


async def _restore_earlier_attempts(stores: Stores, graph: Graph, context: RunContext) -> None:
    entries = await stores.log.journal(context.run.run_id)
    context.journal.finished = {e.call_key: e for e in entries if e.payload is not None}
    context.journal.unknown = {e.call_key: e for e in entries if e.payload is None}
    answered = answers_of(await graph.aget_state(thread(context.run.run_id)), context.run)
    context.progress.model_calls = sum(not is_plan_turn(message) for message in answered)
    context.permissions.planned_subagents.update(list_planned_subagents(answered))
    context.account.total = await stores.usage.total_of_run(context.run.run_id)
    events = await read_all(
        stores.log, context.run.session_id, run_id=context.run.run_id, types=_WORK_EVENTS
    )
    context.progress.worked_s = read_worked_s(events)
    for event in events:
        if isinstance(event, StepFinishEvent):
            _restore_subagent_use(context, event)
        elif isinstance(event, SkillEvent) and event.phase == "activated":
            active = read_activation(event.name, event.detail)
            context.active_skills.restore(event.subagent_id, active)
        elif isinstance(event, ToolCallEvent):
            # Each attempt at a call has an event of its own.
            key = parse_call_key(event.event_id or "", context.run.run_id)
            context.journal.begun[key] += 1


def _restore_subagent_use(context: RunContext, event: StepFinishEvent) -> None:
    if event.subagent_id is not None:
        use = CallUse(
            tokens=TokenUsage.from_dict(event.tokens),
            cost_nano=None if event.cost is None else nano_of(event.cost),
        )
        used = context.account.by_subagent
        used[event.subagent_id] = used.get(event.subagent_id, Total()).plus(use)


async def _restore_content_sources(stores: Stores, context: RunContext) -> None:
    """Restore which foreign content the conversation holds, and which targets the user named."""
    session_id = context.run.session_id
    events = await read_all(
        stores.log, session_id, types=("tool_call", "warning", "memory_recalled")
    )
    earlier = [one for one in events if one.run_id != context.run.run_id]
    _add_sources(context, earlier)
    await _restore_message_sources(stores, context)
    context.progress.began_tainted = bool(context.permissions.taint.sources)
    context.progress.began_with_results = any(
        isinstance(one, ToolCallEvent) and brings_content(one.tool_name) for one in earlier
    )
    _add_sources(context, [one for one in events if one.run_id == context.run.run_id])


def _add_sources(context: RunContext, events: Sequence[Event]) -> None:
    for event in events:
        if isinstance(event, ToolCallEvent):
            context.permissions.add_call(event.tool_name, None)
        elif isinstance(event, WarningEvent) and event.code in ATTACHED:
            context.permissions.add_source(ATTACHED[event.code])
        elif isinstance(event, MemoryRecalledEvent) and holds_words_of_others([event]):
            context.permissions.add_source(OF_OTHERS)


async def _restore_message_sources(stores: Stores, context: RunContext) -> None:
    session_id = context.run.session_id
    messages = await stores.messages.get_messages(session_id, limit=MESSAGES_READ_MAX)
    imported = await _imported_message_ids(stores, session_id)
    if imported is not None:
        context.permissions.add_source("an imported file")
    own_messages = [
        m for m in messages if m.role == "user" and m.message_id not in (imported or ())
    ]
    context.permissions.named_targets = find_named_targets(
        own_words(m.content, m.metadata) for m in own_messages
    )
    for message in own_messages:
        for source in sources_of_others(message.metadata):
            context.permissions.add_source(source)


async def _imported_message_ids(stores: Stores, session_id: str) -> set[str] | None:
    """Return the ids of user messages that come from an imported file; None without an import."""
    last = find_import_end(await stores.log.read(session_id, limit=1))
    if not last:
        return None
    starts = await read_all(stores.log, session_id, types=("start",))
    return {e.message_id for e in starts if isinstance(e, RunStartedEvent) and (e.seq or 0) <= last}
