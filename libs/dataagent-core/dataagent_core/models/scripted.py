"""A chat model that plays a script in this process, streaming like a real one.

The choice of the step is `turn.py`'s, the cutting into pieces `pieces.py`'s, the messages
`chunks.py`'s; here they become a model that waits, fails and streams.
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
from langchain_core.messages import AIMessage, BaseMessage
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
from dataagent_core.models.chunks import chunk_of, closing_chunk, turn_of
from dataagent_core.models.pieces import played
from dataagent_core.models.script import Script
from dataagent_core.models.turn import choose


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
        chosen = choose(self.script, turn_of(messages))
        step, failure = chosen.step, self._attempts.next_failure(chosen)
        if failure is not None and not failure.answers:
            raise ScriptedHTTPError(failure)
        pause_s = step.delay_s
        for piece in played(step, failure):
            yield chunk_of(chosen, piece), pause_s
            pause_s = step.chunk_delay_s
        if failure is not None and failure.disconnect:
            raise ScriptedDisconnectError(failure.message)
        yield closing_chunk(chosen, messages, self.model_name), pause_s
