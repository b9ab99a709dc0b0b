"""The figures of a model and their sources. Pure except for loading the price list."""

from collections.abc import Mapping

from dataagent_core.config import lookup
from dataagent_core.config.model_catalog import ModelOverride, find_price, stated_limits
from dataagent_server.agents.models.tenant_model import (
    FIGURES,
    FigureSource,
    TenantModel,
    UsableModel,
)


def usable_model(
    model: str,
    own: TenantModel | None,
    operators: Mapping[str, ModelOverride],
    *,
    is_default: bool,
    is_usable: bool,
) -> UsableModel:
    """Return all figures of `provider:name`; slow the first time, so not on the event loop."""
    provider, _, name = model.partition(":")
    known = lookup(model, operators)
    if own is not None:
        known = known.model_copy(update=own.override.model_dump(exclude_none=True))
    return UsableModel(
        model=model,
        provider=provider,
        name=name,
        context_length=known.context_length,
        max_output_tokens=known.max_output_tokens,
        input_cost_per_1m=known.input_cost_per_1m,
        output_cost_per_1m=known.output_cost_per_1m,
        sources={figure: _find_source(figure, model, own, operators) for figure in FIGURES},
        is_default=is_default,
        is_own=own is not None,
        is_usable=is_usable,
    )


def _find_source(
    figure: str, model: str, own: TenantModel | None, operators: Mapping[str, ModelOverride]
) -> FigureSource:
    provider, _, bare = model.partition(":")
    if own is not None and getattr(own.override, figure) is not None:
        return "tenant"
    for key in (bare, model):
        if key in operators and getattr(operators[key], figure) is not None:
            return "operator"
    listed = getattr(find_price(provider, bare), figure, None)
    preset = figure in {"context_length", "max_output_tokens"} and stated_limits(model) is not None
    if listed is not None or preset:
        return "catalogue"
    return "unknown" if figure.endswith("_per_1m") else "assumed"
