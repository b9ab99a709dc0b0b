"""Traces the figures of an answer, at the final text that no tool call follows."""

import logging
from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

from langchain_core.messages import AIMessage
from pydantic import JsonValue

from dataagent_core.engine.stream_events import text_event_id
from dataagent_core.errors import StorageError
from dataagent_core.events import Event, TextEvent
from dataagent_core.session import Run

logger = logging.getLogger(__name__)


class TracedFigures(Protocol):
    """The figures of a text with their source, and those without one."""

    @property
    def figures(self) -> list[JsonValue]: ...
    @property
    def unsourced(self) -> list[JsonValue]: ...


class FigureTracer(Protocol):
    """Finds the sources of the figures in a session's answers."""

    async def trace(self, session_id: str, text: str) -> TracedFigures: ...


async def with_figures(
    events: Sequence[Event], messages: Sequence[AIMessage], run: Run, tracer: FigureTracer
) -> list[Event]:
    """Add the sources of figures to the final texts among events, not to remarks between calls."""
    answers = {text_event_id(message, run.run_id) for message in messages if not message.tool_calls}
    return [
        await _trace_event(event, run, tracer)
        if isinstance(event, TextEvent) and event.event_id in answers
        else event
        for event in events
    ]


async def _trace_event(event: TextEvent, run: Run, tracer: FigureTracer) -> TextEvent:
    try:
        found = await tracer.trace(run.session_id, event.content)
    except StorageError:
        raise
    except Exception:
        # The answer must not be lost because its figures cannot be traced.
        logger.exception("cannot trace the figures of run %s", run.run_id)
        return event
    return replace(event, figures=found.figures, unsourced=found.unsourced)
