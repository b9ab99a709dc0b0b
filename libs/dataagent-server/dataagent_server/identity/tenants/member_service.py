"""The members of a tenant and their roles.

Every change locks the tenant's row first: two users added at the same moment cannot pass
`max_users` together, and two owners cannot remove each other. A user's home tenant administers
them; only the operator adds them to another tenant.
"""

from collections.abc import Callable
from typing import TypeVar

from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError

from dataagent_core.errors import ConflictError, LimitReachedError, NotFoundError
from dataagent_core.ids import checked_id, new_id
from dataagent_server.common.ids import TenantId
from dataagent_server.common.names import validate_name, validate_username
from dataagent_server.common.pagination import ItemPage, PageRequest, make_page
from dataagent_server.db.database import Database
from dataagent_server.identity.audit import AuditTrail
from dataagent_server.identity.auth import Principal, Resource, Role, require
from dataagent_server.identity.auth.cache import PrincipalCache
from dataagent_server.identity.auth.clock import Clock, utc_now
from dataagent_server.identity.auth.passwords import Passwords
from dataagent_server.identity.tenants import member_rows, tenant_rows
from dataagent_server.identity.tenants.tenant import Member, Tenant

T = TypeVar("T")


class MemberService:
    """The members of the principal's own tenant."""

    def __init__(
        self,
        database: Database,
        audit: AuditTrail,
        cache: PrincipalCache,
        passwords: Passwords,
        clock: Clock = utc_now,
    ) -> None:
        self._database = database
        self._audit = audit
        self._cache = cache
        self._passwords = passwords
        self._clock = clock

    async def add(
        self,
        principal: Principal,
        username: str,
        role: Role,
        *,
        display_name: str | None = None,
        password: str | None = None,
        user_id: str | None = None,
    ) -> Member:
        """Create a user in the tenant; without a password they need a sign-in URL."""
        require(principal, "member.change", _member_resource(principal.tenant_id, None, role))
        name = validate_username(username)
        hashed = None if password is None else await self._passwords.hash(password)
        now = self._clock()
        member = Member(
            user_id=checked_id(user_id, "user id") if user_id else new_id(),
            username=name,
            display_name=validate_name(display_name or name, "display name"),
            role=role,
            is_active=True,
            has_password=hashed is not None,
            at_home=True,
            created_at=now,
        )

        def work(connection: Connection, tenant: Tenant) -> Member:
            _check_limit(connection, tenant)
            try:
                member_rows.add_person(connection, tenant.tenant_id, member, hashed, now)
                member_rows.add_membership(connection, tenant.tenant_id, member.user_id, role, now)
            except IntegrityError:
                raise ConflictError(f"There is a user {name!r} already.") from None
            self._record(connection, principal, "member.add", member.user_id, role=role, name=name)
            return member

        return await self._change(principal, work)

    async def link(self, principal: Principal, tenant_id: str, user_id: str, role: Role) -> Member:
        """Add a user of another tenant to this one."""
        wanted = TenantId(tenant_id)
        require(principal, "installation.manage", Resource(wanted, "installation"))

        def work(connection: Connection, tenant: Tenant) -> Member:
            _check_limit(connection, tenant)
            if not member_rows.person_exists(connection, user_id):
                raise NotFoundError(f"There is no user {user_id!r}.")
            try:
                member_rows.add_membership(connection, wanted, user_id, role, self._clock())
            except IntegrityError:
                raise ConflictError(f"{user_id!r} is a member already.") from None
            self._audit.record(
                connection, wanted, principal.actor, "member.link", f"user:{user_id}",
                {"role": role},
            )  # fmt: skip
            return _find(connection, wanted, user_id)

        return await self._change(principal, work, wanted)

    async def get(self, principal: Principal, user_id: str) -> Member:
        """Return a member."""

        def work(connection: Connection) -> Member:
            member = _find(connection, principal.tenant_id, user_id)
            require(principal, "member.read", _member_resource(principal.tenant_id, user_id))
            return member

        return await self._database.read(work)

    async def list(self, principal: Principal, page_request: PageRequest) -> ItemPage[Member]:
        """List the members."""
        require(principal, "member.read", _member_resource(principal.tenant_id, None))
        return await self._list_page(principal.tenant_id, page_request)

    async def names(self, principal: Principal, page_request: PageRequest) -> ItemPage[Member]:
        """List the names of the members, which every user of the tenant may read."""
        require(principal, "tenant.read", Resource(principal.tenant_id, "tenant"))
        return await self._list_page(principal.tenant_id, page_request)

    async def change_role(self, principal: Principal, user_id: str, role: Role) -> Member:
        """Change a member's role; nobody assigns or removes a role above their own."""

        def work(connection: Connection, tenant: Tenant) -> Member:
            member = self._require_changeable(connection, principal, user_id)
            require(principal, "member.change", _member_resource(tenant.tenant_id, None, role))
            if member.role == "owner" and role != "owner":
                _check_other_owner(connection, tenant, member)
            member_rows.set_role(connection, tenant.tenant_id, user_id, role)
            self._record(connection, principal, "member.role", user_id, old=member.role, new=role)
            return _find(connection, tenant.tenant_id, user_id)

        return await self._change(principal, work)

    async def remove(self, principal: Principal, user_id: str) -> None:
        """Remove a member; their keys, cookies and tokens stop at once."""

        def work(connection: Connection, tenant: Tenant) -> None:
            member = self._require_changeable(connection, principal, user_id)
            if member.role == "owner":
                _check_other_owner(connection, tenant, member)
            now = self._clock()
            member_rows.remove_membership(connection, tenant.tenant_id, user_id, now)
            member_rows.retire_person(connection, tenant.tenant_id, user_id, now)
            self._record(connection, principal, "member.remove", user_id, role=member.role)

        await self._change(principal, work)

    async def _list_page(self, tenant_id: TenantId, page_request: PageRequest) -> ItemPage[Member]:
        found = await self._database.read(
            lambda c: member_rows.list_members(c, tenant_id, page_request)
        )
        return make_page(found, page_request, lambda member: (member.created_at, member.user_id))

    def _require_changeable(
        self, connection: Connection, principal: Principal, user_id: str
    ) -> Member:
        member = _find(connection, principal.tenant_id, user_id)
        resource = _member_resource(principal.tenant_id, user_id, member.role)
        require(principal, "member.change", resource)
        return member

    async def _change(
        self,
        principal: Principal,
        work: Callable[[Connection, Tenant], T],
        tenant_id: TenantId | None = None,
    ) -> T:
        def locked(connection: Connection) -> T:
            tenant = tenant_rows.find_tenant(
                connection, tenant_id or principal.tenant_id, lock=True
            )
            if tenant is None:
                raise NotFoundError(f"There is no tenant {tenant_id or principal.tenant_id!r}.")
            return work(connection, tenant)

        result = await self._database.write(locked)
        self._cache.forget_all()
        return result

    def _record(
        self, connection: Connection, principal: Principal, action: str, user_id: str, **detail: str
    ) -> None:
        self._audit.record(
            connection, principal.tenant_id, principal.actor, action, f"user:{user_id}", detail
        )


def _member_resource(
    tenant_id: TenantId, user_id: str | None, role: Role | None = None
) -> Resource:
    return Resource(tenant_id, "member", owner_id=user_id, role=role)


def _find(connection: Connection, tenant_id: TenantId, user_id: str) -> Member:
    member = member_rows.find_member(connection, tenant_id, user_id)
    if member is None:
        raise NotFoundError(f"There is no member {user_id!r}.")
    return member


def _check_limit(connection: Connection, tenant: Tenant) -> None:
    if member_rows.count_members(connection, tenant.tenant_id) >= tenant.limits.max_users:
        raise LimitReachedError(
            f"The tenant has its {tenant.limits.max_users:,} users already (max_users). Remove "
            "one, or ask whoever runs the installation for more."
        )


def _check_other_owner(connection: Connection, tenant: Tenant, member: Member) -> None:
    owners = member_rows.count_members(connection, tenant.tenant_id, "owner")
    if owners - member.is_active < 1:
        raise ConflictError("This is the tenant's last owner. Make somebody else an owner first.")
