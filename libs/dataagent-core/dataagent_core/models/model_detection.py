"""Chooses a model when none is named: the first key that is set, a local Ollama, the demo."""

from dataclasses import dataclass

from dataagent_core.config.settings import Settings
from dataagent_core.models.listing.ollama import first_ollama_model
from dataagent_core.models.providers import PROVIDERS
from dataagent_core.models.spec import ModelSpec

NO_MODEL_NOTICE = (
    "No model is configured, so the built-in demo answers: set a key such as ANTHROPIC_API_KEY or "
    "OPENAI_API_KEY, start Ollama, or set DATAAGENT_MODEL=provider:name."
)


@dataclass(frozen=True, slots=True)
class DetectedModel:
    """The detected model, and a notice for a person."""

    spec: ModelSpec
    notice: str | None = None


def detect_model(settings: Settings) -> DetectedModel:
    """Look for a key in the order of the table, then for Ollama; the demo is always there."""
    for provider in PROVIDERS.values():
        if provider.key(settings) is not None and provider.default_model is not None:
            return DetectedModel(ModelSpec(provider.name, provider.default_model))
    name = first_ollama_model(settings.ollama_host)
    if name is not None:
        return DetectedModel(ModelSpec("ollama", name))
    return DetectedModel(ModelSpec("demo", "demo"), NO_MODEL_NOTICE)
