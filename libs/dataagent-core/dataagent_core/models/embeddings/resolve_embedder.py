"""Chooses the embedder that the settings name: `local`, or `openai:NAME` at an address.

Equal settings share one, with the vectors it has made and the state of its address.
"""

from functools import cache, lru_cache
from typing import Final

from pydantic import SecretStr

from dataagent_core.config.limits.match import EMBEDDERS_KEPT_MAX
from dataagent_core.config.resolve.provenance import setting_error
from dataagent_core.config.settings import Settings
from dataagent_core.errors import ConfigurationError
from dataagent_core.models.embeddings.embedder import Embedder
from dataagent_core.models.embeddings.kept_vectors import KeptVectors
from dataagent_core.models.embeddings.local.wordllama_embedder import WordLlamaEmbedder
from dataagent_core.models.embeddings.openai_embedder import OpenAIEmbedder
from dataagent_core.models.providers import PROVIDERS, Provider

_LOCAL: Final = "local"
_OPENAI_ADDRESS: Final = "https://api.openai.com/v1"
# The key is OpenAI's; an address of one's own makes it optional, as for chat.
_OWN_ADDRESS: Final = Provider("openai", "OpenAI", "openai_api_key", "embedding_base_url")


def resolve_embedder(settings: Settings) -> Embedder:
    """Return the embedder of the settings; nothing is loaded or asked before its first use."""
    if settings.embedding_model == _LOCAL:
        return _open_local()
    provider, _, model = settings.embedding_model.partition(":")
    if provider != "openai" or not model:
        error = ConfigurationError(
            f"{settings.embedding_model!r} is neither 'local' nor 'openai:NAME'."
        )
        raise setting_error(settings, "embedding_model", error)
    asked = _OWN_ADDRESS if settings.embedding_base_url else PROVIDERS["openai"]
    base_url = asked.base_url(settings) or _OPENAI_ADDRESS
    return _open_remote(base_url, model, asked.required_key(settings))


@cache
def _open_local() -> Embedder:
    return KeptVectors(WordLlamaEmbedder())


@lru_cache(EMBEDDERS_KEPT_MAX)
def _open_remote(base_url: str, model: str, key: SecretStr) -> Embedder:
    return KeptVectors(OpenAIEmbedder(base_url=base_url, model=model, key=key))
