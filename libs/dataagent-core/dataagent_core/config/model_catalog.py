"""The model catalogue: window, output limit, price, abilities of models (S2 §5.2.7).

A person's own `[models."NAME"]` table in `config.toml` wins over the presets, which win over
`genai-prices`. An unknown price stays `None`: nobody should read it as free.

Prices and context windows from the data inside the `genai-prices` package, offline.

The one module that touches that package. It is imported on first use (it takes a second) and its
updater is never started, so nothing is fetched. What it does not know is `None`, never 0.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from enum import StrEnum
from functools import lru_cache
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from dataagent_core.config.limits import CONTEXT_LENGTH_TOKENS, OUTPUT_TOKENS_MAX, PRICES_CACHED_MAX

# Local models have no price, so the package need not be loaded.
_LOCAL_PROVIDERS = frozenset({"ollama", "scripted", "demo"})

# LangChain's provider names where the package uses another. A provider the package lacks finds no
# price: another seller's price would be wrong.
_PROVIDER_IDS = {
    "google_genai": "google",
    "google_vertexai": "google",
    "mistralai": "mistral",
    "xai": "x-ai",
    "azure_openai": "azure",
    "bedrock": "aws",
    "bedrock_converse": "aws",
}


@dataclass(frozen=True, slots=True)
class PriceEntry:
    """USD for a million tokens at the base rate, and the window, as far as known."""

    input_cost_per_1m: float | None = None
    output_cost_per_1m: float | None = None
    context_length: int | None = None


@lru_cache(maxsize=PRICES_CACHED_MAX)
def find_price(provider: str | None, model: str) -> PriceEntry:
    """Look a model up; without a provider the package guesses it from the name."""
    found = _find_in_price_list(provider, model)
    if found is None:
        return PriceEntry()
    _, info = found
    prices = info.get_prices(datetime.now(UTC))
    return PriceEntry(
        _base_rate(getattr(prices, "input_mtok", None)),
        _base_rate(getattr(prices, "output_mtok", None)),
        info.context_window,
    )


def call_cost_usd(provider: str | None, model: str, counts: Mapping[str, int]) -> Decimal | None:
    """Return the cost of one call today, with the rates and tiers for cached tokens.

    `counts` has the package's names: input_tokens and output_tokens (both whole), and of the input
    cache_read_tokens and cache_write_tokens.
    """
    found = _find_in_price_list(provider, model)
    if found is None:
        return None
    from genai_prices.types import Usage

    seller, info = found
    prices = info.get_prices(datetime.now(UTC))
    if getattr(prices, "input_mtok", None) is None or getattr(prices, "output_mtok", None) is None:
        return None
    try:
        return info.calc_price(Usage(**counts), seller).total_price
    except ValueError:
        # Impossible counts, such as more cached tokens than input: an unknown price is better.
        return None


@lru_cache(maxsize=PRICES_CACHED_MAX)
def _find_in_price_list(provider: str | None, model: str) -> Any:
    """Return the package's (provider, model), or nothing."""
    if provider in _LOCAL_PROVIDERS:
        return None
    from genai_prices.data_snapshot import get_snapshot

    provider_id = _PROVIDER_IDS.get(provider, provider) if provider else None
    try:
        return get_snapshot().find_provider_model(model, None, provider_id, None)
    except LookupError:
        return None


def _base_rate(price: Any) -> float | None:
    """Take the first tier of a tiered price."""
    rate = getattr(price, "base", price)
    return None if rate is None else float(rate)


class ModelCapability(StrEnum):
    """Something a model can do."""

    CHAT = "chat"
    TOOLS = "tools"
    VISION = "vision"
    PDF = "pdf"
    REASONING = "reasoning"


_CHAT_AND_TOOLS = (ModelCapability.CHAT, ModelCapability.TOOLS)
_WITH_VISION = (*_CHAT_AND_TOOLS, ModelCapability.VISION)


class ModelMetadata(BaseModel):
    """The facts of one model; costs are in USD for a million tokens."""

    model_config = ConfigDict(frozen=True)

    name: str
    context_length: int = CONTEXT_LENGTH_TOKENS
    max_output_tokens: int = OUTPUT_TOKENS_MAX
    input_cost_per_1m: float | None = None
    output_cost_per_1m: float | None = None
    capabilities: tuple[ModelCapability, ...] = _CHAT_AND_TOOLS
    supports_streaming: bool = True
    supports_json_mode: bool = False


class ModelOverride(BaseModel):
    """The user's own metadata of a model; a missing field keeps the catalogue's."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    context_length: int | None = Field(default=None, ge=1)
    max_output_tokens: int | None = Field(default=None, ge=1)
    # Bounded, so that the cost of the longest call fits every database.
    input_cost_per_1m: float | None = Field(default=None, ge=0, le=1e6, allow_inf_nan=False)
    output_cost_per_1m: float | None = Field(default=None, ge=0, le=1e6, allow_inf_nan=False)
    capabilities: tuple[ModelCapability, ...] | None = None
    supports_streaming: bool | None = None
    supports_json_mode: bool | None = None


def _preset(
    name: str, context: int, output: int, capabilities: tuple[ModelCapability, ...]
) -> ModelMetadata:
    return ModelMetadata(
        name=name,
        context_length=context,
        max_output_tokens=output,
        capabilities=capabilities,
        supports_json_mode=not name.startswith("claude"),
    )


PRESETS: Mapping[str, ModelMetadata] = {
    preset.name: preset
    for preset in (
        _preset("gpt-4-turbo", 128_000, 4_096, _WITH_VISION),
        _preset("gpt-4o", 128_000, 16_384, _WITH_VISION),
        _preset("gemini-2.0-flash", 1_048_576, 8_192, _WITH_VISION),
        _preset("gemini-1.5-pro", 2_097_152, 8_192, _WITH_VISION),
        _preset("qwen-max", 32_000, 8_192, _CHAT_AND_TOOLS),
        _preset("qwen-plus", 131_072, 8_192, _CHAT_AND_TOOLS),
        _preset("deepseek-chat", 64_000, 8_192, _CHAT_AND_TOOLS),
        _preset("claude-3-5-sonnet", 200_000, 8_192, _WITH_VISION),
        ModelMetadata(name="demo"),
    )
}

# A dated or moving edition of a model: gpt-4o-2024-08-06, claude-3-5-sonnet-20241022, x-latest.
_EDITION = re.compile(r"-(latest|\d{8}|\d{4}-\d{2}-\d{2}|\d{3,4})$")


def lookup(name: str, overrides: Mapping[str, ModelOverride] | None = None) -> ModelMetadata:
    """Return the metadata of `provider:name` or of a bare name."""
    provider, separator, bare = name.partition(":")
    if not separator:
        provider, bare = "", name
    preset = PRESETS.get(bare) or PRESETS.get(_EDITION.sub("", bare))
    price = find_price(provider or ("demo" if bare == "demo" else None), bare)
    base = preset or ModelMetadata(
        name=bare, context_length=price.context_length or CONTEXT_LENGTH_TOKENS
    )
    known = base.model_copy(
        update={
            "name": bare,
            "input_cost_per_1m": price.input_cost_per_1m,
            "output_cost_per_1m": price.output_cost_per_1m,
        }
    )
    for key in (bare, name):
        override = (overrides or {}).get(key)
        if override is not None:
            known = known.model_copy(update=override.model_dump(exclude_none=True))
    return known


def stated_output(name: str, overrides: Mapping[str, ModelOverride] | None = None) -> int | None:
    """Return the longest answer of a model from a preset or the user; None if neither has it.

    `lookup` has a careful guess in its place, which is to reckon with and not to be shown.
    """
    bare = name.partition(":")[2] or name
    preset = PRESETS.get(bare) or PRESETS.get(_EDITION.sub("", bare))
    stated = None if preset is None else preset.max_output_tokens
    for key in (bare, name):
        override = (overrides or {}).get(key)
        if override is not None and override.max_output_tokens is not None:
            stated = override.max_output_tokens
    return stated


def stated_limits(
    name: str, overrides: Mapping[str, ModelOverride] | None = None
) -> ModelMetadata | None:
    """Return the metadata without the price list, which takes a second to load; None if unknown.

    Its prices are not those of the model.
    """
    bare = name.partition(":")[2] or name
    known = PRESETS.get(bare) or PRESETS.get(_EDITION.sub("", bare))
    for key in (bare, name):
        override = (overrides or {}).get(key)
        if override is not None and (known is not None or override.context_length is not None):
            known = (known or ModelMetadata(name=bare)).model_copy(
                update=override.model_dump(exclude_none=True)
            )
    return known
