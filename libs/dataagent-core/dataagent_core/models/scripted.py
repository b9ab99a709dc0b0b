"""A chat model that plays a script in this process, streaming like a real one.

The choice of the step and the cutting into pieces are in `turn.py` and `pieces.py`; here they are
turned into LangChain messages. Thoughts travel as DeepSeek sends them (`reasoning_content`).
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
from langchain_core.messages.ai import UsageMetadata
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
from dataagent_core.models.attempts import Attempts, ScriptedDisconnectError, ScriptedHTTPError
from dataagent_core.models.pieces import Piece, finish_reason, first_half, pieces, token_usage
from dataagent_core.models.script import Script
from dataagent_core.models.turn import Chosen, Turn, choose


class ScriptedChatModel(BaseChatModel):
    """Plays `script`; `requests` holds what it was asked, newest last."""

    script: Script = Field(repr=False, exclude=True)
    model_name: str = "scripted"

    _attempts: Attempts = PrivateAttr(default_factory=Attempts)
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
        chosen = choose(self.script, _turn(messages))
        step, failure = chosen.step, self._attempts.next_failure(chosen)
        if failure is not None and not failure.disconnect:
            raise ScriptedHTTPError(failure)
        cut = pieces(step)
        pause_s = step.delay_s
        for piece in cut if failure is None else first_half(cut):
            yield _chunk(chosen, piece), pause_s
            pause_s = step.chunk_delay_s
        if failure is not None:
            raise ScriptedDisconnectError(failure.message)
        yield self._last_chunk(chosen, messages), pause_s

    def _last_chunk(self, chosen: Chosen, messages: list[BaseMessage]) -> ChatGenerationChunk:
        chars = sum(len(message.content) for message in messages)
        input_tokens, output_tokens = token_usage(chosen.step, chars)
        return ChatGenerationChunk(
            message=AIMessageChunk(
                content="",
                id=_message_id(chosen),
                chunk_position="last",
                response_metadata={
                    "finish_reason": finish_reason(chosen.step),
                    "model_name": self.model_name,
                    "model_provider": "scripted",
                },
                usage_metadata=UsageMetadata(
                    input_tokens=input_tokens,
                    output_tokens=output_tokens,
                    total_tokens=input_tokens + output_tokens,
                ),
            )
        )


def _turn(messages: Sequence[BaseMessage]) -> Turn:
    answered = 0
    for message in reversed(messages):
        if message.type == "human":
            humans = sum(1 for other in messages if other.type == "human")
            return Turn(str(message.text), message.id or str(humans), answered)
        answered += message.type == "ai"
    return Turn("", "", answered)


def _message_id(chosen: Chosen) -> str:
    return f"msg_{chosen.name}"


def _chunk(chosen: Chosen, piece: Piece) -> ChatGenerationChunk:
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
