"""S3's properties 9 to 12 and S0's 54 on the server's databases, and through its rights."""

import itertools
from collections.abc import Callable, Coroutine
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from installation import Installation

from dataagent_core.errors import NotFoundError
from dataagent_core.memory.memory_results import MemoryQueryOptions
from dataagent_core.memory.memory_store import MemoryStore
from dataagent_core.testing.conformance import MemoryServiceConformance
from dataagent_core.testing.conformance.memory import TENANT
from dataagent_server.agents.memory.audited_writes import AuditedMemoryDatabase
from dataagent_server.agents.memory.memory_record import (
    MemoryChange,
    MemorySearch,
    NewMemory,
    ScopeChoice,
)
from dataagent_server.agents.memory.memory_store import open_memory_store
from dataagent_server.common.ids import TenantId
from dataagent_server.composition.memory import MemoryServices
from dataagent_server.db.database import Database
from dataagent_server.identity.auth.principal import Principal
from tests.counts import examples

pytestmark = pytest.mark.every_database

WORDS: Final = ("tea", "piano", "invoice", "garden", "咖啡", "数据库")
ALL: Final = MemoryQueryOptions(with_past=True, limit=100)
_numbers = itertools.count()
steps = st.lists(
    st.tuples(
        st.sampled_from(("add", "change", "wrong", "forget")),
        st.integers(0, 3),
        st.sampled_from(WORDS),
    ),
    min_size=2,
    max_size=8,
)


class TestMemoryService(MemoryServiceConformance):
    @pytest.fixture
    def memory_store(self, database: Database) -> MemoryStore:
        return open_memory_store(AuditedMemoryDatabase(database), TenantId(TENANT))


@pytest.fixture
async def make_people(installation: Installation) -> Callable[[], list[Principal]]:
    """Make a member, a colleague, their owner, and a stranger of another tenant."""
    for name in ("ours", "theirs"):
        await installation.tenant(name)

    def make() -> list[Principal]:
        number = next(_numbers)
        ours, theirs = TenantId("ours"), TenantId("theirs")
        return [
            Principal(ours, f"ann{number}", "member"),
            Principal(ours, f"bob{number}", "admin"),
            Principal(ours, f"boss{number}", "owner"),
            # The same person, in another tenant.
            Principal(theirs, f"ann{number}", "owner"),
        ]

    return make


@pytest.mark.requirement("S0-54")
@pytest.mark.requirement("S3-10")
@pytest.mark.requirement("F22-isolation")
@settings(max_examples=examples(40))
@given(steps=steps)
async def test_s0_54_each_person_has_their_own_memories_whatever_the_others_do(
    memory: MemoryServices,
    make_people: Callable[[], list[Principal]],
    steps: list[tuple[str, int, str]],
):
    personal = memory.personal
    people = make_people()
    for number, (action, whose, word) in enumerate(steps):
        who, others = people[whose], people[:whose] + people[whose + 1 :]
        before = [(await personal.list(one, ALL)).items for one in others]
        mine = (await personal.list(who, ALL)).items
        if action == "add" or not mine:
            await personal.add(who, NewMemory(content=f"The {word} number {number} is mine"))
        elif action == "change":
            change = MemoryChange(
                version=mine[0].version,
                given=frozenset({"content"}),
                content=f"The {word} number {number} is other",
            )
            await personal.change(who, mine[0].id, change)
        elif action == "wrong":
            await personal.mark_wrong(who, mine[0].id, version=None, correction="")
        else:
            await personal.forget(who, mine[0].id)
        assert [(await personal.list(one, ALL)).items for one in others] == before
        for known in (await personal.list(who, ALL)).items:
            assert (known.scope.tenant_id, known.scope.user_id) == (who.tenant_id, who.user_id)
            for other in others:
                await refuses(
                    personal.show(other, known.id),
                    personal.forget(other, known.id),
                    personal.mark_wrong(other, known.id, version=None, correction=""),
                )
        found = await personal.search(who, MemorySearch(query=word, where=ScopeChoice()))
        assert {one.memory.scope.user_id for one in found.found.results} <= {who.user_id}
        assert {one.memory.scope.tenant_id for one in found.found.results} <= {who.tenant_id}


async def refuses(*calls: Coroutine[Any, Any, object]) -> None:
    for call in calls:
        with pytest.raises(NotFoundError):
            await call
