"""What is remembered goes with its person and its project; the chores go on after a crash."""

import asyncio
from array import array
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

import pytest
from installation import Installation
from sqlalchemy import Connection, func, select

from dataagent_core.config.paths import AGENT_FILE, user_home
from dataagent_core.errors import StorageError
from dataagent_core.memory.graph.graph_service import NewEpisode
from dataagent_core.memory.graph.sql.sql_graph_store import SqlGraphStore
from dataagent_core.memory.memory import Memory, MemoryMetadata, MemoryScope, MemorySource
from dataagent_core.memory.memory_results import MemoryOwner, MemoryQueryOptions
from dataagent_core.memory.memory_service import MemoryService
from dataagent_core.memory.memory_store import MemoryFilter
from dataagent_core.memory.sql.memory_file import MemoryFile
from dataagent_core.memory.sql.store.sql_memory_store import SqlMemoryStore
from dataagent_core.models.embeddings import Vector
from dataagent_core.testing.conformance.graph import make_entry, make_episode
from dataagent_server.agents.memory.memory_store import ServerMemoryDatabase
from dataagent_server.agents.memory.tenant_memory import TenantMemory
from dataagent_server.common.ids import DEFAULT_TENANT, TenantId
from dataagent_server.composition.memory import MemoryServices
from dataagent_server.db.tables.memory import memory_tables
from dataagent_server.identity.auth.principal import operator


class RenamedEmbedder:
    """An embedder that the settings did not name before."""

    name = "another embedder"

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        return [array("f", [1.0, 0.0]) for _ in texts]


class GraphElsewhere(SqlGraphStore):
    """A graph in a database of its own, as in Neo4j: no table of memories knows its scopes."""

    def __init__(self, path: Path, tenant_id: TenantId, people: Sequence[str]) -> None:
        super().__init__(MemoryFile(path), tenant_id)
        self._people = people

    async def list_own_scopes(self, project_id: str | None = None) -> list[MemoryScope]:
        known = [scope for user_id in self._people for scope in await self.list_scopes(user_id)]
        return [scope for scope in known if project_id in {None, scope.project_id}]


class FaultyStore(SqlMemoryStore):
    """The memories of a tenant of which those of one person cannot be read."""

    def __init__(self, database: ServerMemoryDatabase, tenant_id: TenantId, user_id: str) -> None:
        super().__init__(database, tenant_id)
        self._faulty = user_id
        self.read: list[str] = []
        self.error: BaseException | None = StorageError("The page is broken.")

    async def list_page(
        self, wanted: MemoryFilter, now: datetime, *, limit: int, after: str | None = None
    ) -> list[Memory]:
        if wanted.user_id == self._faulty and self.error is not None:
            raise self.error
        self.read.append(wanted.user_id)
        return await super().list_page(wanted, now, limit=limit, after=after)


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


async def test_the_notes_of_who_leaves_go_and_those_of_others_stay(
    installation: Installation, memory: MemoryServices, tmp_path: Path
):
    ours = await installation.tenant("ours")
    notes = [user_home(tmp_path, ours, name) / "agents/one" / AGENT_FILE for name in ("ann", "bob")]
    for path in notes:
        path.parent.mkdir(parents=True)
        path.write_text("I keep hens.")
    await memory.remover.remove_person(ours, "ann")
    # Of somebody without notes there is nothing to remove.
    await memory.remover.remove_person(ours, "ann")
    assert [path for path in notes if path.exists()] == notes[1:]


async def test_a_graph_elsewhere_goes_with_its_person_and_project(
    installation: Installation, memory: MemoryServices, tmp_path: Path
):
    ours = await installation.tenant("ours")
    ann, bob = [await installation.person(ours, name) for name in ("ann", "bob")]
    kept, gone = [await installation.people.projects.create(bob, name) for name in ("K", "G")]
    store = GraphElsewhere(tmp_path / "graph.db", ours, [ann.user_id, bob.user_id])
    scopes = [
        MemoryScope.of_user(ours, ann.user_id, "default"),
        MemoryScope.of_user(ours, bob.user_id, "default"),
        MemoryScope.of_project(ours, bob.user_id, "default", kept.project_id),
        MemoryScope.of_project(ours, bob.user_id, "default", gone.project_id),
    ]
    for number, scope in enumerate(scopes):
        await store.add_episode(make_episode(number, scope=scope), make_entry("ada"))

    def memory_of(tenant_id: TenantId) -> TenantMemory:
        known = memory.memory_of(tenant_id)
        return replace(known, graph_store=store) if tenant_id == ours else known

    remover = replace(memory.remover, memory_of=memory_of)
    await remover.remove_orphans()
    assert len(await store.list_episodes(scopes, limit=9)) == len(scopes)
    # As after a crash: nobody has told the remover.
    await installation.people.members.remove(operator(ours), ann.user_id)
    await installation.people.projects.delete(bob, gone.project_id)
    await remover.remove_orphans()
    left = await store.list_episodes(scopes, limit=9)
    assert {one.scope for one in left} == {scopes[1], scopes[2]}


async def test_a_graph_elsewhere_is_embedded_also_where_nothing_else_is_remembered(
    installation: Installation, memory: MemoryServices, tmp_path: Path
):
    ours = await installation.tenant("ours")
    store = GraphElsewhere(tmp_path / "graph.db", ours, [])
    scope = MemoryScope.of_user(ours, "ann", "default")
    await store.add_episode(make_episode(scope=scope), make_entry("ada"))

    def memory_of(tenant_id: TenantId) -> TenantMemory:
        known = memory.memory_of(tenant_id)
        return replace(known, graph_store=store) if tenant_id == ours else known

    other = RenamedEmbedder()
    upkeep = replace(memory.upkeep, memory_of=memory_of, embedder=other, is_graph_here=False)
    assert len(await store.list_unembedded(other.name, 9)) == 1
    await upkeep.reembed()
    assert await store.list_unembedded(other.name, 9) == []


async def remembered_in(installation: Installation, project_id: str) -> dict[str, int]:
    """Count what is remembered in a project, by table."""
    scopes = memory_tables["memory_scopes"].c
    numbers = select(scopes.number).where(scopes.project_id == project_id)
    # The counts of an index stay, at zero: caches compare its revisions.
    tables = [
        table
        for table in memory_tables.values()
        if "scope_no" in table.c and table.name != "memory_indexes"
    ]

    def count(connection: Connection) -> dict[str, int]:
        found: dict[str, int] = {}
        for table in tables:
            rows = select(func.count()).select_from(table).where(table.c.scope_no.in_(numbers))
            if many := connection.execute(rows).scalar_one():
                found[table.name] = many
        return found

    return await installation.database.read(count)


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
    assert tenant.graph is not None
    await tenant.graph.process_pending()
    assert len(await remembered_in(installation, gone.project_id)) > 5
    await projects.delete(ann, gone.project_id)
    await memory.remover.remove_project(ours, gone.project_id)
    assert await remembered_in(installation, gone.project_id) == {}
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


async def test_an_episode_that_failed_waits_before_it_is_tried_again(
    installation: Installation, memory: MemoryServices
):
    ours = await installation.tenant("ours")
    tenant = memory.memory_of(ours)
    assert tenant.graph is not None
    scope = MemoryScope.of_user(ours, "ann", "default")
    await remember(tenant, scope, "I like tea.")
    (failed,) = await tenant.graph_store.find_unfinished(9)
    now = memory.upkeep.clock()
    await tenant.graph_store.save_episode(replace(failed, attempts=1, updated_at=now))
    # A fresh one of the same person is read, and the other one is not read with it.
    await remember(tenant, scope, "I like coffee.")
    await memory.upkeep.process_episodes()
    (waiting,) = await tenant.graph_store.find_unfinished(9)
    assert (waiting.id, waiting.attempts) == (failed.id, 1)
    # As a server with its graph elsewhere asks.
    elsewhere = replace(memory.upkeep, is_graph_here=False)
    await elsewhere.process_episodes()
    assert await tenant.graph_store.find_unfinished(9) == [waiting]
    long_ago = now - timedelta(hours=1)
    await tenant.graph_store.save_episode(replace(waiting, updated_at=long_ago))
    await elsewhere.process_episodes()
    assert await tenant.graph_store.find_unfinished(9) == []


async def test_episodes_of_a_suspended_tenant_wait(
    installation: Installation, memory: MemoryServices
):
    ours = await installation.tenant("ours")
    tenant = memory.memory_of(ours)
    await remember(tenant, MemoryScope.of_user(ours, "ann", "default"), "I like tea.")
    tenants = installation.people.tenants
    await tenants.change(operator(DEFAULT_TENANT), ours, is_active=False)
    await memory.upkeep.process_episodes()
    assert len(await tenant.graph_store.find_unfinished(9)) == 1
    await tenants.change(operator(DEFAULT_TENANT), ours, is_active=True)
    await memory.upkeep.process_episodes()
    assert await tenant.graph_store.find_unfinished(9) == []


async def test_the_night_goes_on_after_a_fault_and_after_a_crash(
    installation: Installation, memory: MemoryServices
):
    ours = await installation.tenant("ours")
    for name in ("ann", "bob"):
        await remember(
            memory.memory_of(ours), MemoryScope.of_user(ours, name, "default"), "I like tea."
        )
    store = FaultyStore(ServerMemoryDatabase(installation.database), ours, "ann")
    found = replace(memory.memory_of(ours), store=store, service=MemoryService(store))
    now = datetime(2026, 11, 15, 12, tzinfo=UTC)

    def memory_of(_: TenantId) -> TenantMemory:
        return found

    upkeep = replace(memory.upkeep, memory_of=memory_of, clock=lambda: now)
    # The process dies in the middle.
    store.error = asyncio.CancelledError()
    with pytest.raises(asyncio.CancelledError):
        await upkeep.tidy()
    await upkeep.tidy()
    assert store.read == []
    # Another one takes the work over soon; what one person's memories lack, another's have.
    store.error = StorageError("The page is broken.")
    soon = replace(upkeep, clock=lambda: now + timedelta(minutes=11))
    await soon.tidy()
    assert store.read == ["bob"]
    # It is done for this night.
    later = replace(upkeep, clock=lambda: now + timedelta(hours=1))
    await later.tidy()
    assert store.read == ["bob"]


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
    other = RenamedEmbedder()
    assert len(await tenant.store.list_unembedded(other.name, 10)) == 1
    await replace(memory.upkeep, embedder=other).reembed()
    assert await tenant.store.list_unembedded(other.name, 10) == []


def test_tenants_have_memories_of_their_own(memory: MemoryServices):
    one, two = (memory.memory_of(TenantId(name)) for name in ("one", "two"))
    assert one is memory.memory_of(TenantId("one"))
    assert one.store is not two.store
