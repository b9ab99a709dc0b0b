"""MCP services to test with, over the users of `installation.py`."""

from dataclasses import dataclass, field

from installation import Installation

from dataagent_server.agents.mcp_servers.mcp_server_service import MCPServerService
from dataagent_server.agents.mcp_servers.policy_service import PolicyService
from dataagent_server.common.ids import TenantId
from dataagent_server.identity.auth.principal import Principal


@dataclass
class MCPInstallation:
    """The MCP services, and the installation of their users."""

    installation: Installation
    service: MCPServerService
    policy: PolicyService
    tenants: list[TenantId] = field(default_factory=list[TenantId])

    async def owner(self, name: str, *commands: str) -> Principal:
        boss = await self.installation.person(await self.installation.tenant(name), "boss", "owner")
        if commands:
            await self.policy.change(boss, {"commands": commands})
        return boss
