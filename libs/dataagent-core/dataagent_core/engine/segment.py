"""Runs one segment: from the current state of a run to its end or the next wait for a person.

Idempotent: it may be started again at any time, in another process, after any crash. The message
has a fixed id, answers to interrupts that are no longer pending are ignored, and finished tool
calls are answered from the journal (`tools/pipeline/tool_pipeline.py`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage
from langchain_core.runnables import RunnableConfig
from langgraph.types import Command, Interrupt, StateSnapshot, StreamMode

from dataagent_core.engine import stream_events
from dataagent_core.engine.answer_form.figures import FigureTracer, with_figures
from dataagent_core.engine.checkpoints import history
from dataagent_core.engine.checkpoints.history import Graph
from dataagent_core.engine.graph.graph_call import GraphCall
from dataagent_core.runs import RunContext
from dataagent_core.session import Run


@dataclass(frozen=True, slots=True)
class WaitingSegment:
    """The segment ended at interrupts that wait for a person."""

    interrupts: Sequence[Interrupt]


@dataclass(frozen=True, slots=True)
class FinishedSegment:
    """The run is finished, with this answer."""

    answer: str


Segment = WaitingSegment | FinishedSegment


async def run_segment(
    graph: Graph,
    context: RunContext,
    message: HumanMessage | None,
    answers: Mapping[str, Any],
    recursion_limit: int,
    *,
    tracer: FigureTracer,
    call: GraphCall | None = None,
) -> Segment:
    """Go on with the run until it is finished or waits; a compaction has no message."""
    config = history.thread(context.run.run_id, recursion_limit)
    state = await graph.aget_state(config)
    next_input = await _next_input(graph, context.run, message, answers, state)
    if isinstance(next_input, WaitingSegment | FinishedSegment):
        if isinstance(next_input, WaitingSegment) and call is not None:
            call.see_waiting(state)
        return next_input
    return await _stream(graph, context, next_input, config, tracer=tracer, call=call)


async def _next_input(
    graph: Graph,
    run: Run,
    message: HumanMessage | None,
    answers: Mapping[str, Any],
    state: StateSnapshot,
) -> Any:
    """Return the graph's next input, or the segment if there is nothing to run."""
    if not history.holds(state, run):
        first_input = await history.begin(graph, run, message)
        return first_input if first_input["messages"] else FinishedSegment("")
    if state.interrupts:
        pending = {interrupt.id for interrupt in state.interrupts}
        usable = {key: value for key, value in answers.items() if key in pending}
        return Command(resume=usable) if usable else WaitingSegment(state.interrupts)
    # Not `state.next`: it leaves out a step whose result is saved but not yet applied.
    if state.tasks:
        return None
    # A new message to an agent that has finished: a corrected answer is requested.
    if message is not None and not history.knows(state, message.id):
        return {"messages": [message]}
    return FinishedSegment(_last_text(state.values["messages"]))


async def _stream(
    graph: Graph,
    context: RunContext,
    next_input: Any,
    config: RunnableConfig,
    *,
    tracer: FigureTracer,
    call: GraphCall | None,
) -> Segment:
    interrupts: dict[str, Interrupt] = {}
    answer = ""
    modes: list[StreamMode] = ["messages", "updates"]
    if call is not None:
        config = call.begin_segment(config)
        modes.extend(mode for mode in call.modes if mode not in modes)
    async for part in graph.astream(
        next_input,
        config,
        context=context,
        stream_mode=modes,
        subgraphs=call is not None and call.subgraphs,
        output_keys=call.output_keys if call is not None else None,
        durability="sync",
        version="v2",
        # A compaction ends after the model's step, whatever the state holds.
        interrupt_after=[stream_events.MODEL_NODE] if context.run.kind == "compaction" else None,
    ):
        if call is not None:
            call.see(part)
        # The tool call of a sub-graph reports what it does.
        if part["ns"]:
            continue
        for event in stream_events.pieces(part):
            await context.recorder.emit(event)
        for message in stream_events.messages(part):
            answer = message.text
            final = stream_events.final_events(message, context.run.run_id)
            events = await with_figures(final, [message], context.run, tracer)
            # The usage of a call follows its text, whatever the order of the stream.
            await context.recorder.commit(*events, *context.recorder.take_deferred())
        interrupts.update((found.id, found) for found in stream_events.interrupts(part))
    if not interrupts:
        return FinishedSegment(answer)
    return WaitingSegment(
        await _sort_interrupts(graph, history.thread(context.run.run_id), interrupts)
    )


async def _sort_interrupts(
    graph: Graph, config: RunnableConfig, interrupts: Mapping[str, Interrupt]
) -> list[Interrupt]:
    """Sort interrupts by the order of their calls."""
    if len(interrupts) == 1:
        return list(interrupts.values())
    state = await graph.aget_state(config)
    positions = {found.id: position for position, found in enumerate(state.interrupts)}
    return sorted(interrupts.values(), key=lambda found: positions.get(found.id, len(positions)))


def _last_text(messages: Sequence[BaseMessage]) -> str:
    last = next((m for m in reversed(messages) if isinstance(m, AIMessage)), None)
    return last.text if last else ""
