"""What happens around every model call: count it, try again, fall back, and make it usable.

    fallbacks and retries (here) > breaker (`model_attempt.py`) > budget (`call_meter.py`)

Only provider caching is further in, so a second try repeats the request, not the making of it. What
kind of failure it was is `models/retry/classify.py`'s to say; how long to wait,
`models/retry/retry_policy.py`'s.
"""

import asyncio
import random
from collections.abc import Sequence
from typing import Any

from langchain.agents.middleware.types import AgentMiddleware, ModelRequest, ModelResponse
from langchain_core.exceptions import ContextOverflowError as LangChainOverflowError
from langchain_core.messages import AIMessage
from langgraph.errors import GraphBubbleUp
from langgraph.types import interrupt

from dataagent_core.config import Settings
from dataagent_core.config.limits import EMPTY_ANSWERS_MAX, FALLBACK_PATIENCE_S
from dataagent_core.context.window_manager import ModelLimits
from dataagent_core.engine.attachments.media import MediaLoader
from dataagent_core.engine.middleware.middleware_chain import ModelHandler
from dataagent_core.engine.model_calls.answer_repair import repair_answer
from dataagent_core.engine.model_calls.call_meter import CallMeter
from dataagent_core.engine.model_calls.model_attempt import ModelAttempts, PartialAnswer
from dataagent_core.engine.model_calls.request_size import RequestSizes
from dataagent_core.errors import (
    LimitReachedError,
    ModelError,
    ModelUnavailableError,
)
from dataagent_core.events import RetryEvent, WarningEvent
from dataagent_core.models import FailureClass, ResolvedModel, RetryPolicy
from dataagent_core.models.retry.circuit_breaker import EndpointBreakers
from dataagent_core.models.system_message import as_one_text
from dataagent_core.runs import RunContext, run_context


class ModelCalls(AgentMiddleware[Any, Any, Any]):
    """Tries with back-off, then the fallback models, within the run's limit of calls.

    One serves an agent and all its sub-agents.
    """

    def __init__(
        self,
        models: Sequence[ResolvedModel],
        settings: Settings,
        breakers: EndpointBreakers,
        media: MediaLoader,
    ) -> None:
        super().__init__()
        self._model, *self._fallbacks = models
        self._sizes = RequestSizes()
        self._meter = CallMeter(self._sizes, settings.models, settings.max_output_tokens)
        self._attempts = ModelAttempts(self._meter, breakers, media)
        self._policy = RetryPolicy(max_retries=settings.model_retries)
        self._calls_max = settings.run_model_calls_max

    async def awrap_model_call(
        self, request: ModelRequest[Any], handler: ModelHandler
    ) -> ModelResponse[Any]:
        context = run_context(request.runtime)
        if context.progress.closing:
            # A sub-agent whose call was allowed before the run was ended: it goes no further.
            interrupt("the run is over")
        context.progress.model_calls += 1
        if context.progress.model_calls > self._calls_max:
            raise LimitReachedError(
                f"the run used its {self._calls_max} model calls. Ask it to go on in a new "
                "message, or raise DATAAGENT_RUN_MODEL_CALLS_MAX."
            )
        if request.system_message is not None:
            request = request.override(system_message=as_one_text(request.system_message))
        try:
            response = await self._ask_models(context, request, handler)
        except GraphBubbleUp:
            # The run waits for a person; the call is made, and counted, when it goes on.
            context.progress.model_calls -= 1
            raise
        messages = [repair_answer(m) if isinstance(m, AIMessage) else m for m in response.result]
        return ModelResponse(result=messages, structured_response=response.structured_response)

    async def _ask_models(
        self, context: RunContext, request: ModelRequest[Any], handler: ModelHandler
    ) -> ModelResponse[Any]:
        model, others = self._model, self._fitting(request) if self._fallbacks else []
        told = False
        while True:
            try:
                return await self._ask_with_retries(
                    context, request, handler, model, last=not others
                )
            except (ModelError, ModelUnavailableError) as error:
                if not told:
                    await context.recorder.commit(*self._too_small(request))
                    told = True
                if not others:
                    raise
                model = others.pop(0)
                message = f"{error} Going on with {model.name}."
                await context.recorder.commit(WarningEvent(code="FALLBACK_MODEL", message=message))
                request = request.override(model=model.model)

    async def _ask_with_retries(
        self,
        context: RunContext,
        request: ModelRequest[Any],
        handler: ModelHandler,
        model: ResolvedModel,
        *,
        last: bool,
    ) -> ModelResponse[Any]:
        retry = 0
        while True:
            partial_answer = await PartialAnswer.watch(context)
            answer = await self._attempts.ask(context, request, handler, model)
            if isinstance(answer, ModelResponse):
                if not _is_empty(answer):
                    return answer
                if retry >= min(EMPTY_ANSWERS_MAX, self._policy.max_retries):
                    await context.recorder.commit(_nothing_said(model.name))
                    return answer
                why = ModelUnavailableError(f"The model {model.name} answered nothing.")
                answer = FailureClass("broken", why)
            if answer.error_class == "overflow":
                # In the library's words: the compaction around us listens for them.
                raise LangChainOverflowError(str(answer.error)) from answer.error
            if self._is_given_up(answer, retry, last=last):
                if not last:
                    # Another model will say it again; else it is all there is.
                    await partial_answer.void()
                raise answer.last_word if last else answer.error
            wait_s = self._policy.wait_s(retry, answer.retry_after_s, random.random())  # noqa: S311 (chance, not secrecy)
            retry += 1
            await context.recorder.commit(
                RetryEvent(attempt=retry, delay_s=round(wait_s, 3), reason=str(answer.error))
            )
            await asyncio.sleep(wait_s)
            await partial_answer.void()

    def _is_given_up(self, verdict: FailureClass, retry: int, *, last: bool) -> bool:
        if verdict.kind == "fail" or retry >= self._policy.max_retries:
            return True
        # Where another model could answer, a long wait is not worth it; and nobody is asked again
        # before they want to be.
        asked_s = verdict.retry_after_s or 0.0
        return self._policy.too_long(asked_s) or (not last and asked_s > FALLBACK_PATIENCE_S)

    def _fitting(self, request: ModelRequest[Any]) -> list[ResolvedModel]:
        """List the fallback models into whose window this request fits, in the settings' order."""
        size = self._sizes.of(request)
        return [model for model in self._fallbacks if size <= self._window(model)]

    def _too_small(self, request: ModelRequest[Any]) -> list[WarningEvent]:
        """Say which fallback models are passed over, and why."""
        fitting = self._fitting(request)
        return [
            WarningEvent(
                code="FALLBACK_TOO_SMALL",
                message=f"The fallback model {model.name} is passed over: the conversation has "
                f"about {self._sizes.of(request):,} tokens, and it takes {self._window(model):,}.",
            )
            for model in self._fallbacks
            if model not in fitting
        ]

    def _window(self, model: ResolvedModel) -> int:
        known = self._meter.pricing(model.name).metadata
        return ModelLimits(context=known.context_length, output=known.max_output_tokens).usable


def _is_empty(response: ModelResponse[Any]) -> bool:
    answers = [message for message in response.result if isinstance(message, AIMessage)]
    return not any(m.text or m.tool_calls or m.invalid_tool_calls for m in answers)


def _nothing_said(name: str) -> WarningEvent:
    message = f"The model {name} answered nothing. Ask again, or choose another model."
    return WarningEvent(code="EMPTY_ANSWER", message=message)
