"""Between a script and LangChain's messages: the turn a request asks for, the chunks it gets.

Pure. Thoughts travel as DeepSeek sends them (`reasoning_content`), which LangChain reads as
reasoning.
"""

from collections.abc import Sequence

from langchain_core.messages import AIMessageChunk, BaseMessage
from langchain_core.messages.ai import InputTokenDetails, OutputTokenDetails, UsageMetadata
from langchain_core.messages.tool import tool_call_chunk
from langchain_core.outputs import ChatGenerationChunk

from dataagent_core.models.pieces import Piece, finish_reason, token_usage
from dataagent_core.models.turn import Chosen, Turn


def turn_of(messages: Sequence[BaseMessage]) -> Turn:
    """Find the last human message and count the answers after it."""
    answered = 0
    told: list[str] = []
    for message in reversed(messages):
        if message.type == "human":
            humans = sum(1 for other in messages if other.type == "human")
            origin = message.id or str(humans)
            return Turn(str(message.text), origin, answered, tuple(reversed(told)))
        answered += message.type == "ai"
        if message.type == "tool":
            told.append(str(message.text))
    return Turn("", "", answered)


def chunk_of(chosen: Chosen, piece: Piece) -> ChatGenerationChunk:
    """Return one piece of the answer."""
    message_id = _message_id(chosen)
    if piece.kind == "text":
        message = AIMessageChunk(content=piece.text, id=message_id)
    elif piece.kind == "thought":
        extra = {"reasoning_content": piece.text}
        message = AIMessageChunk(content="", id=message_id, additional_kwargs=extra)
    else:
        call = tool_call_chunk(
            name=chosen.step.tool_calls[piece.position].name if piece.opens_call else None,
            id=chosen.call_id(piece.position) if piece.opens_call else None,
            args=piece.text,
            index=piece.position,
        )
        message = AIMessageChunk(content="", id=message_id, tool_call_chunks=[call])
    return ChatGenerationChunk(message=message)


def closing_chunk(
    chosen: Chosen, messages: Sequence[BaseMessage], model_name: str
) -> ChatGenerationChunk:
    """Return what follows the last piece: why the answer ends, and its usage."""
    chars = sum(len(message.content) for message in messages)
    used = token_usage(chosen.step, chars)
    message = AIMessageChunk(
        content="",
        id=_message_id(chosen),
        chunk_position="last",
        response_metadata={
            "finish_reason": finish_reason(chosen.step),
            "model_name": model_name,
            "model_provider": "scripted",
        },
        usage_metadata=UsageMetadata(
            input_tokens=used.input_tokens,
            output_tokens=used.output_tokens,
            total_tokens=used.input_tokens + used.output_tokens,
            input_token_details=InputTokenDetails(
                cache_read=used.cached_read_tokens, cache_creation=used.cached_write_tokens
            ),
            output_token_details=OutputTokenDetails(reasoning=used.reasoning_tokens),
        ),
    )
    return ChatGenerationChunk(message=message)


def _message_id(chosen: Chosen) -> str:
    return f"msg_{chosen.name}"
