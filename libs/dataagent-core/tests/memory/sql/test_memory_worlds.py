"""Two tenants and two people with random operations never see each other's memories."""

import itertools
from pathlib import Path

import pytest
from hypothesis import given

from dataagent_core.memory.sql.memory_file import MemoryFile
from dataagent_core.memory.sql.store.sql_memory_store import SqlMemoryStore
from dataagent_core.testing.conformance.memory_world import (
    MemoryStep,
    MemoryWorld,
    memory_steps,
)

_numbers = itertools.count()


@pytest.mark.requirement("S0-54")
@pytest.mark.requirement("S3-9")
@pytest.mark.requirement("S3-10")
@pytest.mark.requirement("S3-11")
@pytest.mark.requirement("F22-isolation")
@pytest.mark.requirement("F22-bad-clock")
@given(steps=memory_steps)
async def test_everybody_sees_what_is_theirs_and_holds(
    tmp_path: Path, steps: list[MemoryStep]
) -> None:
    path = tmp_path / f"{next(_numbers)}.db"
    # Each tenant has a connection of its own to the same file, as another process would.
    world = MemoryWorld.begin(lambda tenant_id: SqlMemoryStore(MemoryFile(path), tenant_id), "t-")
    for step in steps:
        await world.do(step)
        await world.look(step)
    await world.check()
