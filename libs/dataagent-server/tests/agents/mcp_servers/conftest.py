"""The service over the fixtures of `support/installation.py`."""

from ipaddress import ip_address

import pytest
from installation import Installation, configured_keys, installation, keyring
from mcp_installation import MCPInstallation

from dataagent_core.tools.web.web_policy import WebPolicy
from dataagent_server.agents.credentials.base_url_check import BaseUrlCheck
from dataagent_server.agents.mcp_servers.mcp_server_service import MCPServerService
from dataagent_server.agents.mcp_servers.policy_service import PolicyService
from dataagent_server.agents.mcp_servers.server_check import ServerCheck
from dataagent_server.agents.mcp_servers.server_sealer import ServerSealer

__all__ = ["configured_keys", "installation", "keyring"]


@pytest.fixture
def mcp(installation: Installation) -> MCPInstallation:
    async def resolver(host: str, port: int):
        del port
        return [ip_address(text) for text in installation.addresses.get(host, ["93.184.215.14"])]

    policy = WebPolicy(frozenset({("inside.example", 8080)}))
    check = ServerCheck(BaseUrlCheck(policy, resolver))
    sealer = ServerSealer(installation.people.cipher)
    audit = installation.people.audit
    return MCPInstallation(
        installation,
        MCPServerService(installation.database, audit, sealer, check),
        PolicyService(installation.database, audit),
    )
