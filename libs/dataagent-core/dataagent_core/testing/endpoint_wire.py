"""OpenAI's chat-completions wire, as far as a script needs it. Pure: JSON values in and out."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from dataagent_core.models.scripted.failure_shapes import shape_of
from dataagent_core.models.scripted.pieces import Piece, finish_reason, token_usage
from dataagent_core.models.scripted.script import ScriptedFailure
from dataagent_core.models.scripted.script_turn import ChosenStep, ScriptTurn

JSON = dict[str, Any]


def turn_of(body: Mapping[str, Any]) -> ScriptTurn:
    """Find the last user message and count the answers after it."""
    messages = [one for one in body.get("messages", []) if isinstance(one, dict)]
    answered = 0
    tool_texts: list[str] = []
    for message in reversed(messages):
        text = _join_text(message.get("content"))
        if message.get("role") == "user":
            users = sum(1 for other in messages if other.get("role") == "user")
            return ScriptTurn(text, str(users), answered, tuple(reversed(tool_texts)))
        answered += message.get("role") == "assistant"
        if message.get("role") == "tool":
            tool_texts.append(text)
    return ScriptTurn("", "", answered)


def completion(chosen: ChosenStep, body: Mapping[str, Any], created: int) -> JSON:
    """Return the whole answer at once."""
    step = chosen.step
    message: JSON = {"role": "assistant", "content": step.text or None}
    if step.thought:
        message["reasoning_content"] = step.thought
    if step.tool_calls:
        message["tool_calls"] = [
            {
                "id": chosen.call_id(position),
                "type": "function",
                "function": {"name": call.name, "arguments": call.arguments},
            }
            for position, call in enumerate(step.tool_calls)
        ]
    choice = {"index": 0, "message": message, "finish_reason": finish_reason(step)}
    return _make_envelope(chosen, body, created, "chat.completion") | {
        "choices": [choice],
        "usage": _count_usage(chosen, body),
    }


def piece_frames(
    chosen: ChosenStep, body: Mapping[str, Any], created: int, cut: Sequence[Piece]
) -> Iterator[str]:
    """Yield the server-sent events of a streamed answer, one for each piece."""
    for piece in cut:
        yield _make_frame(chunk(chosen, body, created, piece))


def closing_frames(
    chosen: ChosenStep, body: Mapping[str, Any], created: int, cut: Sequence[Piece]
) -> Iterator[str]:
    """Yield what follows the last piece."""
    del cut
    for closing in closing_chunks(chosen, body, created):
        yield _make_frame(closing)
    yield "data: [DONE]\n\n"


def chunk(chosen: ChosenStep, body: Mapping[str, Any], created: int, piece: Piece) -> JSON:
    """Return one piece of a streamed answer."""
    return _make_chunk(chosen, body, created, _make_delta(chosen, piece), None)


def closing_chunks(chosen: ChosenStep, body: Mapping[str, Any], created: int) -> Iterator[JSON]:
    """Yield what follows the last piece: the reason it ends and, if asked for, the usage."""
    yield _make_chunk(chosen, body, created, {}, finish_reason(chosen.step))
    options = body.get("stream_options")
    if isinstance(options, dict) and options.get("include_usage"):
        envelope = _make_envelope(chosen, body, created, "chat.completion.chunk")
        yield envelope | {"choices": [], "usage": _count_usage(chosen, body)}


def failure_body(failure: ScriptedFailure) -> tuple[int, JSON]:
    """Return the status and the error as OpenAI writes it."""
    shape = shape_of(failure, "openai")
    return shape.status, error_body(shape.message, shape.type, shape.code)


def error_body(message: str, kind: str, code: str | None = None) -> JSON:
    """Return an error as OpenAI writes it."""
    return {"error": {"message": message, "type": kind, "param": None, "code": code}}


def model_list(created: int) -> JSON:
    """Return the list of models: one."""
    model = {"id": "scripted", "object": "model", "created": created, "owned_by": "dataagent"}
    return {"object": "list", "data": [model]}


def _make_chunk(
    chosen: ChosenStep, body: Mapping[str, Any], created: int, delta: JSON, reason: str | None
) -> JSON:
    choice = {"index": 0, "delta": delta, "finish_reason": reason}
    return _make_envelope(chosen, body, created, "chat.completion.chunk") | {"choices": [choice]}


def _make_delta(chosen: ChosenStep, piece: Piece) -> JSON:
    if piece.kind == "text":
        return {"role": "assistant", "content": piece.text}
    if piece.kind == "thought":
        return {"role": "assistant", "reasoning_content": piece.text}
    call: JSON = {"index": piece.position, "function": {"arguments": piece.text}}
    if piece.opens_call:
        call |= {"id": chosen.call_id(piece.position), "type": "function"}
        call["function"]["name"] = chosen.step.tool_calls[piece.position].name
    return {"role": "assistant", "tool_calls": [call]}


def _make_envelope(chosen: ChosenStep, body: Mapping[str, Any], created: int, kind: str) -> JSON:
    return {
        "id": f"chatcmpl-{chosen.name}",
        "object": kind,
        "created": created,
        "model": body.get("model", "scripted"),
    }


def _count_usage(chosen: ChosenStep, body: Mapping[str, Any]) -> JSON:
    chars = sum(len(_join_text(one.get("content"))) for one in body.get("messages", []))
    used = token_usage(chosen.step, chars)
    return {
        "prompt_tokens": used.input_tokens,
        "completion_tokens": used.output_tokens,
        "total_tokens": used.input_tokens + used.output_tokens,
        "prompt_tokens_details": {"cached_tokens": used.cached_read_tokens},
        "completion_tokens_details": {"reasoning_tokens": used.reasoning_tokens},
    }


def _make_frame(data: JSON) -> str:
    return f"data: {json.dumps(data)}\n\n"


def _join_text(content: Any) -> str:
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    parts = [part for part in content if isinstance(part, dict)]
    return "".join(str(part.get("text", "")) for part in parts)
