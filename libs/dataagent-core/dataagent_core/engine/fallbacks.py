"""Which models may take over: those whose window the request fits into, in the settings' order."""

from collections.abc import Sequence
from typing import Any

from langchain.agents.middleware.types import ModelRequest

from dataagent_core.context.tokens import ModelLimits
from dataagent_core.engine.request_size import RequestSizes
from dataagent_core.engine.spending import Spending
from dataagent_core.events import WarningEvent
from dataagent_core.models import ResolvedModel


class Fallbacks:
    """The model to ask, and those to ask when it fails."""

    def __init__(
        self, models: Sequence[ResolvedModel], spending: Spending, sizes: RequestSizes
    ) -> None:
        self.first, *self._others = models
        self._spending = spending
        self._sizes = sizes

    def fitting(self, request: ModelRequest[Any]) -> list[ResolvedModel]:
        """List the fallback models that could take this request."""
        if not self._others:
            return []
        size = self._sizes.of(request)
        return [model for model in self._others if size <= self._window(model)]

    def too_small(self, request: ModelRequest[Any]) -> list[WarningEvent]:
        """Say which fallback models are passed over, and why."""
        fitting = self.fitting(request)
        return [
            WarningEvent(
                code="FALLBACK_TOO_SMALL",
                message=f"The fallback model {model.name} is passed over: the conversation has "
                f"about {self._sizes.of(request):,} tokens, and it takes {self._window(model):,}.",
            )
            for model in self._others
            if model not in fitting
        ]

    def _window(self, model: ResolvedModel) -> int:
        known = self._spending.pricing(model.name).metadata
        return ModelLimits(context=known.context_length, output=known.max_output_tokens).usable
