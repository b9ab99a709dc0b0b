"""The view: the messages a model is shown, a pure function of the history and a record.

The stored history never changes. A record changes only when the window gets full, so that
consecutive requests have the same beginning and a provider's cache stays valid.
"""

from collections.abc import Sequence

from langchain_core.messages import BaseMessage, HumanMessage

from dataagent_core.context.compaction.references import shorten_with_reference, without_images
from dataagent_core.context.context_record import ContextRecord, HistoryCut

_SOURCE = {"lc_source": "summarization"}


def view(messages: Sequence[BaseMessage], record: ContextRecord) -> list[BaseMessage]:
    """Return the messages to send; the same objects if nothing was left out."""
    start = kept_start(messages, record)
    if start == 0 and not record.cuts:
        return list(messages)
    shown = [_show_message(message, record) for message in messages[start:]]
    if start == 0:
        return shown
    question = question_position(messages, start)
    before = [] if question is None else [_show_message(messages[question], record)]
    return [block_message(record), *before, *shown]


def kept_start(messages: Sequence[BaseMessage], record: ContextRecord) -> int:
    """Find the first message that is shown; 0 for a record of another history."""
    if record.covered_to is None:
        return 0
    # From the end: what is shown is short, what is not shown may be long.
    for position in range(len(messages) - 1, -1, -1):
        if messages[position].id == record.covered_to:
            return position + 1
    return 0


def is_block(message: BaseMessage) -> bool:
    """Return whether a message of a view replaces those before it."""
    return message.additional_kwargs.get("lc_source") == _SOURCE["lc_source"]


def block_message(record: ContextRecord) -> HumanMessage:
    """Make the message that replaces what is no longer shown."""
    return HumanMessage(
        content=record.block, id=f"context:{record.version}", additional_kwargs=dict(_SOURCE)
    )


def question_position(messages: Sequence[BaseMessage], start: int) -> int | None:
    """Find the user message of the turn in which the view begins, if it is before the view."""
    if start < len(messages) and isinstance(messages[start], HumanMessage):
        return None
    for position in range(start - 1, -1, -1):
        if isinstance(messages[position], HumanMessage):
            return position
    return None


def render_shown_message(message: BaseMessage, cut: HistoryCut | None) -> BaseMessage:
    """Return a message as it is shown: itself, or what a cut leaves of it."""
    if cut is None:
        return message
    if cut.only_images:
        return without_images(message, cut.seq)
    return shorten_with_reference(message, cut.kept_tokens, cut.seq, cut.tokens)


def _show_message(message: BaseMessage, record: ContextRecord) -> BaseMessage:
    return render_shown_message(
        message, record.cuts.get(message.id) if message.id is not None else None
    )
