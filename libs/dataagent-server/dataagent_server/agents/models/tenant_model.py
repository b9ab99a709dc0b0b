"""A model as a tenant configured it, and as its runs use it."""

from dataclasses import dataclass
from typing import Literal

from dataagent_core.config.model_catalog import ModelOverride

# The source of a figure. `assumed`: it is unknown, so a usual value is used.
FigureSource = Literal["tenant", "operator", "catalogue", "assumed", "unknown"]
FIGURES = ("context_length", "max_output_tokens", "input_cost_per_1m", "output_cost_per_1m")


@dataclass(frozen=True, slots=True)
class TenantModel:
    """A model that a tenant offers, with the figures it corrects."""

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
    # The tenant added or corrected it.
    is_own: bool
    # Whether its provider has the key or address it needs.
    is_usable: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class UsableProvider:
    """A provider that runs can reach, and whose key or address it uses; None: nobody's yet."""

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
    # The model of a run without a choice; None: unknown before it runs.
    default: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelTestResult:
    """The result of a request to an endpoint; `tools` is None where it is unknown."""

    ok: bool
    model: str | None
    latency_ms: int
    models: tuple[str, ...]
    tools: bool | None
    error: str | None
