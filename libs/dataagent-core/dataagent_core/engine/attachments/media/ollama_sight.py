"""Whether a model that no list knows takes pictures: an Ollama says it of its own models."""

from typing import Any

from dataagent_core.context.window_size import ask_ollama
from dataagent_core.models import ResolvedModel
from dataagent_core.models.vision import BLIND, VisionSupport


async def ask_for_sight(model: ResolvedModel) -> VisionSupport:
    """Ask the model's endpoint; where nobody answers, the model is taken to see nothing."""
    if not type(model.model).__module__.startswith("langchain_ollama"):
        return BLIND
    shown: Any = await ask_ollama(model.model, model.name.partition(":")[2])
    listed = shown.get("capabilities") if isinstance(shown, dict) else None
    sees = isinstance(listed, list) and "vision" in listed
    return VisionSupport(pictures=sees, pdf=False, in_results=False)
