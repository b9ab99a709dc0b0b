"""What happens around every model call: count it, try again, fall back, and make it usable.

Only provider caching is further in, so a second try repeats the request, not the making of it.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, cast

from langchain.agents.middleware.types import AgentMiddleware, ModelRequest, ModelResponse
from langchain_core.exceptions import ContextOverflowError as LangChainOverflowError
from langchain_core.messages import AIMessage

from dataagent_core.config.limits import MODEL_RETRY_BASE_S, MODEL_RETRY_DELAY_S_MAX
from dataagent_core.engine.repair import repaired
from dataagent_core.errors import ContextOverflowError, DataAgentError, LimitReachedError
from dataagent_core.events import RetryEvent, WarningEvent
from dataagent_core.models import ResolvedModel, classify, retry_delay_s
from dataagent_core.models.system_message import as_one_text
from dataagent_core.permissions import RunScope

Handler = Callable[[ModelRequest[Any]], Awaitable[ModelResponse[Any]]]


class ModelCalls(AgentMiddleware[Any, Any, Any]):
    """Retries with back-off, then the fallback models, within the run's limit of calls."""

    def __init__(
        self, models: Sequence[ResolvedModel], *, retries_max: int, calls_max: int
    ) -> None:
        super().__init__()
        self._models = models
        self._retries_max = retries_max
        self._calls_max = calls_max

    async def awrap_model_call(
        self, request: ModelRequest[Any], handler: Handler
    ) -> ModelResponse[Any]:
        scope = cast("RunScope", request.runtime.context)
        scope.model_calls += 1
        if scope.model_calls > self._calls_max:
            raise LimitReachedError(
                f"the run used its {self._calls_max} model calls. Ask it to go on in a new "
                "message, or raise DATAAGENT_RUN_MODEL_CALLS_MAX."
            )
        if request.system_message is not None:
            request = request.override(system_message=as_one_text(request.system_message))
        response = await self._first_that_answers(scope, request, handler)
        return _usable(scope, response)

    async def _first_that_answers(
        self, scope: RunScope, request: ModelRequest[Any], handler: Handler
    ) -> ModelResponse[Any]:
        first, *fallbacks = self._models
        name = first.name
        for fallback in fallbacks:
            try:
                return await self._with_retries(scope, request, handler, name)
            except DataAgentError as error:
                message = f"{error} Going on with {fallback.name}."
                await scope.recorder.commit(WarningEvent(code="FALLBACK_MODEL", message=message))
                request, name = request.override(model=fallback.model), fallback.name
        return await self._with_retries(scope, request, handler, name)

    async def _with_retries(
        self, scope: RunScope, request: ModelRequest[Any], handler: Handler, name: str
    ) -> ModelResponse[Any]:
        attempt = 0
        while True:
            try:
                return await handler(request)
            except DataAgentError:
                raise
            except Exception as error:
                verdict = classify(error, name)
                if isinstance(verdict.error, ContextOverflowError):
                    # In the library's words: the compaction around us listens for them.
                    raise LangChainOverflowError(str(verdict.error)) from error
                if verdict.kind == "fail" or attempt >= self._retries_max:
                    raise verdict.error from error
                delay_s = retry_delay_s(
                    attempt, MODEL_RETRY_BASE_S, verdict.retry_after_s, MODEL_RETRY_DELAY_S_MAX
                )
                attempt += 1
                await scope.recorder.commit(
                    RetryEvent(attempt=attempt, delay_s=delay_s, reason=str(verdict.error))
                )
                await asyncio.sleep(delay_s)


def _usable(scope: RunScope, response: ModelResponse[Any]) -> ModelResponse[Any]:
    messages = [repaired(m) if isinstance(m, AIMessage) else m for m in response.result]
    for message in messages:
        if isinstance(message, AIMessage) and (usage := message.usage_metadata):
            scope.add_usage(usage["input_tokens"], usage["output_tokens"])
    return ModelResponse(result=messages, structured_response=response.structured_response)
