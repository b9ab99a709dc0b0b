"""Two people of one tenant: a member's own things stay their own, whatever a colleague does.

As in `test_two_tenants.py`, `ours` is compared with somebody whose colleague does nothing. The
colleague uses what is theirs, and tries what is not.
"""

import asyncio
import itertools
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from live_server import LiveServer
from persona import HELD, NAMES, OWN, Persona, Step, begin, glances, steps_of

from dataagent_server.identity.auth.principal import Role
from tests.counts import examples

pytestmark = pytest.mark.every_database

LOOKING = ["sessions", "search", "messages", "events", "requests", "runs", "tools", "history", "state",
           "executions",
           "memories", "recall", "known", "check memory", "graph", "episodes", "entities",
           "usage", "budgets", "files", "workspaces", "keys", "mcp servers", "stream"]  # fmt: skip
# What the colleague tries with what is ours; to look is all that an admin does here.
READS = [
    "/sessions/{session}", "/sessions/{session}/messages", "/sessions/{session}/events",
    "/sessions/{session}/requests", "/sessions/{session}/runs",
    "/sessions/{session}/tool-executions", "/sessions/{session}/execution-status",
    "/sessions/{session}/state", "/agent/conversations/{session}/execution",
    "/workspaces/{workspace}", "/workspaces/{workspace}/files?path=/uploads",
    "/workspaces/{workspace}/files/content?path=/uploads/x.txt",
    "/workspaces/{workspace}/members", "/keys/{key}", "/keys?user_id={user}",
    "/usage?user_id={user}",
    "/runs?user_id={user}", "/sessions?user_id={user}", "/users/{user}",
    "/users/{user}/mcp-servers",
]  # fmt: skip
CHANGES: dict[str, Any] = {
    "POST /users/{user}/mcp-servers": {"name": "z", "url": "https://93.184.215.14/"},
    "PATCH /users/{user}/mcp-servers/x": {"url": "https://93.184.215.14/"},
    "DELETE /users/{user}/mcp-servers/x": None,
    "PATCH /sessions/{session}": {"title": "Mine"},
    "DELETE /sessions/{session}": None,
    "POST /chat": {"message": "hello", "session_id": "{session}"},
    "POST /agent/chat": {"message": "hello", "conversation_id": "{session}"},
    "POST /chat/{session}/cancel": None,
    "PATCH /workspaces/{workspace}": {"name": "Mine"},
    "DELETE /workspaces/{workspace}": None,
    "PUT /workspaces/{workspace}/files/content?path=/uploads/x.txt": None,
    "DELETE /workspaces/{workspace}/files?path=/uploads/x.txt": None,
    "DELETE /keys/{key}": None,
    "PATCH /users/{user}": {"display_name": "Mine"},
}
_numbers = itertools.count()

some = steps_of(OWN, HELD)
meddling = st.tuples(st.sampled_from([*READS, *CHANGES]), st.sampled_from(NAMES))
steps = st.lists(st.tuples(some, some | meddling | st.none()), min_size=1, max_size=5)
roles = st.sampled_from(["viewer", "member", "admin"])


@pytest.fixture
def examples_elsewhere() -> int:
    """A quarter of those on SQLite, as S0 51 is about the queries of each database."""
    return examples(25)


async def pair(live: LiveServer, role: Role) -> tuple[Persona, Persona]:
    number = next(_numbers)
    tenant = await live.tenant(f"tenant{number:04}")
    ours = await live.person("ann", "member", tenant)
    theirs = await live.person("bob", role, tenant)
    return Persona(live, ours, f"ann{number:04}-"), Persona(live, theirs, f"bob{number:04}-")


async def meddle(theirs: Persona, ours: Persona, what: str, name: str, role: Role) -> None:
    """Try something with what is not theirs."""
    ids = {
        "session": f"{ours.mark}{name}",
        "workspace": (await ours.raw("GET", "/workspaces/default")).json()["workspace_id"],
        "key": (await ours.raw("GET", "/keys")).json()["items"][0]["key_id"],
        "user": ours.caller.who.user_id,
    }
    method, path = ("GET", what) if what in READS else what.split(" ")
    if method != "GET" and role == "admin":
        return
    body = CHANGES.get(what)
    sent = body and {key: text.format(**ids) for key, text in body.items()}
    there = True
    if "{session}" in f"{what}{body}":
        there = (await ours.raw("GET", f"/sessions/{ids['session']}")).status_code == 200
    answer = await theirs.raw(method, path.format(**ids), json=sent)
    if role == "admin":
        assert answer.status_code in {200, 404}, what
    else:
        assert answer.status_code == (403 if there else 404), what


@pytest.mark.requirement("F4-isolation")
@pytest.mark.requirement("S0-51")
@pytest.mark.timeout(600)
@settings(max_examples=examples(100), phases=[Phase.explicit, Phase.reuse, Phase.generate])
@given(role=roles, steps=steps, looks=glances(LOOKING))
async def test_s0_51_a_colleague_changes_nothing_of_ours_and_sees_what_the_role_allows(
    live: LiveServer,
    turns: Iterator[int],
    role: Role,
    steps: list[tuple[Step, Step | tuple[str, str] | None]],
    looks: list[str],
):
    if (turn := next(turns, None)) is None:
        return
    (ours, theirs), (alone, _) = await pair(live, role), await pair(live, role)
    await begin(ours, alone)
    for mine, other in steps:
        match other:
            case None:
                seen = await ours.do(mine)
            case Step():
                seen, _ = await asyncio.gather(ours.do(mine), theirs.do(other))
            case what, name:
                seen = await ours.do(mine)
                await meddle(theirs, ours, what, name, role)
        assert seen == await alone.do(mine), mine
    looks = LOOKING if turn == 0 else looks
    assert await ours.view(looks) == await alone.view(looks)
    await assert_lists(ours, theirs, role)


async def assert_lists(ours: Persona, theirs: Persona, role: Role) -> None:
    """Everybody's list is their own; everybody's together is for admins."""
    mine, others = await listed(ours), await listed(theirs)
    assert mine is not None
    assert others is not None
    assert all(one.startswith(ours.mark) for one in mine)
    assert all(one.startswith(theirs.mark) for one in others)
    assert await listed(ours, "?everyone=true") is None
    together = await listed(theirs, "?everyone=true")
    assert together == (mine | others if role == "admin" else None)
    asked = await listed(theirs, f"?user_id={ours.caller.who.user_id}")
    assert asked == (mine if role == "admin" else None)


async def listed(who: Persona, query: str = "") -> set[str] | None:
    answer = await who.raw("GET", f"/sessions{query}")
    if answer.status_code == 403:
        return None
    return {one["session_id"] for one in answer.json()["items"]}
