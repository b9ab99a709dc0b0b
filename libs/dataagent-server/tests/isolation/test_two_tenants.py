"""Two tenants at work at once: each sees exactly what somebody sees who is alone.

The same things are done by `ours`, while `theirs` does something else beside, and by `alone`, whose
tenant is left in peace. Whatever could be seen, counted or guessed of `theirs` would make the two
differ. All three choose the same ids and names.
"""

import asyncio
from collections.abc import Iterator

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from live_server import LiveServer
from persona import COMMON, HELD, OWN, Persona, Step, begin, glances, new_secret, steps_of

from tests.counts import examples

pytestmark = pytest.mark.every_database

LOOKING = ["sessions", "search", "messages", "events", "requests", "runs", "tools", "history", "state",
           "executions",
           "usage", "budgets",
           "files", "workspaces", "keys", "projects", "agents", "subagents", "activities", "agent config",
           "credentials", "members",
           "skills", "match skills", "skill config", "compositions", "patterns", "offers", "offers made",
           "data sources", "data results", "data model", "questions", "reports",
           "memories", "recall", "known", "check memory", "graph", "episodes", "entities",
           "mcp servers", "mcp policy", "tenant", "stream"]  # fmt: skip
some = steps_of(OWN, HELD, COMMON)
steps = st.lists(st.tuples(some, some | st.none()), min_size=1, max_size=5)


async def persona(live: LiveServer) -> Persona:
    secret = new_secret()
    tenant = await live.tenant(secret)
    return Persona(live, await live.person("boss", "owner", tenant), secret=secret)


@pytest.mark.requirement("S2-B-tenants")
@pytest.mark.requirement("F4-isolation")
@pytest.mark.timeout(600)
@settings(max_examples=examples(40), phases=[Phase.explicit, Phase.reuse, Phase.generate])
@given(steps=steps, looks=glances(LOOKING))
async def test_what_one_tenant_does_leaves_no_trace_for_another(
    live: LiveServer, turns: Iterator[int], steps: list[tuple[Step, Step | None]], looks: list[str]
):
    if (turn := next(turns, None)) is None:
        return
    ours, theirs, alone = [await persona(live) for _ in range(3)]
    await begin(ours, theirs, alone)
    for mine, other in steps:
        beside = [theirs.do(other)] if other is not None else []
        seen, *_ = await asyncio.gather(ours.do(mine), *beside)
        assert seen == await alone.do(mine), mine
    looks = LOOKING if turn == 0 else looks
    assert await ours.view(looks) == await alone.view(looks)
