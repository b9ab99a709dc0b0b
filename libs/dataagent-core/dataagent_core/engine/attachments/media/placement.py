"""Replaces media references in messages by their outcome: content, text or a sentence. Pure.

Where a provider takes no pictures in tool results, they follow the results of the turn in a message
of their own.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from langchain_core.messages import AnyMessage, HumanMessage, ToolMessage

from dataagent_core.engine.attachments.content_marks import wrap_in_marks
from dataagent_core.tools.media.media_reference import MediaReference

_FOLLOWING = "(What the results above refer to. This message is from the tools, not a person.)"
_M = TypeVar("_M", bound=AnyMessage)


@dataclass(frozen=True, slots=True)
class Shown:
    """A block of content with the bytes in it."""

    block: dict[str, Any]
    size_bytes: int


@dataclass(frozen=True, slots=True)
class NotShown:
    """Why a model is not given something to look at, and what a person can do about it."""

    why: str
    way_out: str = ""
    # Whether the person is warned; not of what is expected, such as a file that changed.
    is_reported: bool = True


@dataclass(frozen=True, slots=True)
class DocumentText:
    """The text of a PDF, for a model that is not shown the document; `why` says the reason."""

    text: str
    why: str
    # A sentence about what the text lacks; empty if it is complete.
    missing: str = ""


Outcome = Shown | DocumentText | NotShown
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
            result += _flush(following)
        apart = following if isinstance(message, ToolMessage) and not in_results else None
        result.append(
            _replace_references(message, outcomes, apart) if references_in(message) else message
        )
    return [*result, *_flush(following)]


def _flush(following: list[dict[str, Any]]) -> Iterator[HumanMessage]:
    if following:
        yield HumanMessage(content=[_text_block(_FOLLOWING), *following])
        following.clear()


def _replace_references(message: _M, outcomes: Outcomes, apart: list[dict[str, Any]] | None) -> _M:
    content: list[Any] = []
    for block in message.content:
        reference = MediaReference.read(block)
        if reference is None:
            content.append(_text_block(block) if isinstance(block, str) else block)
            continue
        outcome = outcomes[reference]
        if isinstance(outcome, NotShown):
            content.append(_text_block(f"\n[{reference.path} is not shown to you: {outcome.why}]"))
        elif isinstance(outcome, DocumentText):
            content.append(_text_block(_document_text(reference, outcome)))
        elif apart is None:
            content.append(outcome.block)
        else:
            content.append(_text_block(f"\n[{reference.path} follows the results.]"))
            apart += [_text_block(f"\n{reference.path}:"), outcome.block]
    return message.model_copy(update={"content": _join_texts(content)})


def _document_text(reference: MediaReference, given: DocumentText) -> str:
    note = f"Its text only, without pictures and layout: {given.why} {given.missing}".strip()
    return "\n" + wrap_in_marks("pdf-text", reference.path, given.text, note)


def _join_texts(content: list[Any]) -> list[Any] | str:
    """Join content that is only text: some providers take nothing else in a result."""
    texts = [block["text"] for block in content if block.get("type") == "text"]
    return content if len(texts) < len(content) else "".join(texts)


def _text_block(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}
