"""Reads the model lists of servers on this machine. Pure; the lists may be hostile.

The owner of a model identifies the program; core parses the list itself
(`models/listing/list_parser.py`).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from dataagent_core.models.listing.list_parser import entries

Kind = Literal["Ollama", "llama.cpp", "vLLM", "LM Studio", "OpenAI-compatible"]

_OWNERS: Mapping[str, Kind] = {
    "vllm": "vLLM",
    "llamacpp": "llama.cpp",
    "organization_owner": "LM Studio",
    "library": "Ollama",
}


@dataclass(frozen=True, slots=True)
class ModelServer:
    """A server that lists models."""

    kind: Kind
    # Without `/v1`.
    url: str
    models: tuple[str, ...]

    @property
    def address(self) -> str:
        """The address, as a person writes it."""
        return self.url.partition("://")[2]

    def model_name(self, model: str) -> str:
        """Return DataAgent's name of one of its models."""
        return f"ollama:{model}" if self.kind == "Ollama" else f"openai:{model}"

    @property
    def base_url(self) -> str | None:
        """The address to set for its models, if the usual one would not reach them."""
        return None if self.kind == "Ollama" else f"{self.url}/v1"


def kind_of(listing: object, props: object = None) -> Kind:
    """Identify the program by its list of models and, for llama.cpp, its properties."""
    for entry in entries(listing, "data"):
        owner = entry.get("owned_by")
        if isinstance(owner, str) and owner in _OWNERS:
            return _OWNERS[owner]
    if isinstance(props, dict) and "default_generation_settings" in props:
        return "llama.cpp"
    return "OpenAI-compatible"
