"""References that replace what is left out: a line that says what it was and how to read it.

[result of sql_query, 12,340 tokens, left out; recall(123) shows it]
"""

import json
from collections.abc import Mapping
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, ToolMessage

from dataagent_core.config.limits.context import MESSAGE_KEPT_TOKENS_MIN
from dataagent_core.context.token_counter import call_text, content_tokens, is_image
from dataagent_core.tools.catalog.core_tools import estimate_tokens
from dataagent_core.tools.media.media_reference import MediaReference

_MARK = "context_left_out"
_CHARS_PER_TOKEN_MIN = 2
_HEAD_SHARE = 0.6


def is_left_out(message: BaseMessage) -> bool:
    """Return whether a message of a view is only a reference."""
    return bool(message.additional_kwargs.get(_MARK))


def reference(what: str, tokens: int, seq: int | None) -> str:
    """Write the line."""
    hint = f"; recall({seq}) shows it" if seq is not None else ""
    return f"[{what}, {tokens:,} tokens, left out{hint}]"


def shorten_with_reference(
    message: BaseMessage, kept_tokens: int, seq: int | None, tokens: int
) -> BaseMessage:
    """Return a copy with about so many tokens, and a reference for the rest."""
    line = reference(_describe(message), tokens, seq)
    # Providers put raw copies of calls and reasoning there, as long as the part left out.
    kwargs = {} if isinstance(message, AIMessage) else message.additional_kwargs
    changes: dict[str, Any] = {
        "content": _shorten_content(message, kept_tokens, line),
        "additional_kwargs": {**kwargs, _MARK: True},
    }
    if isinstance(message, AIMessage):
        calls = message.tool_calls
        spent = content_tokens(changes["content"])
        each = max(kept_tokens - spent, 0) // max(len(calls), 1)
        changes["tool_calls"] = [_shorten_call(call, each, line) for call in calls]
        changes["invalid_tool_calls"] = []
    if isinstance(message, ToolMessage):
        changes["artifact"] = None
    return message.model_copy(update=changes)


def without_images(message: BaseMessage, seq: int | None) -> BaseMessage:
    """Return a copy in which each image is a line."""
    if not isinstance(message.content, list):
        return message
    content = [_image_line(block, seq) if is_image(block) else block for block in message.content]
    return message.model_copy(update={"content": content})


def has_images(message: BaseMessage) -> bool:
    """Return whether a message holds anything but text."""
    return isinstance(message.content, list) and any(map(is_image, message.content))


def cut_text(text: str, kept_tokens: int, line: str) -> str:
    """Keep the beginning and the end of a text, with a line where the rest was."""
    # A token has at most four characters, so most texts need no estimate.
    if len(text) <= kept_tokens * 4 and estimate_tokens(text) <= kept_tokens:
        return text
    kept_chars = max(kept_tokens - estimate_tokens(line), 0) * _CHARS_PER_TOKEN_MIN
    if kept_chars < MESSAGE_KEPT_TOKENS_MIN:
        return line
    head = int(kept_chars * _HEAD_SHARE)
    return f"{text[:head]}\n{line}\n{text[len(text) - (kept_chars - head) :]}"


def _describe(message: BaseMessage) -> str:
    if isinstance(message, ToolMessage):
        return f"result of {message.name or 'a tool'}"
    return {"human": "message of the person", "ai": "answer"}.get(message.type, "message")


def _shorten_content(message: BaseMessage, kept_tokens: int, line: str) -> str:
    content = message.content
    text = content if isinstance(content, str) else str(message.text)
    if isinstance(content, list) and any(map(is_image, content)):
        text = f"{text}\n{line}" if text else line
    # An answer that only calls tools has no text to leave out.
    if not text and isinstance(message, AIMessage):
        return ""
    return cut_text(text, kept_tokens, line)


def _shorten_call(call: Mapping[str, Any], kept_tokens: int, line: str) -> Any:
    if estimate_tokens(call_text(call)) <= kept_tokens:
        return call
    args: dict[str, Any] = {}
    for name, value in call["args"].items():
        text = value if isinstance(value, str) else json.dumps(value, default=str)
        args[name] = cut_text(text, kept_tokens // max(len(call["args"]), 1), line)
    short = {**call, "args": args}
    if estimate_tokens(call_text(short)) <= max(kept_tokens, MESSAGE_KEPT_TOKENS_MIN):
        return short
    return {**call, "args": {"left_out": line}}


def _image_line(block: Any, seq: int | None) -> dict[str, str]:
    reference = MediaReference.read(block)
    if reference is not None:
        text = f"[{reference.path}, left out; read_file shows it]"
    else:
        where = f" of event {seq}" if seq is not None else ""
        text = f"[{block.get('type', 'image')}{where}, left out]"
    return {"type": "text", "text": text}
