"""Shared models, of which those at a tenant's own address check where they are dialled."""

from langchain_core.language_models import BaseChatModel

from dataagent_core.config import Settings
from dataagent_core.models import ResolvedModel
from dataagent_core.models.providers import PROVIDERS
from dataagent_server.credentials.dialling import ModelGuard
from dataagent_server.runs.models import SharedModels


class GuardedModels(SharedModels):
    """`operator` are the settings of the server, whose addresses are nobody's to check."""

    def __init__(self, operator: Settings, guard: ModelGuard) -> None:
        super().__init__()
        self._operator = operator
        self._guard = guard

    def resolve(self, spec: str | BaseChatModel | None, settings: Settings) -> ResolvedModel:
        found = super().resolve(spec, settings)
        provider = PROVIDERS.get(found.name.partition(":")[0])
        if provider is None or isinstance(spec, BaseChatModel):
            return found
        address = provider.base_url(settings)
        if address is not None and address != provider.base_url(self._operator):
            self._guard.guard(found.model)
        return found
