"""Anthropic's messages API, as far as a script needs it. Pure: JSON values in and out."""

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from dataagent_core.models.scripted.failure_shapes import shape_of
from dataagent_core.models.scripted.pieces import Piece, token_usage
from dataagent_core.models.scripted.script import ScriptedFailure
from dataagent_core.models.scripted.script_turn import ChosenStep, ScriptTurn

JSON = dict[str, Any]
_STOPS = {"tool_calls": "tool_use", "stop": "end_turn", "length": "max_tokens"}


def turn_of(body: Mapping[str, Any]) -> ScriptTurn:
    """Find the last message of a person (results of tools come as the user's too)."""
    messages = [one for one in body.get("messages", []) if isinstance(one, dict)]
    answered = 0
    tool_texts: list[str] = []
    for message in reversed(messages):
        results = _select_blocks(message, "tool_result")
        if message.get("role") == "user" and not results:
            users = sum(1 for m in messages if m.get("role") == "user")
            return ScriptTurn(
                _join_text(message.get("content")), str(users), answered, tuple(tool_texts[::-1])
            )
        answered += message.get("role") == "assistant"
        tool_texts += [_join_text(block.get("content")) for block in reversed(results)]
    return ScriptTurn("", "", answered)


def completion(chosen: ChosenStep, body: Mapping[str, Any], created: int) -> JSON:
    """Return the whole answer at once."""
    del created
    step = chosen.step
    content: list[JSON] = [{"type": "text", "text": step.text}] if step.text else []
    content += [
        {"type": "tool_use", "id": chosen.call_id(number), "name": call.name, "input": call.args}
        for number, call in enumerate(step.tool_calls)
    ]
    ending = {"stop_reason": _find_stop_reason(chosen), "stop_sequence": None}
    return (
        _make_message(chosen, body)
        | {"content": content, "usage": _count_usage(chosen, body)}
        | ending
    )


def piece_frames(
    chosen: ChosenStep, body: Mapping[str, Any], created: int, cut: Sequence[Piece]
) -> Iterator[str]:
    """Yield the server-sent events of a streamed answer: blocks, each opened and closed."""
    del created
    usage = _count_usage(chosen, body) | {"output_tokens": 1}
    opening = _make_message(chosen, body) | {"content": [], "stop_reason": None, "usage": usage}
    before = _make_frame("message_start", {"message": opening})
    for index, (_, block) in enumerate(groupby(cut, lambda piece: (piece.kind, piece.position))):
        if index:
            before += _make_frame("content_block_stop", {"index": index - 1})
        for number, piece in enumerate(block):
            if not number:
                start = _make_block_start(chosen, piece)
                before += _make_frame(
                    "content_block_start", {"index": index, "content_block": start}
                )
            delta = {"index": index, "delta": _make_delta(piece)}
            yield before + _make_frame("content_block_delta", delta)
            before = ""
    if before:
        yield before


def closing_frames(
    chosen: ChosenStep, body: Mapping[str, Any], created: int, cut: Sequence[Piece]
) -> Iterator[str]:
    """Yield what follows the last piece: why the answer ends, and the usage."""
    del created
    blocks = len(list(groupby(cut, lambda piece: (piece.kind, piece.position))))
    if blocks:
        yield _make_frame("content_block_stop", {"index": blocks - 1})
    delta = {"stop_reason": _find_stop_reason(chosen), "stop_sequence": None}
    yield _make_frame("message_delta", {"delta": delta, "usage": _count_usage(chosen, body)})
    yield _make_frame("message_stop", {})


def failure_body(failure: ScriptedFailure) -> tuple[int, JSON]:
    """Return the status and the error as Anthropic writes it."""
    shape = shape_of(failure, "anthropic")
    error = {"type": shape.type, "message": shape.message}
    return shape.status, {"type": "error", "error": error, "request_id": "req_scripted"}


def _make_message(chosen: ChosenStep, body: Mapping[str, Any]) -> JSON:
    return {
        "id": f"msg_{chosen.name}",
        "type": "message",
        "role": "assistant",
        "model": body.get("model", "scripted"),
    }


def _make_block_start(chosen: ChosenStep, piece: Piece) -> JSON:
    match piece.kind:
        case "text":
            return {"type": "text", "text": ""}
        case "thought":
            return {"type": "thinking", "thinking": "", "signature": ""}
        case "call":
            name = chosen.step.tool_calls[piece.position].name
            identity = {"id": chosen.call_id(piece.position), "name": name}
            return {"type": "tool_use", **identity, "input": {}}


def _make_delta(piece: Piece) -> JSON:
    match piece.kind:
        case "text":
            return {"type": "text_delta", "text": piece.text}
        case "thought":
            return {"type": "thinking_delta", "thinking": piece.text}
        case "call":
            return {"type": "input_json_delta", "partial_json": piece.text}


def _find_stop_reason(chosen: ChosenStep) -> str:
    step = chosen.step
    reason = step.finish_reason or ("tool_calls" if step.tool_calls else "stop")
    return _STOPS.get(reason, reason)


def _count_usage(chosen: ChosenStep, body: Mapping[str, Any]) -> JSON:
    chars = sum(len(_join_text(one.get("content"))) for one in body.get("messages", []))
    used = token_usage(chosen.step, chars)
    cached = used.cached_read_tokens + used.cached_write_tokens
    return {
        # Cached tokens are not part of this figure here, as they are elsewhere.
        "input_tokens": max(used.input_tokens - cached, 0),
        "cache_read_input_tokens": used.cached_read_tokens,
        "cache_creation_input_tokens": used.cached_write_tokens,
        "output_tokens": used.output_tokens,
    }


def _select_blocks(message: Mapping[str, Any], kind: str) -> list[JSON]:
    content = message.get("content")
    parts = content if isinstance(content, list) else []
    return [part for part in parts if isinstance(part, dict) and part.get("type") == kind]


def _join_text(content: Any) -> str:
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    return "".join(str(part.get("text", "")) for part in parts if isinstance(part, dict))


def _make_frame(event: str, data: JSON) -> str:
    return f"event: {event}\ndata: {json.dumps({'type': event, **data})}\n\n"
