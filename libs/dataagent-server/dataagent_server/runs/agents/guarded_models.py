"""Shared models; those at a tenant's own address check each connection."""

from langchain_core.language_models import BaseChatModel

from dataagent_core.config import Settings
from dataagent_core.models import ResolvedModel
from dataagent_core.models.providers import PROVIDERS
from dataagent_server.agents.credentials.model_guard import ModelGuard
from dataagent_server.runs.agents.shared_models import SharedModels


class GuardedModels(SharedModels):
    """`operator` are the settings of the server, whose addresses are not checked."""

    def __init__(self, operator: Settings, guard: ModelGuard) -> None:
        super().__init__()
        self._operator = operator
        self._guard = guard

    def resolve(self, spec: str | BaseChatModel | None, settings: Settings) -> ResolvedModel:
        found = super().resolve(spec, settings)
        if not isinstance(spec, BaseChatModel):
            guard_tenants(found, settings, self._operator, self._guard)
        return found


def guard_tenants(
    found: ResolvedModel, settings: Settings, operator: Settings, guard: ModelGuard
) -> None:
    """Guard a model at another address than the operator's."""
    provider = PROVIDERS.get(found.name.partition(":")[0])
    address = None if provider is None else provider.base_url(settings)
    if provider is not None and address is not None and address != provider.base_url(operator):
        guard.guard(found.model)
