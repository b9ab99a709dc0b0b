"""Puts together what wraps the model calls of an agent and of all its sub-agents."""

from collections.abc import Sequence

from dataagent_core.config import Settings
from dataagent_core.engine.asking_once import AskingOnce
from dataagent_core.engine.fallbacks import Fallbacks
from dataagent_core.engine.media import MediaLoader
from dataagent_core.engine.model_calls import ModelCalls
from dataagent_core.engine.request_size import RequestSizes
from dataagent_core.engine.spending import Spending
from dataagent_core.models import ResolvedModel, RetryPolicy
from dataagent_core.models.breaker import Breakers


def model_calls_for(
    models: Sequence[ResolvedModel], settings: Settings, breakers: Breakers, media: MediaLoader
) -> ModelCalls:
    """Build it for a model and its fallbacks."""
    sizes = RequestSizes()
    spending = Spending(sizes, settings.models, settings.max_output_tokens)
    return ModelCalls(
        AskingOnce(spending, breakers, media),
        Fallbacks(models, spending, sizes),
        policy=RetryPolicy(max_retries=settings.model_retries),
        calls_max=settings.run_model_calls_max,
    )
