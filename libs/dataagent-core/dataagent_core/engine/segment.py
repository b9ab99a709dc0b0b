"""One segment: from where the run stands to its end or to the next wait for a person.

Idempotent: it may be entered again at any time, in another process, after any crash. The message
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
from dataagent_core.engine.checkpoints import history
from dataagent_core.engine.checkpoints.history import Graph
from dataagent_core.engine.figures import FigureTracer, with_figures
from dataagent_core.engine.graph.graph_call import GraphCall
from dataagent_core.runs import RunContext
from dataagent_core.session import Run


@dataclass(frozen=True, slots=True)
class WaitingSegment:
    """The segment ended at questions that only a person can answer."""

    interrupts: Sequence[Interrupt]


@dataclass(frozen=True, slots=True)
class FinishedSegment:
    """The run has nothing left to do; this is its answer."""

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
    feed = await _next_input(graph, context.run, message, answers, state)
    if isinstance(feed, WaitingSegment | FinishedSegment):
        if isinstance(feed, WaitingSegment) and call is not None:
            call.see_waiting(state)
        return feed
    return await _stream(graph, context, feed, config, tracer=tracer, call=call)


async def _next_input(
    graph: Graph,
    run: Run,
    message: HumanMessage | None,
    answers: Mapping[str, Any],
    state: StateSnapshot,
) -> Any:
    """Say what the graph is given where the run stands, or that there is nothing to give it."""
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
    # Another word to an agent that has finished: its answer is asked for again.
    if message is not None and not history.knows(state, message.id):
        return {"messages": [message]}
    return FinishedSegment(_last_text(state.values["messages"]))


async def _stream(
    graph: Graph,
    context: RunContext,
    feed: Any,
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
        feed,
        config,
        context=context,
        stream_mode=modes,
        subgraphs=call is not None and call.subgraphs,
        output_keys=call.output_keys if call is not None else None,
        durability="sync",
        version="v2",
        # One that only compacts has nothing to do after the model's step, whatever stands there.
        interrupt_after=[stream_events.MODEL_NODE] if context.run.kind == "compaction" else None,
    ):
        if call is not None:
            call.see(part)
        # What a sub-graph does is told by its tool call.
        if part["ns"]:
            continue
        for event in stream_events.pieces(part):
            await context.recorder.emit(event)
        for message in stream_events.messages(part):
            answer = message.text
            final = stream_events.final_events(message, context.run.run_id)
            said = await with_figures(final, [message], context.run, tracer)
            # What the call used comes after its words, whatever order the stream had them in.
            await context.recorder.commit(*said, *context.recorder.take_deferred())
        interrupts.update((found.id, found) for found in stream_events.interrupts(part))
    if not interrupts:
        return FinishedSegment(answer)
    return WaitingSegment(await _in_order(graph, history.thread(context.run.run_id), interrupts))


async def _in_order(
    graph: Graph, config: RunnableConfig, interrupts: Mapping[str, Interrupt]
) -> list[Interrupt]:
    """Put the questions in the order of the calls, whichever of them was judged first."""
    if len(interrupts) == 1:
        return list(interrupts.values())
    state = await graph.aget_state(config)
    places = {found.id: place for place, found in enumerate(state.interrupts)}
    return sorted(interrupts.values(), key=lambda found: places.get(found.id, len(places)))


def _last_text(messages: Sequence[BaseMessage]) -> str:
    last = next((m for m in reversed(messages) if isinstance(m, AIMessage)), None)
    return last.text if last else ""
