"""What is remembered goes with its person and its project; the chores go on after a crash."""

from datetime import timedelta
from typing import Final

import pytest
from installation import Installation

from dataagent_core.memory.graph.graph_service import NewEpisode
from dataagent_core.memory.memory import MemoryMetadata, MemoryScope, MemorySource
from dataagent_core.memory.memory_results import MemoryOwner, MemoryQueryOptions
from dataagent_server.agents.memory.tenant_memory import TenantMemory
from dataagent_server.common.ids import TenantId
from dataagent_server.composition.memory import MemoryServices
from dataagent_server.identity.auth.principal import operator

pytestmark = pytest.mark.every_database

ALL: Final = MemoryQueryOptions(with_past=True, limit=100)
SAID: Final = "Alice Miller works at Acme Corporation."


async def remember(memory: TenantMemory, scope: MemoryScope, content: str) -> None:
    await memory.service.add(content, MemoryMetadata(scope=scope))
    assert memory.graph is not None
    source = MemorySource(kind="conversation", session_id="s", run_id="r", seq_first=1, seq_last=1)
    await memory.graph.add_episode(NewEpisode(scope=scope, content=SAID, source=source))


async def contents(memory: TenantMemory, user_id: str) -> list[str]:
    owner = MemoryOwner(tenant_id=memory.tenant_id, user_id=user_id)
    return sorted(one.content for one in await memory.service.get_by_user(owner, ALL))


async def episodes(memory: TenantMemory, user_id: str) -> int:
    scopes = await memory.graph_store.list_scopes(user_id)
    return len(await memory.graph_store.list_episodes(scopes, limit=100))


async def test_who_leaves_is_forgotten_and_nobody_else_is(
    installation: Installation, memory: MemoryServices
):
    ours = await installation.tenant("ours")
    ann, bob = [await installation.person(ours, name) for name in ("ann", "bob")]
    tenant = memory.memory_of(ours)
    for who in (ann, bob):
        await remember(tenant, MemoryScope.of_user(ours, who.user_id, "default"), "I keep hens.")
        await remember(tenant, MemoryScope.of_organisation(ours, who.user_id), "I like tea.")
    await memory.remover.remove_orphans()
    assert len(await contents(tenant, ann.user_id)) == 2
    # As after a crash, or by the operator's command: nobody has told the remover.
    await installation.people.members.remove(operator(ours), ann.user_id)
    await memory.remover.remove_orphans()
    assert await contents(tenant, ann.user_id) == []
    assert await episodes(tenant, ann.user_id) == 0
    assert sum((await tenant.store.scan("I keep hens.", ann.user_id)).values()) == 0
    assert await contents(tenant, bob.user_id) == ["I keep hens.", "I like tea."]
    assert await episodes(tenant, bob.user_id) == 2


async def test_a_deleted_project_takes_along_what_was_remembered_in_it(
    installation: Installation, memory: MemoryServices
):
    ours = await installation.tenant("ours")
    ann, bob = [await installation.person(ours, name) for name in ("ann", "bob")]
    tenant = memory.memory_of(ours)
    projects = installation.people.projects
    kept, gone = [await projects.create(ann, name) for name in ("Kept", "Gone")]
    for who in (ann, bob):
        for project in (kept, gone):
            scope = MemoryScope.of_project(ours, who.user_id, "default", project.project_id)
            await remember(tenant, scope, f"The project {project.name} uses the euro.")
        await remember(tenant, MemoryScope.of_user(ours, who.user_id, "default"), "I like tea.")
    await projects.delete(ann, gone.project_id)
    await memory.remover.remove_project(ours, gone.project_id)
    for who in (ann, bob):
        assert await contents(tenant, who.user_id) == [
            "I like tea.",
            "The project Kept uses the euro.",
        ]
        assert await episodes(tenant, who.user_id) == 2
    # The same by the chore, which finds what nobody has told the remover.
    await projects.delete(ann, kept.project_id)
    await memory.remover.remove_orphans()
    assert await contents(tenant, bob.user_id) == ["I like tea."]


async def test_episodes_that_wait_are_read_for_every_tenant(
    installation: Installation, memory: MemoryServices
):
    tenants = [await installation.tenant(name) for name in ("ours", "theirs")]
    for tenant_id in tenants:
        scope = MemoryScope.of_user(tenant_id, "ann", "default")
        await remember(memory.memory_of(tenant_id), scope, "I like tea.")
    await memory.upkeep.process_episodes()
    for tenant_id in tenants:
        tenant = memory.memory_of(tenant_id)
        scopes = await tenant.graph_store.list_scopes("ann")
        (episode,) = await tenant.graph_store.list_episodes(scopes, limit=10)
        assert episode.state == "synced"
        names = {one.name for one in await tenant.graph_store.list_entities(scopes, limit=10)}
        assert "Acme Corporation" in names


async def test_the_work_of_the_night_is_done_once_among_processes(
    installation: Installation, memory: MemoryServices
):
    ours = await installation.tenant("ours")
    tenant = memory.memory_of(ours)
    scope = MemoryScope.of_user(ours, "ann", "default")
    now = memory.upkeep.clock()
    over = now - timedelta(days=1)

    async def add_expired() -> None:
        await tenant.service.add(
            "The code of the day is blue.", MemoryMetadata(scope=scope, expires_at=over)
        )

    await add_expired()
    await memory.upkeep.tidy()
    assert await contents(tenant, "ann") == []
    await add_expired()
    # Another process, or the same again: the night's work is done.
    await memory.upkeep.tidy()
    assert len(await contents(tenant, "ann")) == 1


async def test_what_has_no_vector_is_embedded_by_the_chore(
    installation: Installation, memory: MemoryServices
):
    ours = await installation.tenant("ours")
    tenant = memory.memory_of(ours)
    scope = MemoryScope.of_user(ours, "ann", "default")
    await tenant.service.add("I keep bees.", MemoryMetadata(scope=scope))
    name = "another embedder"
    assert len(await tenant.store.list_unembedded(name, 10)) == 1
    await memory.upkeep.reembed()
    assert await tenant.store.list_unembedded(memory.upkeep.embedder.name, 10) == []


def test_tenants_have_memories_of_their_own(memory: MemoryServices):
    one, two = (memory.memory_of(TenantId(name)) for name in ("one", "two"))
    assert one is memory.memory_of(TenantId("one"))
    assert one.store is not two.store
