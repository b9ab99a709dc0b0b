"""Creates, reads, changes and deletes assistants.

Every user of the tenant may see and use an assistant; its creator and admins may change it.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from sqlalchemy import Connection

from dataagent_core.engine import AgentConfig
from dataagent_core.errors import ConflictError, LimitReachedError, NotFoundError
from dataagent_core.ids import checked_id, new_id
from dataagent_server.agents.assistants import assistant_rows
from dataagent_server.agents.assistants.assistant import Assistant, make_built_in
from dataagent_server.agents.assistants.sandbox_policy import SandboxPolicy
from dataagent_server.common.ids import TenantId
from dataagent_server.common.names import validate_model_name, validate_name, validate_text
from dataagent_server.common.pagination import ItemPage, PageRequest, make_page
from dataagent_server.db.database import Database
from dataagent_server.identity.audit import AuditTrail
from dataagent_server.identity.auth import Action, Principal, Resource, require
from dataagent_server.identity.auth.clock import Clock, utc_now

ASSISTANTS_PER_TENANT_MAX: Final = 1_000


class AssistantService:
    """The assistants of the principal's own tenant."""

    def __init__(
        self,
        database: Database,
        audit: AuditTrail,
        default_id: str,
        sandboxes: SandboxPolicy,
        clock: Clock = utc_now,
    ) -> None:
        self._database = database
        self._audit = audit
        self._default = make_built_in(default_id)
        self._sandboxes = sandboxes
        self._clock = clock

    @property
    def default_id(self) -> str:
        """The assistant of a run that names none."""
        return self._default.assistant_id

    async def list(self, principal: Principal, page_request: PageRequest) -> ItemPage[Assistant]:
        """List the assistants: the built-in one first, then the oldest."""
        self._require(principal, "assistant.read", None)
        found = await self._database.read(
            lambda c: assistant_rows.list_assistants(c, principal.tenant_id, page_request)
        )
        page = make_page(
            found, page_request, lambda a: (a.created_at or self._clock(), a.assistant_id)
        )
        first = [self._default] if page_request.after is None else []
        return ItemPage([*first, *page.items], page.next)

    async def get(self, principal: Principal, assistant_id: str) -> Assistant:
        """Return one assistant."""
        found = await self.find(principal.tenant_id, assistant_id)
        self._require(principal, "assistant.read", found.owner_id)
        return found

    async def resolve_id(self, principal: Principal, assistant_id: str | None) -> str:
        """Return the id of an assistant a run may begin with: the one named, or the built-in."""
        if assistant_id is None:
            return self.default_id
        found = await self.get(principal, assistant_id)
        if not found.is_active:
            raise ConflictError(f"The agent {assistant_id!r} is switched off. Choose another one.")
        return found.assistant_id

    async def config_of(self, tenant_id: TenantId, assistant_id: str) -> AgentConfig:
        """Return the agent configuration of an assistant."""
        config = (await self.find(tenant_id, assistant_id)).config
        # The operator's settings may have changed since it was stored.
        self._sandboxes.check(config.sandbox_type)
        return config

    async def find(self, tenant_id: TenantId, assistant_id: str) -> Assistant:
        """Find an assistant, without a check of rights."""
        if assistant_id == self.default_id:
            return self._default
        found = await self._database.read(
            lambda c: assistant_rows.find_assistant(c, tenant_id, assistant_id)
        )
        return _require_found(found, assistant_id)

    async def create(self, principal: Principal, wished: Assistant) -> Assistant:
        """Create an assistant; without an id it gets a new one."""
        self._require(principal, "assistant.change", principal.user_id)
        self._sandboxes.check(wished.options.get("sandbox_type"))
        now = self._clock()
        made = replace(
            wished,
            assistant_id=checked_id(wished.assistant_id or new_id(), "agent id"),
            owner_id=principal.user_id,
            name=validate_name(wished.name, "name"),
            description=validate_text(wished.description, "description"),
            model=_validate_model(wished.model),
            created_at=now,
            updated_at=now,
        )
        self._refuse_built_in(made.assistant_id)

        def work(connection: Connection) -> Assistant:
            if (
                assistant_rows.count_assistants(connection, principal.tenant_id)
                >= ASSISTANTS_PER_TENANT_MAX
            ):
                raise LimitReachedError(
                    f"The tenant has its {ASSISTANTS_PER_TENANT_MAX:,} agents. Delete one first."
                )
            assistant_rows.add_assistant(connection, principal.tenant_id, made)
            self._record(connection, principal, "assistant.create", made.assistant_id)
            return made

        return await self._database.write(work)

    async def change(
        self, principal: Principal, assistant_id: str, values: dict[str, Any]
    ) -> Assistant:
        """Change what is given, by the names of `Assistant`'s fields."""
        self._refuse_built_in(assistant_id)
        self._sandboxes.check(values.get("options", {}).get("sandbox_type"))
        if "name" in values:
            values = values | {"name": validate_name(values["name"], "name")}
        if "description" in values:
            values = values | {"description": validate_text(values["description"], "description")}
        if "model" in values:
            values = values | {"model": _validate_model(values["model"])}

        def work(connection: Connection) -> Assistant:
            old = self._lock_assistant(connection, principal, assistant_id)
            changed = values | {"updated_at": self._clock()}
            assistant_rows.change_assistant(connection, principal.tenant_id, assistant_id, changed)
            self._record(connection, principal, "assistant.change", assistant_id, sorted(values))
            return replace(old, **changed)

        return await self._database.write(work)

    async def delete(self, principal: Principal, assistant_id: str) -> None:
        """Delete an assistant; its sessions stay and need another assistant to go on."""
        self._refuse_built_in(assistant_id)

        def work(connection: Connection) -> None:
            self._lock_assistant(connection, principal, assistant_id)
            assistant_rows.remove_assistant(connection, principal.tenant_id, assistant_id)
            self._record(connection, principal, "assistant.delete", assistant_id)

        await self._database.write(work)

    def _lock_assistant(
        self, connection: Connection, principal: Principal, assistant_id: str
    ) -> Assistant:
        found = assistant_rows.find_assistant(
            connection, principal.tenant_id, assistant_id, locked=True
        )
        there = _require_found(found, assistant_id)
        self._require(principal, "assistant.change", there.owner_id)
        return there

    def _refuse_built_in(self, assistant_id: str) -> None:
        if assistant_id == self.default_id:
            raise ConflictError(
                f"The agent {assistant_id!r} is built in and stays as it is. Make one of your own."
            )

    def _require(self, principal: Principal, action: Action, owner_id: str | None) -> None:
        seen_by_all = Resource(principal.tenant_id, "assistant", owner_id=owner_id, shared=True)
        require(principal, action, seen_by_all)

    def _record(
        self,
        connection: Connection,
        principal: Principal,
        action: str,
        assistant_id: str,
        fields: Sequence[str] = (),
    ) -> None:
        detail = {"fields": [*fields]} if fields else None
        named = f"assistant:{assistant_id}"
        self._audit.record(connection, principal.tenant_id, principal.actor, action, named, detail)


def _validate_model(name: str | None) -> str | None:
    return None if name is None else validate_model_name(name)


def _require_found(found: Assistant | None, assistant_id: str) -> Assistant:
    if found is None:
        raise NotFoundError(f"There is no agent {assistant_id[:80]!r}.")
    return found
