"""The middleware around every model call: limit of calls, fallbacks, retries, repair of the answer.

    fallbacks > retries > one attempt (breaker, media) > budget (`call_meter.py`)

Only provider caching is further in, so a retry repeats the finished request.
`models/retry/classify.py` classifies a failure, `models/retry/retry_policy.py` decides how long to
wait. Errors that are not the model's (a limit, a budget, a store) pass, and so does the interrupt
of a run that waits for a person.
"""

import asyncio
import json
import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from langchain.agents.middleware.types import AgentMiddleware, ModelRequest, ModelResponse
from langchain_core.exceptions import ContextOverflowError as LangChainOverflowError
from langchain_core.messages import AIMessage
from langchain_core.messages.tool import ToolCall, tool_call
from langgraph.errors import GraphBubbleUp
from langgraph.types import interrupt

from dataagent_core.config import Settings
from dataagent_core.config.limits import EMPTY_ANSWERS_MAX, FALLBACK_PATIENCE_S, STREAM_SETTLE_S
from dataagent_core.context.window_manager import ModelLimits
from dataagent_core.engine.attachments.media import MediaLoader
from dataagent_core.engine.middleware.middleware_chain import ModelHandler
from dataagent_core.engine.model_calls.call_meter import CallMeter, RequestSizes
from dataagent_core.errors import (
    DataAgentError,
    LimitReachedError,
    ModelError,
    ModelUnavailableError,
)
from dataagent_core.events import RetryEvent, RunResumedEvent, WarningEvent
from dataagent_core.ids import new_id
from dataagent_core.language.unicode_text import storable
from dataagent_core.models import FailureClass, ResolvedModel, RetryPolicy, classify
from dataagent_core.models.answer_cap import was_cut
from dataagent_core.models.retry.circuit_breaker import (
    EndpointBreaker,
    EndpointBreakers,
    endpoint_of,
)
from dataagent_core.models.system_message import as_one_text
from dataagent_core.runs import RunContext, run_context
from dataagent_core.tools.pipeline.agent_call import MALFORMED_KEY
from dataagent_core.tools.pipeline.outcome import pack_value


class ModelCalls(AgentMiddleware[Any, Any, Any]):
    """Retries with back-off, then uses the fallback models, within the run's limit of calls.

    An agent and all its sub-agents share one instance.
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
            # A sub-agent whose call was allowed before the run was ended stops here.
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
        model, others = (
            self._model,
            self._find_fitting_fallbacks(request) if self._fallbacks else [],
        )
        has_warned = False
        while True:
            try:
                return await self._ask_with_retries(
                    context, request, handler, model, last=not others
                )
            except (ModelError, ModelUnavailableError) as error:
                if not has_warned:
                    await context.recorder.commit(*self._make_small_fallback_warnings(request))
                    has_warned = True
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
                    await context.recorder.commit(_empty_answer_warning(model.name))
                    return answer
                why = ModelUnavailableError(f"The model {model.name} answered nothing.")
                answer = FailureClass("broken", why)
            if answer.error_class == "overflow":
                # The library's own exception: the compaction around this call catches it.
                raise LangChainOverflowError(str(answer.error)) from answer.error
            if self._should_give_up(answer, retry, last=last):
                if not last:
                    # Another model answers anew; without one, the pieces are all there is.
                    await partial_answer.void()
                raise answer.last_word if last else answer.error
            wait_s = self._policy.wait_s(retry, answer.retry_after_s, random.random())  # noqa: S311 (chance, not secrecy)
            retry += 1
            await context.recorder.commit(
                RetryEvent(attempt=retry, delay_s=round(wait_s, 3), reason=str(answer.error))
            )
            await asyncio.sleep(wait_s)
            await partial_answer.void()

    def _should_give_up(self, verdict: FailureClass, retry: int, *, last: bool) -> bool:
        if verdict.kind == "fail" or retry >= self._policy.max_retries:
            return True
        # A long wait is not worth it where another model could answer. A model is never asked
        # again before the wait its provider requested.
        requested_wait_s = verdict.retry_after_s or 0.0
        return self._policy.too_long(requested_wait_s) or (
            not last and requested_wait_s > FALLBACK_PATIENCE_S
        )

    def _find_fitting_fallbacks(self, request: ModelRequest[Any]) -> list[ResolvedModel]:
        """List the fallback models into whose window this request fits, in the settings' order."""
        size = self._sizes.of(request)
        return [model for model in self._fallbacks if size <= self._window_of(model)]

    def _make_small_fallback_warnings(self, request: ModelRequest[Any]) -> list[WarningEvent]:
        """Make the warnings about fallback models whose window is too small."""
        fitting = self._find_fitting_fallbacks(request)
        size = self._sizes.of(request)
        return [
            WarningEvent(
                code="FALLBACK_TOO_SMALL",
                message=f"The fallback model {model.name} is passed over: the conversation has "
                f"about {size:,} tokens, and it takes {self._window_of(model):,}.",
            )
            for model in self._fallbacks
            if model not in fitting
        ]

    def _window_of(self, model: ResolvedModel) -> int:
        known = self._meter.pricing(model.name).metadata
        return ModelLimits(context=known.context_length, output=known.max_output_tokens).usable


@dataclass(frozen=True, slots=True)
class ModelAttempts:
    """Makes single attempts: checks the endpoint's breaker, loads media, calls within budget."""

    meter: CallMeter
    breakers: EndpointBreakers
    media: MediaLoader

    async def ask(
        self,
        context: RunContext,
        request: ModelRequest[Any],
        handler: ModelHandler,
        model: ResolvedModel,
    ) -> ModelResponse[Any] | FailureClass:
        """Make the call; return the answer, or the class of the failure."""
        endpoint = endpoint_of(model)
        # A model inside the process has no endpoint and needs no breaker.
        breaker = EndpointBreaker() if endpoint is None else self.breakers.of(endpoint)
        wait_s = breaker.wait_s(self.breakers.clock())
        if wait_s:
            return FailureClass("away", _endpoint_paused_error(model.name, wait_s), wait_s)
        try:
            loading = partial(self.media.call, context, model, handler)
            response = await self.meter.call(context, request, loading, model.name)
        except (DataAgentError, GraphBubbleUp):
            raise
        except Exception as error:  # noqa: BLE001 (an SDK may raise anything; it is judged by what it says)
            verdict = classify(error, model.name)
            verdict.error.__cause__ = error
            if verdict.error_class in {"away", "broken"}:
                breaker.failed(self.breakers.clock())
            return verdict
        breaker.succeeded()
        return response


@dataclass(frozen=True, slots=True)
class PartialAnswer:
    """What an attempt has put into the log: everything since the number where it began.

    Pieces of an answer are in the log before the answer is complete. When its stream breaks and the
    model is asked again, `resumed` says from which number on the pieces are void (PROTOCOL.md).
    """

    context: RunContext
    since_seq: int

    @classmethod
    async def watch(cls, context: RunContext) -> "PartialAnswer":
        """Note where the log stands."""
        await context.recorder.commit()
        return cls(context, context.recorder.last_seq)

    async def void(self) -> None:
        """Record that the pieces of this attempt are void, if there are any."""
        # Wait for what the stream still holds: a piece that came later would count.
        await asyncio.sleep(STREAM_SETTLE_S)
        recorder = self.context.recorder
        await recorder.commit()
        if recorder.last_piece_seq > self.since_seq:
            self.context.progress.restarts += 1
            attempt = self.context.run.attempt + self.context.progress.restarts
            resumed = RunResumedEvent(attempt=attempt, discard_after=self.since_seq)
            await recorder.commit(resumed)


def _endpoint_paused_error(name: str, wait_s: float) -> ModelUnavailableError:
    return ModelUnavailableError(
        f"The endpoint of the model {name} failed again and again, for others too, and is left "
        f"alone for {wait_s:.0f} s."
    )


def _is_empty(response: ModelResponse[Any]) -> bool:
    answers = [message for message in response.result if isinstance(message, AIMessage)]
    return not any(m.text or m.tool_calls or m.invalid_tool_calls for m in answers)


def _empty_answer_warning(name: str) -> WarningEvent:
    message = f"The model {name} answered nothing. Ask again, or choose another model."
    return WarningEvent(code="EMPTY_ANSWER", message=message)


def repair_answer(message: AIMessage) -> AIMessage:
    """Return a copy of the message that the loop, the journal and the checkpoint can hold.

    Unreadable tool arguments become a call that the tool pipeline answers with an error: otherwise
    the loop would take a message without calls for the final answer. Missing and repeated call ids
    get new ones, because results are matched to calls by id. The message gets an id of ours,
    because an endpoint that repeats its ids would make the history overwrite itself.
    """
    seen: set[str] = set()
    calls = [_assign_unique_id(_replace_unstorable_args(call), seen) for call in message.tool_calls]
    for broken in message.invalid_tool_calls:
        args = {MALFORMED_KEY: storable(broken.get("args") or "")}
        name = broken.get("name") or "unknown"
        calls.append(_assign_unique_id(tool_call(name=name, args=args, id=broken.get("id")), seen))
    if calls and was_cut(message.response_metadata):
        # LangChain completes half-sent JSON, so a cut `write_file` would write half a file.
        cut = calls.pop()
        args = {MALFORMED_KEY: "(cut off: the answer reached its length limit)"}
        calls.append(tool_call(name=cut["name"], args=args, id=cut["id"]))
    # The raw calls some providers keep aside would contradict the repaired ones.
    extras = {k: v for k, v in message.additional_kwargs.items() if k != "tool_calls"}
    return message.model_copy(
        update={
            "id": new_id(),
            "content": storable(message.content),
            "tool_calls": calls,
            "invalid_tool_calls": [],
            "additional_kwargs": extras,
        }
    )


def _replace_unstorable_args(call: ToolCall) -> ToolCall:
    """Mark arguments that neither JSON nor a checkpoint can hold as malformed.

    NaN, infinity, numbers beyond 64 bits and very deep nesting all parse. They would end the run
    later, where the model no longer learns of it.
    """
    try:
        json.dumps(call["args"], allow_nan=False)
        pack_value(call["args"])
    except (ValueError, TypeError, RecursionError):
        args = {MALFORMED_KEY: "(numbers or nesting that cannot be stored)"}
        return tool_call(name=call["name"], args=args, id=call["id"])
    return call


def _assign_unique_id(call: ToolCall, seen: set[str]) -> ToolCall:
    call_id = storable(call["id"])
    if not call_id or call_id in seen:
        call_id = f"call_{new_id()}"
    seen.add(call_id)
    return tool_call(name=storable(call["name"]), args=storable(call["args"]), id=call_id)
