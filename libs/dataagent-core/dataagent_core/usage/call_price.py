"""The price of a model call: by the user's own rates, else by the price list. Pure.

The user's own price (`[models.NAME]` in config.toml) has one rate for all input; the price list has
cheaper ones for cached tokens. A model in neither has an unknown price, not 0.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal

from dataagent_core.config.model_catalog import ModelMetadata, ModelOverride, call_cost_usd, lookup
from dataagent_core.usage.budget import Amount, nano_of
from dataagent_core.usage.tokens import TokenUsage

_MILLION = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class CallPrice:
    """A model's provider and metadata, and whether the rates are the user's own."""

    provider: str | None
    metadata: ModelMetadata
    own_rates: bool = False

    def cost_nano(self, tokens: TokenUsage) -> int | None:
        """Price one call."""
        if self.own_rates:
            return self._cost_by_own_rates(tokens)
        counts = {"input_tokens": tokens.input, "output_tokens": tokens.output}
        if tokens.cached_read:
            counts["cache_read_tokens"] = tokens.cached_read
        if tokens.cached_write:
            counts["cache_write_tokens"] = tokens.cached_write
        usd = call_cost_usd(self.provider, self.metadata.name, counts)
        return None if usd is None else nano_of(usd)

    def worst_case(self, input_tokens: int, output_tokens_max: int) -> Amount:
        """Return the most a call may cost, when nothing is cached yet."""
        plain = TokenUsage(input=input_tokens, output=output_tokens_max)
        # Some providers charge more for writing a cache than for plain input.
        cached = TokenUsage(input=input_tokens, output=output_tokens_max, cached_write=input_tokens)
        costs = [self.cost_nano(plain), self.cost_nano(cached)]
        known = [cost for cost in costs if cost is not None]
        return Amount(plain.total, max(known) if known else None)

    def _cost_by_own_rates(self, tokens: TokenUsage) -> int | None:
        into, out = self.metadata.input_cost_per_1m, self.metadata.output_cost_per_1m
        if into is None or out is None:
            return None
        usd = Decimal(str(into)) * tokens.input + Decimal(str(out)) * tokens.output
        return nano_of(usd / _MILLION)


def price_of(name: str, overrides: Mapping[str, ModelOverride] | None = None) -> CallPrice:
    """Look up the price and the metadata of `provider:name`."""
    provider, _, bare = name.rpartition(":") if ":" not in name else name.partition(":")
    given = [(overrides or {}).get(key) for key in (bare, name)]
    own = any(
        one is not None and (one.input_cost_per_1m, one.output_cost_per_1m) != (None, None)
        for one in given
    )
    return CallPrice(provider=provider or None, metadata=lookup(name, overrides), own_rates=own)
