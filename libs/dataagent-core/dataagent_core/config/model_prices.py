"""Prices and context windows from the data inside the `genai-prices` package, offline.

The one module that touches that package. It is imported on first use (it takes a second) and its
updater is never started, so nothing is fetched. What it does not know is `None`, never 0.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from functools import lru_cache
from typing import Any

from dataagent_core.config.limits import PRICES_CACHED_MAX

# A person's own machine has no price list, so the package need not even be loaded.
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
    found = _found(provider, model)
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
    """Say what one call costs today, with the rates and tiers for cached tokens.

    `counts` has the package's names: input_tokens and output_tokens (both whole), and of the input
    cache_read_tokens and cache_write_tokens.
    """
    found = _found(provider, model)
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
        # Counts that cannot be, as more cached tokens than there are: no price is better than one.
        return None


@lru_cache(maxsize=PRICES_CACHED_MAX)
def _found(provider: str | None, model: str) -> Any:
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
