"""Kills the reading of episodes, with SIGKILL before and after each of its writes, then goes on.

Whatever the moment: every episode ends as synced, nothing is in the graph twice, and a model is not
asked again for what it has answered, unless the answer was not yet stored.
"""

import os
import signal
from pathlib import Path

import pytest

from tests.counts import rounds
from tests.kill.episode_victim import EPISODES, POINTS, SCOPE, bring_on, open_graph
from tests.warm.popen import WarmPopen

KILL_S_MAX = 120.0
# Where a state is in the making, and where it is just stored; the others in a soak.
SAMPLE = [
    ("extracted", "before"),
    ("extracted", "after"),
    ("linked", "before"),
    ("linked", "after"),
]
ALL = [(point, when) for point in POINTS for when in ("before", "after")]


async def _kill_and_go_on(folder: Path, point: str, when: str) -> None:
    command = ["episode_victim.py", str(folder), point, when]
    process = WarmPopen(command, env=dict(os.environ), cwd=Path.cwd())
    assert process.wait(KILL_S_MAX) == -signal.SIGKILL
    graph = open_graph(folder)
    await bring_on(graph)
    await bring_on(graph)
    episodes = await graph.list_episodes([SCOPE], limit=99)
    assert {one.id: one.state for one in episodes} == {f"e{n}": "synced" for n in range(EPISODES)}
    entities = await graph.list_entities([SCOPE], limit=99)
    assert [one.name for one in entities] == ["Ann", "Bea", "Cy"]
    relations = await graph.store.list_relations([SCOPE], [entities[1].id], limit=99)
    assert sorted(one.fact for one in relations) == ["Ann knows Bea", "Bea knows Cy"]
    assert [one.weight for one in relations] == [EPISODES] * 2
    mentions = await graph.store.find_mentions([SCOPE], [entities[0].id], 99)
    assert len(mentions) == EPISODES
    (community,) = await graph.list_communities([SCOPE])
    assert community.member_count == len(entities)
    asked = (folder / "asked").read_text().splitlines()
    lost = 1 if (point, when) == ("extracted", "before") else 0
    assert len(asked) == EPISODES + lost


@pytest.mark.requirement("F22-kill")
@pytest.mark.requirement("F22-3-states")
@pytest.mark.parametrize(("point", "when"), SAMPLE)
async def test_an_episode_killed_at_a_state_goes_on_and_nothing_is_doubled(
    tmp_path: Path, point: str, when: str
) -> None:
    await _kill_and_go_on(tmp_path, point, when)


@pytest.mark.slow
@pytest.mark.parametrize(("point", "when"), [one for one in ALL if one not in SAMPLE])
async def test_an_episode_killed_at_any_write_goes_on(
    tmp_path: Path, point: str, when: str
) -> None:
    for number in range(rounds(1, soak=20)):
        folder = tmp_path / str(number)
        folder.mkdir()
        await _kill_and_go_on(folder, point, when)
