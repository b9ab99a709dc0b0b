"""Reading a model's name: `provider:name`, split at the first colon only. Pure.

Names may hold colons themselves (`ollama:qwen3:8b`). A name without a provider is understood by
its beginning when only one provider has such names.
"""

import re
from dataclasses import dataclass

from dataagent_core.errors import ConfigurationError

ALIASES = {
    "google": "google_genai",
    "gemini": "google_genai",
    "qwen": "dashscope",
    "claude": "anthropic",
}

_BEGINNINGS = (
    (re.compile(r"gpt-|chatgpt-|o\d"), "openai"),
    (re.compile(r"claude-"), "anthropic"),
    (re.compile(r"gemini-"), "google_genai"),
    (re.compile(r"deepseek-"), "deepseek"),
    (re.compile(r"qwen"), "dashscope"),
    (re.compile(r"demo\Z"), "demo"),
)


@dataclass(frozen=True, slots=True)
class ModelSpec:
    """A provider's name, as in LangChain, and the model's name there."""

    provider: str
    name: str

    def __str__(self) -> str:
        return f"{self.provider}:{self.name}"


def parse_spec(text: str) -> ModelSpec:
    """Read `provider:name`, or a bare name whose provider is known."""
    provider, colon, name = (part.strip() for part in text.strip().partition(":"))
    if not colon:
        return ModelSpec(_provider_of(provider), provider)
    if not provider or not name:
        raise ConfigurationError(
            f"The model {text!r} is incomplete: write provider:name, as in openai:gpt-5.5."
        )
    provider = provider.lower().replace("-", "_")
    return ModelSpec(ALIASES.get(provider, provider), name)


def _provider_of(name: str) -> str:
    for beginning, provider in _BEGINNINGS:
        if beginning.match(name.lower()):
            return provider
    raise ConfigurationError(
        f"The model {name!r} does not say whose it is: write provider:name, as in "
        f"openai:{name or 'gpt-5.5'} or ollama:{name or 'llama3'}."
    )
