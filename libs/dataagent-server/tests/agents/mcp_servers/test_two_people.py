"""What one person says of their servers changes nothing of another's (S0-49)."""

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mcp_installation import MCPInstallation

from dataagent_core.errors import ConflictError, NotFoundError
from dataagent_core.mcp.config import MCPServerConfig
from dataagent_server.agents.mcp_servers.mcp_server import ServerChanges, ServerScope
from dataagent_server.identity.auth.principal import Principal

pytestmark = pytest.mark.every_database

NAMES = ("one", "two")
steps = st.lists(
    st.tuples(
        st.sampled_from(["ann", "bob"]),
        st.sampled_from(["add", "change", "disable", "delete"]),
        st.sampled_from(NAMES),
    ),
    max_size=8,
)


async def act(mcp: MCPInstallation, who: Principal, verb: str, name: str) -> None:
    mine = ServerScope(who.user_id)
    wishes = ServerChanges(
        url=f"https://{name}.example/{who.user_id}", headers={"Key": f"secret of {who.user_id}"}
    )
    try:
        match verb:
            case "add":
                await mcp.service.create(who, name, mine, wishes)
            case "change":
                await mcp.service.change(who, name, mine, ServerChanges(timeout=9))
            case "disable":
                await mcp.service.change(who, name, mine, ServerChanges(disabled=True))
            case _:
                await mcp.service.delete(who, name, mine)
    except (ConflictError, NotFoundError):
        pass


async def seen(mcp: MCPInstallation, who: Principal) -> Sequence[MCPServerConfig]:
    return await mcp.service.configs_for(who.tenant_id, who.user_id, None)


@pytest.mark.requirement("S0-49")
@settings(max_examples=20)
@given(steps=steps)
async def test_s0_49_a_persons_changes_leave_everybody_elses_servers_as_they_are(
    mcp: MCPInstallation, steps: list[tuple[str, str, str]]
):
    tenant = await mcp.installation.tenant(f"t{len(mcp.tenants):04}")
    mcp.tenants.append(tenant)
    people = {name: await mcp.installation.person(tenant, name) for name in ("ann", "bob")}
    for name, verb, server in steps:
        other = people["bob" if name == "ann" else "ann"]
        before = await seen(mcp, other)
        await act(mcp, people[name], verb, server)
        assert await seen(mcp, other) == before
        for who in people.values():
            for one in await seen(mcp, who):
                assert one.headers == {"Key": f"secret of {who.user_id}"}
