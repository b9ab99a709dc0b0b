"""Creates, reads and changes tenants.

The operator creates tenants: at the command line, or as an owner of the default tenant. Owners of a
tenant read and rename it; the operator sets its limits. A tenant is not deleted but suspended: then
nobody can sign in, and nothing is lost.
"""

from collections.abc import Mapping
from dataclasses import asdict, replace
from typing import Any

from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError

from dataagent_core.errors import ConflictError, NotFoundError
from dataagent_core.ids import checked_id, new_id
from dataagent_server.common.ids import DEFAULT_TENANT, TenantId
from dataagent_server.common.names import validate_name
from dataagent_server.common.pagination import ItemPage, PageRequest, make_page
from dataagent_server.db.database import Database
from dataagent_server.identity.audit import AuditTrail
from dataagent_server.identity.auth import Principal, Resource, may, require
from dataagent_server.identity.auth.cache import PrincipalCache
from dataagent_server.identity.auth.clock import Clock, utc_now
from dataagent_server.identity.auth.features import Feature, list_switched_off, validate_features
from dataagent_server.identity.tenants import tenant_rows
from dataagent_server.identity.tenants.tenant import Tenant, TenantLimits


class TenantService:
    """Tenants; `member_service.py` manages their members."""

    def __init__(
        self,
        database: Database,
        audit: AuditTrail,
        cache: PrincipalCache,
        clock: Clock = utc_now,
        new_limits: TenantLimits | None = None,
    ) -> None:
        self._database = database
        self._audit = audit
        self._cache = cache
        self._clock = clock
        self._new_limits = new_limits or TenantLimits()

    async def create(
        self,
        principal: Principal,
        name: str,
        *,
        tenant_id: str | None = None,
        limits: TenantLimits | None = None,
    ) -> Tenant:
        """Create a tenant without members; an existing id is a `ConflictError`."""
        chosen = TenantId(checked_id(tenant_id, "tenant id") if tenant_id else new_id())
        require(principal, "installation.manage", Resource(chosen, "installation"))
        now = self._clock()
        given = limits or self._new_limits
        validate_features(given.features_enabled)
        tenant = Tenant(
            tenant_id=chosen,
            name=validate_name(name, "name"),
            limits=given,
            is_active=True,
            version=1,
            created_at=now,
            updated_at=now,
        )

        def work(connection: Connection) -> Tenant:
            try:
                tenant_rows.add_tenant(connection, tenant)
            except IntegrityError:
                raise ConflictError(f"There is a tenant {chosen!r} already.") from None
            detail = {"name": tenant.name, "limits": asdict(tenant.limits)}
            self._audit.record(
                connection, chosen, principal.actor, "tenant.create", f"tenant:{chosen}", detail
            )
            return tenant

        return await self._database.write(work)

    async def get(self, principal: Principal, tenant_id: str) -> Tenant:
        """Return the principal's own tenant, or any tenant for the operator."""
        return await self._database.read(lambda c: self._find_visible(c, principal, tenant_id))

    async def list(self, principal: Principal, page_request: PageRequest) -> ItemPage[Tenant]:
        """List the tenants the principal may see: all of them, or their own."""
        if not self._is_operator(principal):
            return ItemPage([await self.get(principal, principal.tenant_id)], None)
        found = await self._database.read(lambda c: tenant_rows.list_tenants(c, page_request))
        return make_page(found, page_request, lambda tenant: (tenant.created_at, tenant.tenant_id))

    async def change(
        self,
        principal: Principal,
        tenant_id: str,
        *,
        name: str | None = None,
        limits: Mapping[str, Any] | None = None,
        is_active: bool | None = None,
        version: int | None = None,
    ) -> Tenant:
        """Change what is given; with `version`, only if nobody else changed it since."""
        new_name = None if name is None else validate_name(name, "name")
        validate_features((limits or {}).get("features_enabled", {}))

        def work(connection: Connection) -> Tenant:
            old = self._find_visible(connection, principal, tenant_id)
            self._check_rights(principal, old, only_name=not limits and is_active is None)
            if is_active is False and old.tenant_id == DEFAULT_TENANT:
                raise ConflictError("The default tenant runs the installation; it stays active.")
            new = replace(
                old,
                name=old.name if new_name is None else new_name,
                limits=replace(old.limits, **(limits or {})),
                is_active=old.is_active if is_active is None else is_active,
            )
            now = self._clock()
            values = {"name": new.name, "is_active": new.is_active, **asdict(new.limits)}
            fresh = version is None or version == old.version
            if not fresh or not tenant_rows.change_tenant(connection, old, values, now):
                raise ConflictError("Somebody else changed the tenant meanwhile. Read it again.")
            self._audit.record(
                connection, old.tenant_id, principal.actor, "tenant.change",
                f"tenant:{old.tenant_id}", _diff(old, new),
            )  # fmt: skip
            return replace(new, version=old.version + 1, updated_at=now)

        tenant = await self._database.write(work)
        self._cache.forget_all()
        return tenant

    async def features_off(self, tenant_id: TenantId) -> frozenset[Feature]:
        """Return the features a tenant does not have, for its agents."""
        found = await self._database.read(lambda c: tenant_rows.find_tenant(c, tenant_id))
        return frozenset() if found is None else list_switched_off(found.limits.features_enabled)

    def _find_visible(self, connection: Connection, principal: Principal, tenant_id: str) -> Tenant:
        wanted = TenantId(tenant_id)
        mine = wanted == principal.tenant_id
        found = None
        if mine or self._is_operator(principal):
            found = tenant_rows.find_tenant(connection, wanted)
        if found is None:
            raise NotFoundError(f"There is no tenant {tenant_id!r}.")
        if mine:
            require(principal, "tenant.read", Resource(wanted, "tenant"))
        return found

    def _check_rights(self, principal: Principal, tenant: Tenant, *, only_name: bool) -> None:
        if self._is_operator(principal):
            return
        # Also refused to an owner: a limit that its subject can lift is none.
        action = "tenant.change" if only_name else "installation.manage"
        require(principal, action, Resource(tenant.tenant_id, "tenant"))

    def _is_operator(self, principal: Principal) -> bool:
        resource = Resource(principal.tenant_id, "installation")
        return may(principal, "installation.manage", resource)


def _diff(old: Tenant, new: Tenant) -> dict[str, Any]:
    before, after = asdict(old), asdict(new)
    before |= before.pop("limits")
    after |= after.pop("limits")
    return {name: [before[name], after[name]] for name in after if before[name] != after[name]}
