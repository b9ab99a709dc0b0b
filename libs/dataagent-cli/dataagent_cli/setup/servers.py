"""What servers of models on this machine say of themselves. Pure; whatever they say is hostile.

Ollama lists at `/api/tags`; llama.cpp, vLLM, LM Studio and many others at `/v1/models`, where the
owner of a model gives the program away.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

MODELS_PER_SERVER_MAX = 200
MODEL_NAME_CHARS_MAX = 200

Kind = Literal["Ollama", "llama.cpp", "vLLM", "LM Studio", "OpenAI-compatible"]

_OWNERS: Mapping[str, Kind] = {
    "vllm": "vLLM",
    "llamacpp": "llama.cpp",
    "organization_owner": "LM Studio",
    "library": "Ollama",
}
# They make vectors, not answers.
_EMBEDDING_NAMES = ("text-embedding", "nomic-embed", "mxbai-embed", "bge-", "all-minilm")


@dataclass(frozen=True, slots=True)
class Server:
    """A server that lists models."""

    kind: Kind
    # Without `/v1`.
    url: str
    models: tuple[str, ...]

    @property
    def address(self) -> str:
        """Where it is, as a person writes it."""
        return self.url.partition("://")[2]

    def model_name(self, model: str) -> str:
        """Name a model of it as DataAgent does."""
        return f"ollama:{model}" if self.kind == "Ollama" else f"openai:{model}"

    @property
    def base_url(self) -> str | None:
        """The address to set for its models, where the usual one would not reach them."""
        return None if self.kind == "Ollama" else f"{self.url}/v1"


def ollama_models(listing: object) -> tuple[str, ...]:
    """Read the answer of `/api/tags`."""
    return _usable(
        entry.get("name") for entry in _entries(listing, "models") if not _makes_vectors(entry)
    )


def openai_models(listing: object) -> tuple[str, ...]:
    """Read the answer of `/v1/models`."""
    return _usable(entry.get("id") for entry in _entries(listing, "data"))


def kind_of(listing: object, props: object = None) -> Kind:
    """Say which program answers, by its list of models and, of llama.cpp, its properties."""
    for entry in _entries(listing, "data"):
        owner = entry.get("owned_by")
        if isinstance(owner, str) and owner in _OWNERS:
            return _OWNERS[owner]
    if isinstance(props, dict) and "default_generation_settings" in props:
        return "llama.cpp"
    return "OpenAI-compatible"


def _entries(listing: object, key: str) -> Iterator[Mapping[str, Any]]:
    found = listing.get(key) if isinstance(listing, dict) else None
    for entry in found if isinstance(found, list) else ():
        if isinstance(entry, dict):
            yield entry


def _usable(names: Iterator[Any]) -> tuple[str, ...]:
    kept = [name for name in names if isinstance(name, str) and _is_name(name)]
    return tuple(dict.fromkeys(kept))[:MODELS_PER_SERVER_MAX]


def _is_name(name: str) -> bool:
    plain = 0 < len(name) <= MODEL_NAME_CHARS_MAX and name.isprintable() and " " not in name
    return plain and not name.lower().rpartition("/")[2].startswith(_EMBEDDING_NAMES)


def _makes_vectors(entry: Mapping[str, Any]) -> bool:
    details = entry.get("details")
    family = details.get("family") if isinstance(details, dict) else None
    return isinstance(family, str) and "bert" in family
