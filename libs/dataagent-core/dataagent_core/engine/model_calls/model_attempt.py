"""One attempt at a model call: let through by the endpoint's breaker, paid for, and judged.

What the conversation refers to (pictures, PDF) is read here, for the model that is really asked.
What comes of an attempt is an answer or a verdict. Errors that are not the model's (a limit, a
budget, a store) pass, and so does the interrupt of a run that waits for a person.

Pieces of an answer are in the log before the answer is whole. When its stream breaks and the model
is asked again, readers are told from which number on the pieces are void (PROTOCOL.md, `resumed`).
"""

import asyncio
from dataclasses import dataclass
from functools import partial
from typing import Any

from langchain.agents.middleware.types import ModelRequest, ModelResponse
from langgraph.errors import GraphBubbleUp

from dataagent_core.config.limits import STREAM_SETTLE_S
from dataagent_core.engine.attachments.media import MediaLoader
from dataagent_core.engine.middleware.middleware_chain import ModelHandler
from dataagent_core.engine.model_calls.call_meter import CallMeter
from dataagent_core.errors import DataAgentError, ModelUnavailableError
from dataagent_core.events import RunResumedEvent
from dataagent_core.models import FailureClass, ResolvedModel, classify
from dataagent_core.models.retry.circuit_breaker import (
    EndpointBreaker,
    EndpointBreakers,
    endpoint_of,
)
from dataagent_core.runs import RunContext


@dataclass(frozen=True, slots=True)
class ModelAttempts:
    """Asks models, each at its endpoint."""

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
        """Make the call, or say what became of it."""
        endpoint = endpoint_of(model)
        # Nothing is remembered of a model that answers from within the process.
        breaker = EndpointBreaker() if endpoint is None else self.breakers.of(endpoint)
        wait_s = breaker.wait_s(self.breakers.clock())
        if wait_s:
            return FailureClass("away", _left_alone(model.name, wait_s), wait_s)
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
    """What an attempt has put into the log: everything since the number where it began."""

    context: RunContext
    since_seq: int

    @classmethod
    async def watch(cls, context: RunContext) -> "PartialAnswer":
        """Note where the log stands."""
        await context.recorder.commit()
        return cls(context, context.recorder.last_seq)

    async def void(self) -> None:
        """Say what is void, if the attempt had said anything."""
        # What the stream still holds gets its turn: a piece that came later would count.
        await asyncio.sleep(STREAM_SETTLE_S)
        recorder = self.context.recorder
        await recorder.commit()
        if recorder.last_piece_seq > self.since_seq:
            self.context.progress.restarts += 1
            attempt = self.context.run.attempt + self.context.progress.restarts
            resumed = RunResumedEvent(attempt=attempt, discard_after=self.since_seq)
            await recorder.commit(resumed)


def _left_alone(name: str, wait_s: float) -> ModelUnavailableError:
    return ModelUnavailableError(
        f"The endpoint of the model {name} failed again and again, for others too, and is left "
        f"alone for {wait_s:.0f} s."
    )
