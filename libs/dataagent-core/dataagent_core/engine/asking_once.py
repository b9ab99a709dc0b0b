"""One try of a model call: let through by the endpoint's breaker, paid for, and judged if it fails.

What the conversation refers to (pictures, PDF) is read here, for the model that is really asked.

What comes of it is an answer or a verdict. Errors that are not the model's (a limit, a budget, a
store) pass, and so does the interrupt of a run that waits for a person.
"""

from typing import Any

from langchain.agents.middleware.types import ModelRequest, ModelResponse
from langgraph.errors import GraphBubbleUp

from dataagent_core.engine.media import MediaLoader
from dataagent_core.engine.spending import Handler, Spending
from dataagent_core.errors import DataAgentError, ModelUnavailableError
from dataagent_core.models import ResolvedModel, Verdict, classify
from dataagent_core.models.breaker import Breaker, Breakers
from dataagent_core.models.endpoint import endpoint_of
from dataagent_core.runs import RunContext


class AskingOnce:
    """Asks models, each at its endpoint."""

    def __init__(self, spending: Spending, breakers: Breakers, media: MediaLoader) -> None:
        self._spending = spending
        self._media = media
        self._breakers = breakers

    async def ask(
        self,
        context: RunContext,
        request: ModelRequest[Any],
        handler: Handler,
        model: ResolvedModel,
    ) -> ModelResponse[Any] | Verdict:
        """Make the call, or say what became of it."""
        breaker = self._breaker(model)
        wait_s = breaker.wait_s(self._breakers.clock())
        if wait_s:
            return Verdict("away", _left_alone(model.name, wait_s), wait_s)
        try:
            loading = self._media.around(context, model, handler)
            response = await self._spending.call(context, request, loading, model.name)
        except (DataAgentError, GraphBubbleUp):
            raise
        except Exception as error:  # noqa: BLE001 (an SDK may raise anything; it is judged by what it says)
            verdict = classify(error, model.name)
            verdict.error.__cause__ = error
            if verdict.error_class in {"away", "broken"}:
                breaker.failed(self._breakers.clock())
            return verdict
        breaker.succeeded()
        return response

    def _breaker(self, model: ResolvedModel) -> Breaker:
        endpoint = endpoint_of(model)
        # Nothing is remembered of a model that answers from within the process.
        return Breaker() if endpoint is None else self._breakers.of(endpoint)


def _left_alone(name: str, wait_s: float) -> ModelUnavailableError:
    return ModelUnavailableError(
        f"The endpoint of the model {name} failed again and again, for others too, and is left "
        f"alone for {wait_s:.0f} s."
    )
