"""What `MemoryService` does over every `MemoryStore`: S3's properties 9 to 12, and S0's 54."""

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Final

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from dataagent_core.errors import NotFoundError, ValidationError
from dataagent_core.ids import new_id
from dataagent_core.memory.memory import Memory, MemoryMetadata, MemoryScope, MemoryType
from dataagent_core.memory.memory_results import MemoryOwner, MemoryQueryOptions
from dataagent_core.memory.memory_service import MemoryService
from dataagent_core.memory.memory_store import MemoryStore
from dataagent_core.models.embeddings import Embedder
from dataagent_core.testing.conformance.examples import shared_store_examples
from dataagent_core.testing.conformance.memory import TENANT
from dataagent_core.testing.strategies import text

DAY: Final = timedelta(days=1)
_WORDS: Final = (
    "tea coffee Berlin Paris deadline editor postgres invoice garden piano train holiday 咖啡 北京 "
    "编辑器 数据库 发票 钢琴 火车 假期"
)
_TYPES: Final[tuple[MemoryType, ...]] = ("fact", "preference", "decision", "context")


@dataclass
class Clock:
    """A clock that is set."""

    now: datetime = datetime(2026, 3, 1, 12, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now


@dataclass
class ServiceWorld:
    """A service, its time, and people that no other example knows."""

    service: MemoryService
    clock: Clock
    tenant_id: str = TENANT
    people: list[str] = field(default_factory=lambda: [f"u{new_id()[:12]}" for _ in range(2)])

    def scope(self, person: int, kind: int) -> MemoryScope:
        """Give one of four scopes of a person."""
        user = self.people[person]
        return (
            MemoryScope.of_user(self.tenant_id, user, "helper"),
            MemoryScope.of_user(self.tenant_id, user, "other"),
            MemoryScope.of_project(self.tenant_id, user, "helper", "p1"),
            MemoryScope.of_organisation(self.tenant_id, user),
        )[kind]

    def owner(self, person: int) -> MemoryOwner:
        """Give a person as the owner of memories."""
        return MemoryOwner(tenant_id=self.tenant_id, user_id=self.people[person])


def make_world(store: MemoryStore, embedder: Embedder | None = None) -> ServiceWorld:
    """Make a service over a store, with a clock of its own."""
    clock = Clock()
    return ServiceWorld(MemoryService(store, embedder=embedder, clock=clock), clock)


def sentences() -> st.SearchStrategy[str]:
    """Draw texts of words that a search knows."""
    words = st.lists(st.sampled_from(_WORDS.split()), min_size=2, max_size=6, unique=True)
    return words.map(" ".join)


def places() -> st.SearchStrategy[tuple[int, int]]:
    """Draw a person and one of their scopes."""
    return st.tuples(st.integers(0, 1), st.integers(0, 3))


class MemoryServiceConformance:
    """Give a fixture `memory_store`, of the tenant `TENANT`."""

    @pytest.mark.requirement("S3-9")
    @shared_store_examples
    @given(content=text(), kind=st.sampled_from(_TYPES), confidence=st.floats(0, 1))
    async def test_what_was_added_is_read_back_equal(
        self, memory_store: MemoryStore, content: str, kind: MemoryType, confidence: float
    ) -> None:
        world = make_world(memory_store)
        metadata = MemoryMetadata(
            scope=world.scope(0, 0),
            type=kind,
            confidence=confidence,
            expires_at=world.clock.now + DAY,
        )
        try:
            added = await world.service.add(content, metadata)
        except ValidationError:
            assume(condition=False)  # empty, no characters, or what looks like a secret
            return
        read = await world.service.get(added.id, world.owner(0))
        assert read == added
        assert (read.content, read.type, read.confidence) == (content, kind, confidence)
        assert (read.scope, read.expires_at) == (metadata.scope, metadata.expires_at)

    @pytest.mark.requirement("S3-10")
    @shared_store_examples
    @given(content=sentences(), one=places(), other=places())
    async def test_a_scope_does_not_see_what_is_in_another(
        self,
        memory_store: MemoryStore,
        content: str,
        one: tuple[int, int],
        other: tuple[int, int],
    ) -> None:
        assume(one != other)
        world = make_world(memory_store)
        added = await world.service.add(content, MemoryMetadata(scope=world.scope(*one)))
        here = await world.service.search(content, world.scope(*one))
        there = await world.service.search(content, world.scope(*other))
        assert [found.memory.id for found in here] == [added.id]
        assert there == []

    @pytest.mark.requirement("S3-11")
    @shared_store_examples
    @given(
        contents=st.lists(sentences(), min_size=1, max_size=8),
        query=sentences(),
        limit=st.integers(1, 8),
    )
    async def test_results_are_sorted_by_their_score(
        self, memory_store: MemoryStore, contents: list[str], query: str, limit: int
    ) -> None:
        world = make_world(memory_store)
        for content in contents:
            await world.service.add(content, MemoryMetadata(scope=world.scope(0, 0)))
        found = await world.service.search(query, world.scope(0, 0), limit)
        scores = [one.score for one in found]
        assert scores == sorted(scores, reverse=True)
        assert len({one.memory.id for one in found}) == len(found) <= limit

    @pytest.mark.requirement("S3-12")
    @shared_store_examples
    @given(
        expiries=st.lists(st.none() | st.integers(1, 9), min_size=1, max_size=6),
        days=st.integers(0, 10),
        scoped=st.booleans(),
    )
    async def test_what_has_expired_is_gone_after_a_cleanup(
        self, memory_store: MemoryStore, expiries: list[int | None], days: int, *, scoped: bool
    ) -> None:
        world = make_world(memory_store)
        scope = world.scope(0, 0)
        added: list[tuple[Memory, bool]] = []
        for number, expiry in enumerate(expiries):
            expires_at = None if expiry is None else world.clock.now + expiry * DAY
            content = f"Invoice {number} is paid"
            metadata = MemoryMetadata(scope=scope, expires_at=expires_at)
            has_expired = expiry is not None and expiry <= days
            added.append((await world.service.add(content, metadata), has_expired))
        world.clock.now += days * DAY
        # Before the cleanup too, nothing that has expired is found.
        found = await world.service.search("invoice paid", scope, limit=50)
        assert {one.memory.id for one in found} == {one.id for one, is_over in added if not is_over}
        removed = await world.service.cleanup(scope if scoped else None, world.clock.now)
        assert removed >= sum(is_over for _, is_over in added)
        for memory, is_over in added:
            if is_over:
                with pytest.raises(NotFoundError):
                    await world.service.get(memory.id, world.owner(0))
            else:
                assert (await world.service.get(memory.id, world.owner(0))).id == memory.id

    @pytest.mark.requirement("S0-54")
    @shared_store_examples
    @given(
        steps=st.lists(
            st.tuples(st.sampled_from(("add", "delete", "wrong", "update")), places(), sentences()),
            min_size=1,
            max_size=8,
        )
    )
    async def test_each_person_has_their_own_memories_alone(
        self, memory_store: MemoryStore, steps: list[tuple[str, tuple[int, int], str]]
    ) -> None:
        world = make_world(memory_store)
        service = world.service
        for action, place, content in steps:
            owner, stranger = world.owner(place[0]), world.owner(1 - place[0])
            known = await service.get_by_user(owner)
            before = await service.get_by_user(stranger, MemoryQueryOptions(with_past=True))
            if action == "add" or not known:
                await service.add(content, MemoryMetadata(scope=world.scope(*place)))
            elif action == "delete":
                await service.delete(known[0].id, owner)
            elif action == "wrong":
                await service.mark_wrong(known[0].id, owner)
            else:
                await service.update(known[0].id, owner, known[0].version, content=content)
            after = await service.get_by_user(stranger, MemoryQueryOptions(with_past=True))
            assert after == before
            for memory in await service.get_by_user(owner, MemoryQueryOptions(with_past=True)):
                assert memory.scope.user_id == owner.user_id
                for refused in (service.get, service.delete, service.mark_wrong):
                    with pytest.raises(NotFoundError):
                        await refused(memory.id, stranger)
