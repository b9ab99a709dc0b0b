"""The service over the fixtures of `support/house.py`."""

from ipaddress import ip_address

import pytest
from house import House, configured_keys, house, keyring
from mcp_desk import Desk

from dataagent_core.tools.web.policy import WebPolicy
from dataagent_server.agents.credentials.base_url_check import BaseUrlCheck
from dataagent_server.agents.mcp_servers.policy_service import PolicyService
from dataagent_server.agents.mcp_servers.server_check import ServerCheck
from dataagent_server.agents.mcp_servers.server_sealer import ServerSealer
from dataagent_server.agents.mcp_servers.service import MCPServerService

__all__ = ["configured_keys", "house", "keyring"]


@pytest.fixture
def desk(house: House) -> Desk:
    async def resolver(host: str, port: int):
        del port
        return [ip_address(text) for text in house.addresses.get(host, ["93.184.215.14"])]

    policy = WebPolicy(frozenset({("inside.example", 8080)}))
    check = ServerCheck(BaseUrlCheck(policy, resolver))
    sealer = ServerSealer(house.people.cipher)
    audit = house.people.audit
    return Desk(
        house,
        MCPServerService(house.database, audit, sealer, check),
        PolicyService(house.database, audit),
    )
