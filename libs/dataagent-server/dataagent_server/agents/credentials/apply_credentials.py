"""Applies a tenant's credentials to the operator's settings. Pure.

Where a tenant configures a provider, no setting of the operator remains for it: the operator's key
must never go to an address a tenant chose, nor a tenant's key to an address of the operator.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar, cast

from dataagent_core.config import ModelOverride, Settings
from dataagent_core.config.resolve.layers import Layers
from dataagent_core.models.providers import PROVIDERS
from dataagent_server.agents.credentials.model_credential import UsableCredential

S = TypeVar("S", bound=Settings)


def settings_for(
    settings: S,
    credentials: Sequence[UsableCredential],
    figures: Mapping[str, ModelOverride] | None = None,
) -> S:
    """Return the settings with a tenant's credentials and figures in place of the operator's.

    The model is the tenant's default one, of the first provider that has one (in the order of
    `PROVIDERS`), else the operator's.
    """
    if not credentials and not figures:
        return settings
    given = {credential.provider: credential for credential in credentials}
    values: dict[str, Any] = {name: getattr(settings, name) for name in settings.model_fields_set}
    for name, provider in PROVIDERS.items():
        credential = given.get(name)
        if credential is None:
            continue
        for field, value in (
            (provider.key_setting, credential.key),
            (provider.base_url_setting, credential.base_url),
        ):
            if field is not None:
                values.pop(field, None)
                if value is not None:
                    values[field] = value
    if model := _find_default_model(given):
        values["model"] = model
    if figures:
        values["models"] = _merge_figures(settings.models, figures)
    nothing_else = Layers({}, {}, {}, settings.home, settings.home)
    make = cast("Callable[..., S]", type(settings))
    return make(_layers=nothing_else, **values)


def _merge_figures(
    operators: Mapping[str, ModelOverride], tenants: Mapping[str, ModelOverride]
) -> dict[str, ModelOverride]:
    """Replace the operator's figures by a tenant's, figure by figure."""
    joined = dict(operators)
    for model, override in tenants.items():
        known = operators.get(model, ModelOverride())
        joined[model] = known.model_copy(update=override.model_dump(exclude_none=True))
    return joined


def _find_default_model(given: dict[str, UsableCredential]) -> str | None:
    for name in PROVIDERS:
        credential = given.get(name)
        if credential is not None and credential.default_model is not None:
            return f"{name}:{credential.default_model}"
    return None
