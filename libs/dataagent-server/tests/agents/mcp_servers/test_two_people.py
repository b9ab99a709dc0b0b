"""What one person says of their servers changes nothing of another's (S0-49)."""

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mcp_desk import Desk

from dataagent_core.errors import ConflictError, NotFoundError
from dataagent_core.mcp.config import MCPServerConfig
from dataagent_server.agents.mcp_servers.model import ServerChanges, ServerScope
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


async def act(desk: Desk, who: Principal, verb: str, name: str) -> None:
    mine = ServerScope(who.user_id)
    wishes = ServerChanges(
        url=f"https://{name}.example/{who.user_id}", headers={"Key": f"secret of {who.user_id}"}
    )
    try:
        match verb:
            case "add":
                await desk.service.create(who, name, mine, wishes)
            case "change":
                await desk.service.change(who, name, mine, ServerChanges(timeout=9))
            case "disable":
                await desk.service.change(who, name, mine, ServerChanges(disabled=True))
            case _:
                await desk.service.delete(who, name, mine)
    except (ConflictError, NotFoundError):
        pass


async def seen(desk: Desk, who: Principal) -> Sequence[MCPServerConfig]:
    return await desk.service.configs_for(who.tenant_id, who.user_id, None)


@pytest.mark.requirement("S0-49")
@settings(max_examples=20)
@given(steps=steps)
async def test_s0_49_a_persons_changes_leave_everybody_elses_servers_as_they_are(
    desk: Desk, steps: list[tuple[str, str, str]]
):
    tenant = await desk.house.tenant(f"t{len(desk.tenants):04}")
    desk.tenants.append(tenant)
    people = {name: await desk.house.person(tenant, name) for name in ("ann", "bob")}
    for name, verb, server in steps:
        other = people["bob" if name == "ann" else "ann"]
        before = await seen(desk, other)
        await act(desk, people[name], verb, server)
        assert await seen(desk, other) == before
        for who in people.values():
            for one in await seen(desk, who):
                assert one.headers == {"Key": f"secret of {who.user_id}"}
