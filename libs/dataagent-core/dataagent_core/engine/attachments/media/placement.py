"""Puts what is shown where a provider takes it, and sentences where nothing is shown. Pure.

Where a provider takes no pictures in the results of tools, they follow the results of the turn in a
message of their own.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeVar

from langchain_core.messages import AnyMessage, HumanMessage, ToolMessage

from dataagent_core.engine.attachments.content_marks import wrap_in_marks
from dataagent_core.engine.attachments.media.outcome import DocumentText, NotShown, Outcome
from dataagent_core.tools.media.media_reference import MediaReference

_FOLLOWING = "(What the results above refer to. This message is from the tools, not a person.)"
_M = TypeVar("_M", bound=AnyMessage)

Outcomes = Mapping[MediaReference, Outcome]


def references_in(message: AnyMessage) -> list[MediaReference]:
    """List what a message refers to."""
    if not isinstance(message.content, list):
        return []
    found = (MediaReference.read(block) for block in message.content)
    return [reference for reference in found if reference is not None]


def place_media(
    messages: Sequence[AnyMessage], outcomes: Outcomes, *, in_results: bool
) -> list[AnyMessage]:
    """Return the messages with every reference replaced by what became of it."""
    result: list[AnyMessage] = []
    following: list[dict[str, Any]] = []
    for message in messages:
        if not isinstance(message, ToolMessage):
            result += _flushed(following)
        apart = following if isinstance(message, ToolMessage) and not in_results else None
        result.append(_replaced(message, outcomes, apart) if references_in(message) else message)
    return [*result, *_flushed(following)]


def _flushed(following: list[dict[str, Any]]) -> Iterator[HumanMessage]:
    if following:
        yield HumanMessage(content=[_text(_FOLLOWING), *following])
        following.clear()


def _replaced(message: _M, outcomes: Outcomes, apart: list[dict[str, Any]] | None) -> _M:
    content: list[Any] = []
    for block in message.content:
        reference = MediaReference.read(block)
        if reference is None:
            content.append(_text(block) if isinstance(block, str) else block)
            continue
        outcome = outcomes[reference]
        if isinstance(outcome, NotShown):
            content.append(_text(f"\n[{reference.path} is not shown to you: {outcome.why}]"))
        elif isinstance(outcome, DocumentText):
            content.append(_text(_text_between_marks(reference, outcome)))
        elif apart is None:
            content.append(outcome.block)
        else:
            content.append(_text(f"\n[{reference.path} follows the results.]"))
            apart += [_text(f"\n{reference.path}:"), outcome.block]
    return message.model_copy(update={"content": _flat(content)})


def _text_between_marks(reference: MediaReference, given: DocumentText) -> str:
    note = f"Its text only, without pictures and layout: {given.why} {given.missing}".strip()
    return "\n" + wrap_in_marks("pdf-text", reference.path, given.text, note)


def _flat(content: list[Any]) -> list[Any] | str:
    """Join content that is text alone: some providers take nothing else in a result."""
    texts = [block["text"] for block in content if block.get("type") == "text"]
    return content if len(texts) < len(content) else "".join(texts)


def _text(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}
