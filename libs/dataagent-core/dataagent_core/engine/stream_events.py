"""Turns parts of the graph's stream into events. Pure.

Only the agent's text comes from here. Tool calls, retries and human requests are recorded where
they happen, because they must be in the log before the graph goes on.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from langchain_core.messages import AIMessage, AIMessageChunk
from langgraph.types import Interrupt

from dataagent_core.events import Event, TextEvent, ThoughtEvent
from dataagent_core.language.unicode_text import storable

MODEL_NODE = "model"


def pieces(part: Mapping[str, Any]) -> Iterator[Event]:
    """Yield the pieces of text and thought of a `messages` part."""
    if part["type"] != "messages":
        return
    chunk, metadata = part["data"]
    # A summary is also written by the model, inside its node; it is not the answer.
    if metadata.get("langgraph_node") != MODEL_NODE or "lc_source" in metadata:
        return
    if isinstance(chunk, AIMessageChunk):
        if thought := thought_of(chunk):
            yield ThoughtEvent(content=storable(thought))
        if text := chunk.text:
            yield TextEvent(content=storable(text))


def messages(part: Mapping[str, Any]) -> Iterator[AIMessage]:
    """Yield the model's complete messages of an `updates` part."""
    if part["type"] != "updates":
        return
    update = part["data"].get(MODEL_NODE)
    for piece in update if isinstance(update, list) else [update]:
        for message in (piece or {}).get("messages", []):
            if isinstance(message, AIMessage):
                yield message


def interrupts(part: Mapping[str, Any]) -> Iterator[Interrupt]:
    """Yield the interrupts of an `updates` part."""
    if part["type"] == "updates":
        yield from part["data"].get("__interrupt__", ())


def final_events(message: AIMessage, run_id: str) -> list[Event]:
    """Make the events of a finished message; their ids make adding them twice harmless."""
    events: list[Event] = []
    if thought := thought_of(message):
        events.append(
            ThoughtEvent(event_id=f"thought:{run_id}:{message.id}", content=thought, is_final=True)
        )
    if message.text:
        events.append(
            TextEvent(event_id=text_event_id(message, run_id), content=message.text, is_final=True)
        )
    return events


def text_event_id(message: AIMessage, run_id: str) -> str:
    """Return the id of a message's final text event."""
    return f"text:{run_id}:{message.id}"


def thought_of(message: AIMessage) -> str:
    """Join the reasoning a provider chose to show."""
    if isinstance(message.content, str) and "reasoning_content" not in message.additional_kwargs:
        return ""
    return "".join(
        str(block.get("reasoning", ""))
        for block in message.content_blocks
        if block["type"] == "reasoning"
    )
