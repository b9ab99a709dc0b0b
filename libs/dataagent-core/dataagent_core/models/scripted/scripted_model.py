"""A chat model that plays a script in this process and streams like a real one.

`script_turn.py` chooses the step, `pieces.py` cuts the text; this module converts to and from
LangChain's messages, waits, fails and streams. Thoughts are sent as DeepSeek sends them
(`reasoning_content`).
"""

import asyncio
import time
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from typing import Any

from langchain_core.callbacks import (
    AsyncCallbackManagerForLLMRun,
    CallbackManagerForLLMRun,
)
from langchain_core.language_models import BaseChatModel, LanguageModelInput
from langchain_core.language_models.chat_models import generate_from_stream
from langchain_core.language_models.model_profile import ModelProfile
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage
from langchain_core.messages.ai import InputTokenDetails, OutputTokenDetails, UsageMetadata
from langchain_core.messages.tool import tool_call_chunk
from langchain_core.outputs import ChatGenerationChunk, ChatResult
from langchain_core.runnables import Runnable
from langchain_core.tools import BaseTool
from pydantic import Field, PrivateAttr

from dataagent_core.config.limits import (
    CONTEXT_LENGTH_TOKENS,
    OUTPUT_TOKENS_MAX,
    SCRIPT_REQUESTS_KEPT_MAX,
)
from dataagent_core.models.scripted.pieces import Piece, finish_reason, play_pieces, token_usage
from dataagent_core.models.scripted.script import Script
from dataagent_core.models.scripted.script_turn import ChosenStep, ScriptTurn, choose
from dataagent_core.models.scripted.scripted_failures import (
    ScriptedAttempts,
    ScriptedDisconnectError,
    ScriptedHTTPError,
)


def turn_of(messages: Sequence[BaseMessage]) -> ScriptTurn:
    """Find the last human message and count the answers after it."""
    answered = 0
    told: list[str] = []
    for message in reversed(messages):
        if message.type == "human":
            humans = sum(1 for other in messages if other.type == "human")
            origin = message.id or str(humans)
            return ScriptTurn(str(message.text), origin, answered, tuple(reversed(told)))
        answered += message.type == "ai"
        if message.type == "tool":
            told.append(str(message.text))
    return ScriptTurn("", "", answered)


def chunk_of(chosen: ChosenStep, piece: Piece) -> ChatGenerationChunk:
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
    chosen: ChosenStep, messages: Sequence[BaseMessage], model_name: str
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


def _message_id(chosen: ChosenStep) -> str:
    return f"msg_{chosen.name}"


class ScriptedChatModel(BaseChatModel):
    """Plays `script`; `requests` holds what it was asked, newest last."""

    script: Script = Field(repr=False, exclude=True)
    model_name: str = "scripted"

    _attempts: ScriptedAttempts = PrivateAttr(default_factory=ScriptedAttempts)
    _requests: deque[tuple[BaseMessage, ...]] = PrivateAttr(
        default_factory=lambda: deque(maxlen=SCRIPT_REQUESTS_KEPT_MAX)
    )

    @property
    def requests(self) -> tuple[tuple[BaseMessage, ...], ...]:
        """The messages of the latest requests."""
        return tuple(self._requests)

    @property
    def _llm_type(self) -> str:
        return "scripted"

    def _resolve_model_profile(self) -> ModelProfile:
        return ModelProfile(
            max_input_tokens=CONTEXT_LENGTH_TOKENS,
            max_output_tokens=OUTPUT_TOKENS_MAX,
            tool_calling=True,
        )

    def bind_tools(
        self,
        tools: Sequence[dict[str, Any] | type | Callable[..., Any] | BaseTool],
        *,
        tool_choice: str | None = None,
        **kwargs: Any,
    ) -> Runnable[LanguageModelInput, AIMessage]:
        """Accept any tools: the script already knows which it will call."""
        return self.bind(tools=list(tools), tool_choice=tool_choice, **kwargs)

    def _stream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> Iterator[ChatGenerationChunk]:
        del stop, run_manager, kwargs
        for chunk, pause_s in self._play(messages):
            if pause_s:
                time.sleep(pause_s)
            yield chunk

    async def _astream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> AsyncIterator[ChatGenerationChunk]:
        del stop, run_manager, kwargs
        for chunk, pause_s in self._play(messages):
            if pause_s:
                await asyncio.sleep(pause_s)
            yield chunk

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        del run_manager
        return generate_from_stream(self._stream(messages, stop, **kwargs))

    async def _agenerate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        del run_manager
        chunks = [chunk async for chunk in self._astream(messages, stop, **kwargs)]
        return generate_from_stream(iter(chunks))

    def _play(self, messages: list[BaseMessage]) -> Iterator[tuple[ChatGenerationChunk, float]]:
        """Yield each chunk with the seconds to wait before it."""
        self._requests.append(tuple(messages))
        chosen = choose(self.script, turn_of(messages))
        step, failure = chosen.step, self._attempts.next_failure(chosen)
        if failure is not None and not failure.answers:
            raise ScriptedHTTPError(failure)
        pause_s = step.delay_s
        for piece in play_pieces(step, failure):
            yield chunk_of(chosen, piece), pause_s
            pause_s = step.chunk_delay_s
        if failure is not None and failure.disconnect:
            raise ScriptedDisconnectError(failure.message)
        yield closing_chunk(chosen, messages, self.model_name), pause_s
