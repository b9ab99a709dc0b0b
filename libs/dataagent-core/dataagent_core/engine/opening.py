"""How a run begins, and how an unfinished one is taken up again."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from dataagent_core.config.limits import MESSAGES_READ_MAX
from dataagent_core.engine.asking import Answers
from dataagent_core.engine.attachments import ATTACHED
from dataagent_core.engine.figures import FigureTracer, with_figures
from dataagent_core.engine.history import Graph, answers_of, thread
from dataagent_core.engine.recovery import recover
from dataagent_core.engine.said import Said
from dataagent_core.errors import ConflictError, NotFoundError, SessionBusyError
from dataagent_core.events import (
    Event,
    HITLAnswerEvent,
    HITLRequestEvent,
    RunResumedEvent,
    RunStartedEvent,
    ToolCallEvent,
    WarningEvent,
)
from dataagent_core.events.system import Mode
from dataagent_core.hitl.answered import handed_back
from dataagent_core.ids import checked_id, new_id
from dataagent_core.permissions.taint_targets import targets_named_by
from dataagent_core.runs import RunContext
from dataagent_core.session import Run, read_all, runs_of
from dataagent_core.session.importing import imported_to
from dataagent_core.session.prompt import OTHERS_WORDS_KEY, OWN_WORDS_KEY, own_words
from dataagent_core.session.run import is_compaction, message_id_for
from dataagent_core.session.stores.bundle import Stores


async def new_run(
    stores: Stores,
    user_input: str,
    session_id: str,
    context: Mapping[str, Any] | None,
    *,
    run_id: str | None = None,
) -> Run:
    """Store the message and make the run that answers it."""
    run = await _next_run(stores, session_id, run_id, compaction=False)
    await stores.messages.save_message(
        session_id, "user", user_input, dict(context or {}), message_id=run.message_id
    )
    return run


async def new_compaction(
    stores: Stores, keep: str, session_id: str, *, run_id: str | None = None
) -> Run:
    """Store what a person wants kept, and make the run that shows the history shorter."""
    run = await _next_run(stores, session_id, run_id, compaction=True)
    if keep:
        await stores.messages.save_message(session_id, "user", keep, message_id=run.message_id)
    return run


async def _next_run(
    stores: Stores, session_id: str, run_id: str | None, *, compaction: bool
) -> Run:
    checked_id(session_id, "session id")
    runs = await runs_of(stores.log, session_id)
    if any(not run.done for run in runs):
        raise SessionBusyError(
            f"session {session_id!r} has an unfinished run: resume it first, or use another "
            "session."
        )
    run_id = run_id or new_id()
    return Run(
        run_id=run_id,
        session_id=session_id,
        message_id=message_id_for(run_id, compaction=compaction),
        earlier_run_ids=tuple(run.run_id for run in reversed(runs)),
    )


def started(run: Run, model_name: str, assistant_id: str, mode: Mode) -> RunStartedEvent:
    """Make the first event of a run."""
    return RunStartedEvent(
        message_id=run.message_id, model=model_name, assistant_id=assistant_id, mode=mode
    )


async def reopen(
    stores: Stores,
    graph: Graph,
    session_id: str,
    run_id: str | None,
    tracer: FigureTracer,
) -> tuple[Run, Said, list[Event]]:
    """Find the unfinished run, its message, and what the crash left to be said."""
    runs = await runs_of(stores.log, session_id)
    if run_id is not None:
        upto = next((n for n, run in enumerate(runs) if run.run_id == run_id), -1)
        runs = runs[: upto + 1]
    if not runs:
        raise NotFoundError(f"session {session_id!r} has no run to resume.")
    if runs[-1].done:
        raise ConflictError(f"the last run of session {session_id!r} is done; nothing to resume.")
    last = runs[-1]
    message = await stores.messages.get_message(session_id, last.message_id)
    if message is None and not is_compaction(last.message_id):
        raise NotFoundError("the message of the last run is missing; it cannot be resumed.")
    events = await read_all(stores.log, session_id, run_id=last.run_id)
    state = await graph.aget_state(thread(last.run_id))
    run = Run(
        run_id=last.run_id,
        session_id=session_id,
        message_id=last.message_id,
        earlier_run_ids=tuple(run.run_id for run in reversed(runs[:-1])),
    )
    answers = answers_of(state, run)
    recovery = recover(events, answers, run.run_id)
    missing = await with_figures(recovery.missing, answers, run, tracer)
    run = replace(run, attempt=recovery.attempt)
    resumed = RunResumedEvent(attempt=recovery.attempt, discard_after=recovery.discard_after)
    said = Said("") if message is None else Said.of(message.content, message.metadata)
    return run, said, [resumed, *missing]


async def settle(stores: Stores, graph: Graph, context: RunContext) -> Answers:
    """Fill the scope with what is already decided, and return the answers already given."""
    run = context.run
    answers: Answers = {}
    asked: dict[str, HITLRequestEvent] = {}
    history = await read_all(stores.log, run.session_id, types=("hitl_request", "hitl_answer"))
    for event in history:
        mine = event.run_id == run.run_id
        if isinstance(event, HITLRequestEvent):
            asked[event.interrupt_id] = event
            if mine:
                context.questions.add(event)
        elif isinstance(event, HITLAnswerEvent) and event.interrupt_id in asked:
            context.add_answer(asked[event.interrupt_id], event.decision)
            if mine and not event.superseded:
                answers[event.interrupt_id] = handed_back(event.decision, event.by)
    await _recall_whose_words(stores, context)
    if run.attempt > 1:
        await _recall_earlier_attempts(stores, graph, context)
    return answers


async def _recall_earlier_attempts(stores: Stores, graph: Graph, context: RunContext) -> None:
    entries = await stores.log.journal(context.run.run_id)
    context.journal.finished = {e.call_key: e for e in entries if e.payload is not None}
    context.journal.unknown = {e.call_key: e for e in entries if e.payload is None}
    answered = answers_of(await graph.aget_state(thread(context.run.run_id)), context.run)
    context.progress.model_calls = len(answered)
    context.account.total = await stores.usage.total_of_run(context.run.run_id)


async def _recall_whose_words(stores: Stores, context: RunContext) -> None:
    """Find out what the conversation already holds of strangers, and what the person named."""
    session_id = context.run.session_id
    for event in await read_all(stores.log, session_id, types=("tool_call", "warning")):
        if isinstance(event, ToolCallEvent):
            context.permissions.add_call(event.tool_name, None)
        elif isinstance(event, WarningEvent) and event.code in ATTACHED:
            context.permissions.add_source(ATTACHED[event.code])
    messages = await stores.messages.get_messages(session_id, limit=MESSAGES_READ_MAX)
    from_file = await _said_in_a_file(stores, session_id)
    if from_file is not None:
        context.permissions.add_source("an imported file")
    said = [m for m in messages if m.role == "user" and m.message_id not in (from_file or ())]
    context.permissions.named_targets = targets_named_by(
        own_words(m.content, m.metadata) for m in said
    )
    for message in said:
        if OWN_WORDS_KEY in message.metadata:
            source = str(message.metadata.get(OTHERS_WORDS_KEY) or "standard input")
            context.permissions.add_source(source)


async def _said_in_a_file(stores: Stores, session_id: str) -> set[str] | None:
    """Name the messages of which only an imported file says that the person said them."""
    last = imported_to(await stores.log.read(session_id, limit=1))
    if not last:
        return None
    starts = await read_all(stores.log, session_id, types=("start",))
    return {e.message_id for e in starts if isinstance(e, RunStartedEvent) and (e.seq or 0) <= last}
