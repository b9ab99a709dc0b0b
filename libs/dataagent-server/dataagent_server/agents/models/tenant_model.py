"""What a tenant says of a model, and what is known of it in the end."""

from dataclasses import dataclass
from typing import Literal

from dataagent_core.config.model_catalog import ModelOverride

# Whose figure it is. `assumed`: nobody knows it, so a usual value stands in.
FigureSource = Literal["tenant", "operator", "catalogue", "assumed", "unknown"]
FIGURES = ("context_length", "max_output_tokens", "input_cost_per_1m", "output_cost_per_1m")


@dataclass(frozen=True, slots=True)
class TenantModel:
    """A model that a tenant wants offered, with the figures it corrects."""

    model: str
    override: ModelOverride


@dataclass(frozen=True, slots=True, kw_only=True)
class UsableModel:
    """A model as the tenant's runs have it; costs are in USD for a million tokens."""

    model: str
    provider: str
    name: str
    context_length: int
    max_output_tokens: int
    input_cost_per_1m: float | None
    output_cost_per_1m: float | None
    sources: dict[str, FigureSource]
    is_default: bool
    # The tenant put it on the list or corrected it.
    is_own: bool
    # Whether anybody has given its provider what it needs.
    is_usable: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class UsableProvider:
    """A provider that runs can reach, and by whose key or address; None: by nobody's yet."""

    name: str
    title: str
    takes_key: bool
    takes_base_url: bool
    default_model: str | None
    by: Literal["tenant", "operator"] | None


@dataclass(frozen=True, slots=True)
class UsableModels:
    """What a tenant can use."""

    models: list[UsableModel]
    providers: list[UsableProvider]
    # Of a run for which nobody chooses; None: nobody can tell before it runs.
    default: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelTestResult:
    """What came of asking an endpoint; `tools` is None where nobody could tell."""

    ok: bool
    model: str | None
    latency_ms: int
    models: tuple[str, ...]
    tools: bool | None
    error: str | None
