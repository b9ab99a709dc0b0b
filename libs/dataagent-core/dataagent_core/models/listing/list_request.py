"""The question that each provider answers with a list of its models. Pure."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from dataagent_core.config.settings import Settings
from dataagent_core.models.listing.list_parser import google_models, ollama_models, openai_models
from dataagent_core.models.listing.ollama import ollama_url
from dataagent_core.models.providers import PROVIDERS

_USUAL = {
    "openai": "https://api.openai.com/v1",
    "deepseek": "https://api.deepseek.com",
    "anthropic": "https://api.anthropic.com",
    "google_genai": "https://generativelanguage.googleapis.com/v1beta",
}
_ANTHROPIC_VERSION = "2023-06-01"


@dataclass(frozen=True, slots=True)
class ModelListRequest:
    """What to get, and how to read the answer."""

    url: str
    # Not written out: they hold the key.
    headers: Mapping[str, str] = field(repr=False)
    read: Callable[[object], tuple[str, ...]]


def model_list_request(provider: str, settings: Settings) -> ModelListRequest | None:
    """Say how a provider is asked; None for one that answers from within the process."""
    if provider == "ollama":
        address = ollama_url(settings.ollama_host).rstrip("/")
        return ModelListRequest(f"{address}/api/tags", {}, ollama_models)
    known = PROVIDERS[provider]
    base = (known.base_url(settings) or _USUAL.get(provider, "")).rstrip("/")
    if not base:
        return None
    key = known.required_key(settings).get_secret_value()
    if provider == "anthropic":
        headers = {"x-api-key": key, "anthropic-version": _ANTHROPIC_VERSION}
        return ModelListRequest(f"{base}/v1/models?limit=100", headers, openai_models)
    if provider == "google_genai":
        return ModelListRequest(
            f"{base}/models?pageSize=200", {"x-goog-api-key": key}, google_models
        )
    return ModelListRequest(f"{base}/models", {"authorization": f"Bearer {key}"}, openai_models)
