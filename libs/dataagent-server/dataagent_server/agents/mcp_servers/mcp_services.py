"""Everything about MCP on the server: configurations, connections, sign-ins.

One `MCPConnectionManager` per process holds the connections of all users; it separates them by
tenant, user and configuration. A connection is opened at its first use.
"""

import asyncio
import time
from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dataagent_core.errors import ConflictError, MCPServerError
from dataagent_core.mcp.access import MCPAccess
from dataagent_core.mcp.config import MCPConfig, MCPServerConfig
from dataagent_core.mcp.connections import MCPConnectionManager
from dataagent_core.mcp.oauth.resource import resource_of
from dataagent_core.mcp.owner import Owner
from dataagent_core.mcp.ports import ServerStatus
from dataagent_core.mcp.transports.program.server_homes import forget_home
from dataagent_server.agents.mcp_servers.mcp_server import ServerChanges, ServerScope
from dataagent_server.agents.mcp_servers.mcp_server_service import MCPServerService, ServerMatch
from dataagent_server.agents.mcp_servers.owner_programs import OwnerPrograms
from dataagent_server.agents.mcp_servers.policy_service import PolicyService
from dataagent_server.agents.mcp_servers.sign_in import token_rows
from dataagent_server.agents.mcp_servers.sign_in.flows import PendingSignIn
from dataagent_server.agents.mcp_servers.sign_in.sign_ins import SignIns, owner_of
from dataagent_server.common.ids import TenantId
from dataagent_server.identity.auth import Principal, Resource, require

if TYPE_CHECKING:
    from mcp_types import Tool


@dataclass(frozen=True, slots=True)
class ConnectionTest:
    """The result of connecting to a server."""

    status: ServerStatus
    tools: int
    elapsed_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class MCPServices:
    """The MCP operations of routes and runs."""

    servers: MCPServerService
    policy: PolicyService
    programs: OwnerPrograms
    sign_ins: SignIns
    # Agents are built with these: the connections, and calls that wait for a user.
    access: MCPAccess
    # The folder in which programs store downloads.
    homes: Path

    @property
    def manager(self) -> MCPConnectionManager:
        return self.access.manager

    async def config_for(
        self, tenant_id: TenantId, user_id: str, project_id: str | None
    ) -> MCPConfig:
        """Return the servers a user's agent may use, with their secrets."""
        return MCPConfig(servers=await self.servers.configs_for(tenant_id, user_id, project_id))

    def hold(self, tenant_id: TenantId, user_id: str) -> AbstractAsyncContextManager[None]:
        """Keep a user's connections while one of their agents is kept (S0-50)."""
        return self.manager.hold(Owner(tenant_id, user_id))

    def status(self, principal: Principal, found: ServerMatch) -> ServerStatus:
        """Return the status of a server for the principal, or for the user who owns it."""
        user_id = found.shown.belongs.user_id or principal.user_id
        status = self.manager.status(Owner(principal.tenant_id, user_id), found.config)
        return replace(status, detail=_mask_address(found, status.detail))

    async def change(
        self,
        principal: Principal,
        name: str,
        belongs: ServerScope,
        wishes: ServerChanges,
        version: int | None,
    ) -> ServerMatch:
        """Change a server; its old connections end at once here, and when idle elsewhere."""
        before = await self.servers.get(principal, name, belongs)
        changed = await self.servers.change(principal, name, belongs, wishes, version)
        if changed.config != before.config:
            await self._disconnect(principal.tenant_id, before)
        return changed

    async def delete(self, principal: Principal, name: str, belongs: ServerScope) -> None:
        """Delete a server and its connections; for a user's own server also its tokens."""
        found = await self.servers.get(principal, name, belongs)
        await self.servers.delete(principal, name, belongs)
        await self._disconnect(principal.tenant_id, found)
        if not belongs.user_id:
            # At a shared server each user signs out on their own: they may use it elsewhere, too.
            return
        owner = Owner(principal.tenant_id, belongs.user_id)
        if found.config.url:
            held = token_rows.TokenKey(owner, resource_of(found.config))
            await self.servers.database.write(lambda c: token_rows.forget(c, held))
        else:
            await asyncio.to_thread(forget_home, owner, name, self.homes)

    async def tools(self, principal: Principal, found: ServerMatch) -> "tuple[Tool, ...]":
        """List the tools a server offers to the principal; connects if necessary."""
        connection = self.manager.connection(owner_of(principal), found.config)
        try:
            return await connection.tools()
        except MCPServerError as error:
            raise ConflictError(_mask_address(found, str(error))) from error

    async def test(self, principal: Principal, found: ServerMatch) -> ConnectionTest:
        """Connect anew and return the result."""
        connection = self.manager.connection(owner_of(principal), found.config)
        began = time.monotonic()
        tools = 0
        try:
            tools = len(await connection.tools(fresh=True))
            status = connection.status
        except MCPServerError as error:
            state = connection.status.state
            shown_state = state if state in ("needs_auth", "error") else "error"
            status = ServerStatus(shown_state, _mask_address(found, str(error)))
        elapsed_ms = round((time.monotonic() - began) * 1_000)
        detail = {"state": status.state, "tools": tools}
        await self.servers.record(principal, "mcp_server.test", found, detail)
        return ConnectionTest(status, tools, elapsed_ms)

    async def list_waiting(
        self, principal: Principal, found: Sequence[ServerMatch]
    ) -> Sequence[MCPServerConfig]:
        """List the programs among these that start only after this user's approval."""
        config = MCPConfig(servers=[one.config for one in found])
        return await self.programs.to_ask(owner_of(principal), config)

    async def allow(self, principal: Principal, found: ServerMatch) -> None:
        """Allow a program to start from now on; for the only user of an installation."""
        # The approval is stored with the policy, in the operator's part.
        require(principal, "installation.manage", Resource(principal.tenant_id, "mcp_policy"))
        if found.config.transport != "stdio":
            raise ConflictError(f"{found.shown.name!r} is at an address: it starts no program.")
        owner = owner_of(principal)
        await self.programs.allow(owner, found.config, actor=principal.actor)
        await self.manager.disconnect_server(owner, found.shown.name)

    async def sign_in(
        self, principal: Principal, found: ServerMatch, address: str, scopes: str = ""
    ) -> str:
        """Begin a sign-in; `address` is ours as the user sees it."""
        try:
            url = await self.sign_ins.begin(principal, found, address, scopes)
        except ConflictError as error:
            raise ConflictError(_mask_address(found, str(error))) from error
        await self.servers.record(principal, "mcp_server.login", found, {})
        return url

    async def finish_sign_in(self, principal: Principal | None, answer: Any) -> PendingSignIn:
        """Finish a sign-in; refused connections are tried again with the tokens."""
        begun = await self.sign_ins.finish(principal, answer)
        actor = principal.actor if principal else f"user:{begun.user_id}"
        await self.servers.database.write(
            lambda c: self.servers.audit.record(
                c, begun.tenant_id, actor, "mcp_server.signed_in", f"mcp_server:{begun.server}"
            )
        )
        await self.manager.disconnect_server(Owner(begun.tenant_id, begun.user_id), begun.server)
        return begun

    async def sign_out(self, principal: Principal, found: ServerMatch) -> bool:
        """Delete a user's tokens at a server, and close their connections to it."""
        revoked = await self.sign_ins.sign_out(principal, found)
        await self.manager.disconnect_server(owner_of(principal), found.shown.name)
        await self.servers.record(principal, "mcp_server.logout", found, {"revoked": revoked})
        return revoked

    async def _disconnect(self, tenant_id: TenantId, found: ServerMatch) -> None:
        """Close all users' connections to a server with exactly this configuration."""
        using = [
            owner
            for owner in self.manager.owners(tenant_id)
            if self.manager.status(owner, found.config).state != "disconnected"
        ]
        name = found.shown.name
        await asyncio.gather(*(self.manager.disconnect_server(owner, name) for owner in using))


def _mask_address(found: ServerMatch, text: str) -> str:
    """Replace an address in an error text, because it may hold keys."""
    url = found.config.url
    return text.replace(url, found.shown.url) if url else text
