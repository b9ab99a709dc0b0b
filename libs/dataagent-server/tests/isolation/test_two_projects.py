"""Two projects of one person: a list of one shows nothing of the other, and nothing mixes."""

import asyncio
import itertools
from collections.abc import Iterator

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from live_server import LiveServer
from persona import OWN, Persona, Step, begin, glances, steps_of

from tests.counts import examples

pytestmark = pytest.mark.every_database

LOOKING = ["sessions", "search", "messages", "events", "requests", "runs", "tools", "state",
           "executions", "memories", "recall", "stream"]  # fmt: skip
_numbers = itertools.count()

some = steps_of(OWN)
steps = st.lists(st.tuples(some, some | st.none()), min_size=1, max_size=5)


async def two_projects(live: LiveServer) -> tuple[Persona, Persona]:
    number = next(_numbers)
    tenant = await live.tenant(f"tenant{number:04}")
    ann = await live.person("ann", "member", tenant)
    projects = live.services.people.projects
    made = [await projects.create(ann.who, name) for name in ("One", "Two")]
    first, second = [
        Persona(live, ann, f"p{n}-{number:04}-", one.project_id) for n, one in enumerate(made)
    ]
    return first, second


@pytest.mark.requirement("S2-4.1-projects")
@pytest.mark.requirement("F4-isolation")
@pytest.mark.timeout(600)
@settings(max_examples=examples(40), phases=[Phase.explicit, Phase.reuse, Phase.generate])
@given(steps=steps, looks=glances(LOOKING))
async def test_what_happens_in_one_project_is_not_seen_in_another(
    live: LiveServer, turns: Iterator[int], steps: list[tuple[Step, Step | None]], looks: list[str]
):
    if (turn := next(turns, None)) is None:
        return
    (ours, theirs), (alone, _) = await two_projects(live), await two_projects(live)
    await begin(ours, theirs, alone)
    for mine, other in steps:
        beside = [theirs.do(other)] if other is not None else []
        seen, *_ = await asyncio.gather(ours.do(mine), *beside)
        assert seen == await alone.do(mine), mine
    looks = LOOKING if turn == 0 else looks
    assert await ours.view(looks) == await alone.view(looks)
