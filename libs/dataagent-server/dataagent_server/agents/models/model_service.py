"""The models a tenant can use, and the figures it sets.

Where a tenant runs on the operator's key, the operator sets the prices: otherwise budgets in money
would mean nothing.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

from langchain_core.language_models import BaseChatModel
from sqlalchemy import Connection

from dataagent_core.config import ModelOverride, Settings
from dataagent_core.errors import (
    ConfigurationError,
    ConflictError,
    LimitReachedError,
    NotFoundError,
    ValidationError,
)
from dataagent_core.models.model_detection import detect_model
from dataagent_core.models.providers import PROVIDERS, Provider
from dataagent_core.models.spec import parse_spec
from dataagent_server.agents.credentials.apply_credentials import settings_for
from dataagent_server.agents.credentials.credential_service import CredentialService
from dataagent_server.agents.credentials.model_credential import UsableCredential
from dataagent_server.agents.credentials.provider_fields import OFFERED
from dataagent_server.agents.models import model_rows
from dataagent_server.agents.models.model_figures import usable_model
from dataagent_server.agents.models.tenant_model import (
    TenantModel,
    UsableModel,
    UsableModels,
    UsableProvider,
)
from dataagent_server.common.ids import DEFAULT_TENANT, TenantId
from dataagent_server.common.names import validate_model_name
from dataagent_server.db.database import Database
from dataagent_server.identity.audit import AuditTrail
from dataagent_server.identity.auth import Action, Principal, Resource, require
from dataagent_server.identity.auth.clock import Clock, utc_now

# (tenant, project) -> the default model of the project, if it has one.
ProjectModelOf = Callable[[TenantId, str | None], Awaitable[str | None]]

MODELS_PER_TENANT_MAX: Final = 1_000
_PRICES: Final = ("input_cost_per_1m", "output_cost_per_1m")


class ModelService:
    """The models of the principal's own tenant; `settings` are the operator's."""

    def __init__(
        self,
        database: Database,
        audit: AuditTrail,
        settings: Settings,
        credentials: CredentialService,
        project_model_of: ProjectModelOf,
        *,
        clock: Clock = utc_now,
    ) -> None:
        self._database = database
        self._audit = audit
        self._settings = settings
        self._credentials = credentials
        self._project_model_of = project_model_of
        self._clock = clock

    async def choose_model(
        self,
        tenant_id: TenantId,
        project_id: str | None,
        assistants: str | BaseChatModel | None,
        *,
        chosen: str | None = None,
    ) -> str | BaseChatModel | None:
        """Choose the model of a run: its own, its assistant's, its project's; None: the tenant's.

        Only this function knows the order; the tenant's default is part of its settings.
        """
        return chosen or assistants or await self._project_model_of(tenant_id, project_id)

    async def require_choosable(self, principal: Principal, model: str) -> str:
        """Return a model's full name if a user may choose it for a run, else raise."""
        _require(principal, "model.read")
        name = validate_model_name(model)
        tenant_id = principal.tenant_id
        credentials = await self._credentials.credentials_for(tenant_id)
        own = settings_for(self._settings, credentials)
        offered = name in _list_offered(own, credentials) or name in await self._load_own(
            tenant_id, credentials
        )
        # Last, because the default may require a request to Ollama.
        if not offered and name != await asyncio.to_thread(_find_default, own, self._settings):
            raise ValidationError(
                f"{name!r} is not among the models offered here, which GET /api/v1/models lists. "
                "Choose one of those, or ask an admin to offer it."
            )
        if not _is_usable(name, own):
            raise ConflictError(
                f"{name!r} cannot be used: nobody has given its provider a key. Choose another "
                "one, or ask an admin to set it up."
            )
        return name

    async def list(
        self,
        principal: Principal,
        *,
        assistants: str | None = None,
        project_id: str | None = None,
    ) -> UsableModels:
        """List the models a run may use, the tenant's default first, with their sources.

        `assistants` and `project_id` belong to a run without a chosen model.
        """
        _require(principal, "model.read")
        tenant_id = principal.tenant_id
        credentials = await self._credentials.credentials_for(tenant_id)
        said = await self._load_own(tenant_id, credentials)
        own = settings_for(self._settings, credentials)
        default = await asyncio.to_thread(_find_default, own, self._settings)
        names = dict.fromkeys([*filter(None, [default]), *_list_offered(own, credentials), *said])
        models = await asyncio.to_thread(
            lambda: [
                usable_model(
                    name,
                    said.get(name),
                    self._settings.models,
                    is_default=name == default,
                    is_usable=_is_usable(name, own),
                )
                for name in names
            ]
        )
        wanted = await self.choose_model(tenant_id, project_id, assistants)
        providers = _list_providers(self._settings, credentials)
        return UsableModels(models, providers, default if wanted is None else str(wanted))

    async def put(self, principal: Principal, model: str, override: ModelOverride) -> UsableModel:
        """Add a model to the list, with the figures that correct the catalogue."""
        _require(principal, "model.change")
        tenant_id = principal.tenant_id
        said = TenantModel(validate_model_name(model), override)
        credentials = await self._credentials.credentials_for(tenant_id)
        if _drop_foreign_prices(said, tenant_id, credentials) != said:
            raise ValidationError(
                f"{said.model!r} runs on the operator's key, so its prices are the operator's: "
                "they are set in config.toml under [models]. Give a key of your own first."
            )

        def work(connection: Connection) -> None:
            model_rows.put_model(connection, tenant_id, said, self._clock())
            if model_rows.count_models(connection, tenant_id) > MODELS_PER_TENANT_MAX:
                raise LimitReachedError(
                    f"The tenant says something of {MODELS_PER_TENANT_MAX:,} models, which is the "
                    "most. Delete one first."
                )
            figures = override.model_dump(exclude_none=True)
            self._record(connection, principal, "model.change", said.model, figures)

        await self._database.write(work)
        own = settings_for(self._settings, credentials)
        default = await asyncio.to_thread(_find_default, own, self._settings)
        return await asyncio.to_thread(
            lambda: usable_model(
                said.model,
                said,
                self._settings.models,
                is_default=said.model == default,
                is_usable=_is_usable(said.model, own),
            )
        )

    async def delete(self, principal: Principal, model: str) -> None:
        """Delete what the tenant configured for a model."""
        _require(principal, "model.change")

        def work(connection: Connection) -> None:
            if not model_rows.remove_model(connection, principal.tenant_id, model):
                raise NotFoundError(f"The tenant says nothing of a model {model[:80]!r}.")
            self._record(connection, principal, "model.delete", model, {})

        await self._database.write(work)

    async def figures_for(
        self, tenant_id: TenantId, credentials: Sequence[UsableCredential]
    ) -> Mapping[str, ModelOverride]:
        """Return the figures that apply to a tenant's runs."""
        said = await self._load_own(tenant_id, credentials)
        return {name: one.override for name, one in said.items()}

    async def _load_own(
        self, tenant_id: TenantId, credentials: Sequence[UsableCredential]
    ) -> dict[str, TenantModel]:
        found = await self._database.read(lambda c: model_rows.list_models(c, tenant_id))
        return {one.model: _drop_foreign_prices(one, tenant_id, credentials) for one in found}

    def _record(
        self,
        connection: Connection,
        principal: Principal,
        action: str,
        model: str,
        detail: dict[str, object],
    ) -> None:
        self._audit.record(
            connection, principal.tenant_id, principal.actor, action, f"model:{model}", detail
        )


def _require(principal: Principal, action: Action) -> None:
    require(principal, action, Resource(principal.tenant_id, "model"))


def _drop_foreign_prices(
    said: TenantModel, tenant_id: TenantId, credentials: Sequence[UsableCredential]
) -> TenantModel:
    """Leave out prices the tenant may not set; the default tenant is the operator's."""
    provider = said.model.partition(":")[0]
    if tenant_id == DEFAULT_TENANT or any(one.provider == provider for one in credentials):
        return said
    return TenantModel(said.model, said.override.model_copy(update=dict.fromkeys(_PRICES)))


def _find_default(own: Settings, operator: Settings) -> str | None:
    """Return the model of a run that names none; a tenant's Ollama is not asked for its first."""
    if own.model:
        spec = parse_spec(own.model)
        # The path of a script on the server is not shown.
        return f"scripted:{Path(spec.name).name}" if spec.provider == "scripted" else str(spec)
    keyed = any(provider.key(own) is not None for provider in PROVIDERS.values())
    if not keyed and own.ollama_host != operator.ollama_host:
        return None
    return str(detect_model(own).spec)


def _list_providers(
    operator: Settings, credentials: Sequence[UsableCredential]
) -> list[UsableProvider]:
    given = {one.provider: one.default_model for one in credentials}
    return [
        UsableProvider(
            name=name,
            title=provider.title,
            takes_key=provider.key_setting is not None,
            takes_base_url=provider.base_url_setting is not None,
            default_model=given.get(name) or provider.default_model,
            by="tenant" if name in given else "operator" if _is_set(provider, operator) else None,
        )
        for name, provider in OFFERED.items()
    ]


def _is_set(provider: Provider, settings: Settings) -> bool:
    address = provider.base_url_setting
    reached = address is not None and settings.source_of(address) != "default"
    return reached or provider.key(settings) is not None


def _is_usable(model: str, own: Settings) -> bool:
    provider = PROVIDERS.get(parse_spec(model).provider)
    if provider is None or provider.key_setting is None:
        return True
    try:
        provider.required_key(own)
    except ConfigurationError:
        return False
    return True


def _list_offered(own: Settings, credentials: Sequence[UsableCredential]) -> list[str]:
    chosen = [f"{one.provider}:{one.default_model}" for one in credentials if one.default_model]
    usual = [
        f"{provider.name}:{provider.default_model}"
        for provider in PROVIDERS.values()
        if provider.default_model and (provider.key(own) is not None or provider.name == "demo")
    ]
    return [*chosen, *usual]
