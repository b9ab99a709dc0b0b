"""What a call of a model costs: by a person's own figures, else by the price list. Pure.

A person's own price (`[models.NAME]` in config.toml) has one rate for all input; the price list
knows cheaper ones for cached tokens. What neither knows costs an unknown amount, not nothing.
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
    """A model's name and facts, and the person's own rates if they gave any."""

    provider: str | None
    metadata: ModelMetadata
    own_rates: bool = False

    def cost_nano(self, tokens: TokenUsage) -> int | None:
        """Price one call."""
        if self.own_rates:
            return self._by_own_rates(tokens)
        counts = {"input_tokens": tokens.input, "output_tokens": tokens.output}
        if tokens.cached_read:
            counts["cache_read_tokens"] = tokens.cached_read
        if tokens.cached_write:
            counts["cache_write_tokens"] = tokens.cached_write
        usd = call_cost_usd(self.provider, self.metadata.name, counts)
        return None if usd is None else nano_of(usd)

    def worst_case(self, input_tokens: int, output_tokens_max: int) -> Amount:
        """Say what a call may come to at most, when so much is sent and nothing is cached yet."""
        plain = TokenUsage(input=input_tokens, output=output_tokens_max)
        # Writing a cache costs some providers' customers more than plain input.
        cached = TokenUsage(input=input_tokens, output=output_tokens_max, cached_write=input_tokens)
        costs = [self.cost_nano(plain), self.cost_nano(cached)]
        known = [cost for cost in costs if cost is not None]
        return Amount(plain.total, max(known) if known else None)

    def _by_own_rates(self, tokens: TokenUsage) -> int | None:
        into, out = self.metadata.input_cost_per_1m, self.metadata.output_cost_per_1m
        if into is None or out is None:
            return None
        usd = Decimal(str(into)) * tokens.input + Decimal(str(out)) * tokens.output
        return nano_of(usd / _MILLION)


def price_of(name: str, overrides: Mapping[str, ModelOverride] | None = None) -> CallPrice:
    """Find out what is known of `provider:name`."""
    provider, _, bare = name.rpartition(":") if ":" not in name else name.partition(":")
    given = [(overrides or {}).get(key) for key in (bare, name)]
    own = any(
        one is not None and (one.input_cost_per_1m, one.output_cost_per_1m) != (None, None)
        for one in given
    )
    return CallPrice(provider=provider or None, metadata=lookup(name, overrides), own_rates=own)
