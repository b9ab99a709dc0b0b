"""Creates, reads, changes and deletes MCP servers.

A user may change their own servers, a project's owner those of the project, an admin all of them.
Every user of the tenant sees the shared ones; nobody sees a secret.
"""

from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Connection, RowMapping
from sqlalchemy.exc import IntegrityError

from dataagent_core.errors import ConflictError, LimitReachedError, NotFoundError
from dataagent_core.mcp.config import MCPServerConfig
from dataagent_server.agents.mcp_servers import server_rows
from dataagent_server.agents.mcp_servers.limits import SHARED_SERVERS_MAX
from dataagent_server.agents.mcp_servers.mcp_server import MCPServer, ServerChanges, ServerScope
from dataagent_server.agents.mcp_servers.merge import merge_server
from dataagent_server.agents.mcp_servers.policy_service import ProgramRules, rules_of
from dataagent_server.agents.mcp_servers.server_check import ServerCheck
from dataagent_server.agents.mcp_servers.server_rights import require_server
from dataagent_server.agents.mcp_servers.server_sealer import ServerSealer, scope_of
from dataagent_server.common.ids import TenantId
from dataagent_server.db.database import Database
from dataagent_server.identity.audit import AuditTrail
from dataagent_server.identity.auth import Action, Principal
from dataagent_server.identity.auth.clock import Clock, utc_now
from dataagent_server.identity.projects.project_scope import require_project

_NEW: Final = MCPServerConfig(name="")


@dataclass(frozen=True, slots=True)
class ServerMatch:
    """A server a principal may use: as it is shown, its configuration, and its row id."""

    server_id: int
    shown: MCPServer
    config: MCPServerConfig


@dataclass(frozen=True, slots=True)
class MCPServerService:
    """The servers of the principal's own tenant."""

    database: Database
    audit: AuditTrail
    sealer: ServerSealer
    check: ServerCheck
    clock: Clock = utc_now

    async def list_visible(self, principal: Principal, project_id: str | None) -> list[ServerMatch]:
        """List a user's own servers, the project's and the tenant's; of one name the nearest."""

        def work(connection: Connection) -> list[ServerMatch]:
            require_server(connection, principal, "mcp_server.read", ServerScope(principal.user_id))
            require_project(connection, principal.tenant_id, project_id)
            return [
                self._make_match(row) for row in _list_visible(connection, principal, project_id)
            ]

        return await self.database.read(work)

    async def list_scope(self, principal: Principal, belongs: ServerScope) -> list[ServerMatch]:
        """List the servers of exactly one scope."""

        def work(connection: Connection) -> list[ServerMatch]:
            require_server(connection, principal, "mcp_server.read", belongs)
            found = server_rows.list_servers_at(connection, principal.tenant_id, belongs)
            return [self._make_match(row) for row in found]

        return await self.database.read(work)

    async def get(self, principal: Principal, name: str, belongs: ServerScope) -> ServerMatch:
        """Return a server of exactly this scope."""
        return await self._get(principal, "mcp_server.read", name, belongs)

    async def get_usable(
        self, principal: Principal, name: str, belongs: ServerScope
    ) -> ServerMatch:
        """Return a server the principal may connect to."""
        return await self._get(principal, "mcp_server.use", name, belongs)

    async def find_scope(
        self, principal: Principal, name: str, project_id: str | None
    ) -> ServerScope:
        """Return the scope of the server that a name means to a user."""

        def work(connection: Connection) -> ServerScope:
            require_server(connection, principal, "mcp_server.read", ServerScope(principal.user_id))
            require_project(connection, principal.tenant_id, project_id)
            found = _list_visible(connection, principal, project_id, name)
            if not found:
                raise _not_found(name)
            return scope_of(found[0])

        return await self.database.read(work)

    async def create(
        self, principal: Principal, name: str, belongs: ServerScope, wishes: ServerChanges
    ) -> ServerMatch:
        """Create a server; nothing connects to it yet."""
        rules = await self._load_rules(principal, belongs)
        data = merge_server(_NEW, wishes, entered_by_them=True) | {"name": name}
        config = self.check.read(data)
        await self.check.require_allowed(config, rules, principal)
        now = self.clock()

        def work(connection: Connection) -> ServerMatch:
            require_server(connection, principal, "mcp_server.change", belongs)
            # Locked, so that two requests at once cannot both take the last free place.
            limit = rules_of(connection, principal.tenant_id, lock=True).servers_per_user_max
            _check_limit(
                server_rows.count(connection, principal.tenant_id, belongs), belongs, limit
            )
            values = {
                "tenant_id": principal.tenant_id,
                "scope": belongs.scope,
                "user_id": belongs.user_id,
                "project_id": belongs.project_id,
                "name": name,
                "created_by": principal.user_id,
                "version": 1,
                "created_at": now,
                "updated_at": now,
                **self.sealer.seal(principal.tenant_id, belongs, config),
            }
            try:
                server_rows.add(connection, values)
            except IntegrityError:
                raise ConflictError(
                    f"There is an MCP server {name!r} already. Change it, or choose another name."
                ) from None
            return self._record_change(connection, principal, "mcp_server.create", belongs, config)

        return await self.database.write(work)

    async def change(
        self,
        principal: Principal,
        name: str,
        belongs: ServerScope,
        wishes: ServerChanges,
        version: int | None = None,
    ) -> ServerMatch:
        """Apply the changes; with `version`, only if nobody else changed it since."""
        rules = await self._load_rules(principal, belongs)
        old = await self.database.read(
            lambda c: _require_row(server_rows.find(c, principal.tenant_id, belongs, name), name)
        )
        if version is not None and version != old["version"]:
            raise _conflict()
        theirs = old["created_by"] == principal.user_id
        data = merge_server(self.sealer.open(old), wishes, entered_by_them=theirs)
        config = self.check.read(data)
        await self.check.require_allowed(config, rules, principal)

        def work(connection: Connection) -> ServerMatch:
            require_server(connection, principal, "mcp_server.change", belongs)
            values = self.sealer.seal(principal.tenant_id, belongs, config)
            values["updated_at"] = self.clock()
            if not server_rows.change(connection, principal.tenant_id, old, values):
                raise _conflict()
            return self._record_change(connection, principal, "mcp_server.change", belongs, config)

        return await self.database.write(work)

    async def delete(self, principal: Principal, name: str, belongs: ServerScope) -> None:
        """Delete a server."""

        def work(connection: Connection) -> None:
            require_server(connection, principal, "mcp_server.change", belongs)
            old = _require_row(
                server_rows.find(connection, principal.tenant_id, belongs, name), name
            )
            server_rows.remove(connection, principal.tenant_id, old["id"])
            self._record(connection, principal, "mcp_server.delete", belongs, name, {})

        await self.database.write(work)

    async def configs_for(
        self, tenant_id: TenantId, user_id: str, project_id: str | None
    ) -> list[MCPServerConfig]:
        """Return the configurations a user's agent may use, with secrets; none where MCP is off."""

        def work(connection: Connection) -> list[MCPServerConfig]:
            if rules_of(connection, tenant_id).mcp_off:
                return []
            found = server_rows.list_visible_servers(
                connection, tenant_id, user_id, project_id or ""
            )
            return [self.sealer.open(row) for row in found if not row["disabled"]]

        return await self.database.read(work)

    async def record(
        self, principal: Principal, action: str, found: ServerMatch, detail: dict[str, Any]
    ) -> None:
        """Record in the audit log what a user did with a server."""
        shown = found.shown
        await self.database.write(
            lambda c: self._record(c, principal, action, shown.belongs, shown.name, detail)
        )

    async def _get(
        self, principal: Principal, action: Action, name: str, belongs: ServerScope
    ) -> ServerMatch:
        def work(connection: Connection) -> ServerMatch:
            require_server(connection, principal, action, belongs)
            return self._make_match(
                _require_row(server_rows.find(connection, principal.tenant_id, belongs, name), name)
            )

        return await self.database.read(work)

    async def _load_rules(self, principal: Principal, belongs: ServerScope) -> ProgramRules:
        def work(connection: Connection) -> ProgramRules:
            require_server(connection, principal, "mcp_server.change", belongs)
            return rules_of(connection, principal.tenant_id)

        return await self.database.read(work)

    def _make_match(self, row: RowMapping) -> ServerMatch:
        return ServerMatch(row["id"], self.sealer.show(row), self.sealer.open(row))

    def _record_change(
        self,
        connection: Connection,
        principal: Principal,
        action: str,
        belongs: ServerScope,
        config: MCPServerConfig,
    ) -> ServerMatch:
        row = server_rows.find(connection, principal.tenant_id, belongs, config.name)
        assert row is not None
        found = self._make_match(row)
        shown = found.shown
        detail = {
            "transport": shown.transport,
            "command": shown.command,
            "args": self.audit.digest(shown.args),
            "url": shown.url,
            "env": {name: self.audit.digest(value) for name, value in config.env.items()},
            "headers": {name: self.audit.digest(value) for name, value in config.headers.items()},
            "network": shown.network,
            "hosts": shown.hosts,
            "read_paths": shown.read_paths,
            "write_paths": shown.write_paths,
            "disabled": shown.disabled,
        }
        self._record(connection, principal, action, belongs, config.name, detail)
        return found

    def _record(  # noqa: PLR0917 (the audit's own order)
        self,
        connection: Connection,
        principal: Principal,
        action: str,
        belongs: ServerScope,
        name: str,
        detail: dict[str, Any],
    ) -> None:
        self.audit.record(
            connection, principal.tenant_id, principal.actor, action,
            f"mcp_server:{belongs}/{name}", detail,
        )  # fmt: skip


def _list_visible(
    connection: Connection, principal: Principal, project_id: str | None, name: str | None = None
) -> list[RowMapping]:
    return server_rows.list_visible_servers(
        connection, principal.tenant_id, principal.user_id, project_id or "", name
    )


def _check_limit(there: int, belongs: ServerScope, per_user_max: int) -> None:
    if belongs.scope == "user" and there >= per_user_max:
        raise LimitReachedError(
            f"{per_user_max:,} MCP servers are the most for one person here (max_mcp_servers). "
            "Delete one, or ask whoever runs the installation for more."
        )
    if belongs.scope != "user" and there >= SHARED_SERVERS_MAX:
        raise LimitReachedError(
            f"There are the {SHARED_SERVERS_MAX} shared MCP servers of a {belongs.scope} already. "
            "Delete one first."
        )


def _require_row(row: RowMapping | None, name: str) -> RowMapping:
    if row is None:
        raise _not_found(name)
    return row


def _not_found(name: str) -> NotFoundError:
    return NotFoundError(f"There is no MCP server {name[:80]!r}.")


def _conflict() -> ConflictError:
    return ConflictError("Somebody else changed the MCP server meanwhile. Read it again.")
