"""Two tenants with two people each, who do random things with memories, beside a plain model.

Everybody sees exactly what the model says: their own memories that hold, in the scopes they name,
whatever the others do with the same names and however the clock jumps.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Final, Literal

from hypothesis import strategies as st

from dataagent_core.errors import ConflictError
from dataagent_core.memory.memory import Memory, MemoryScope
from dataagent_core.memory.memory_store import MemoryFilter, MemoryStore
from dataagent_core.memory.search_index import (
    DocumentKey,
    IndexEntry,
    Match,
    MeaningQuery,
    SearchedTime,
)
from dataagent_core.models.embeddings.embedder import make_unit
from dataagent_core.testing.conformance.memory import NOW, make_memory

Verb = Literal[
    "add", "rewrite", "close", "expire", "retire", "remove", "leave", "jump", "embed", "use"
]
_TENANTS: Final = ("one", "two")
_USERS: Final = ("ada", "eve")
_NAMES: Final = ("m0", "m1", "m2", "m3")
_WORDS: Final = ("ulm", "bonn", "收入")
# The vector of each word: two of them are near to each other.
_VECTORS: Final = {"ulm": (1.0, 0.0), "bonn": (1.0, 1.0), "收入": (-1.0, 0.2)}
_EMBEDDERS: Final = ("first", "second")


@dataclass(frozen=True, slots=True)
class MemoryStep:
    """What somebody does."""

    verb: Verb
    tenant: str
    user: str
    # 0: with the assistant, 1: in a project, 2: everywhere.
    scope: int
    name: str
    word: str
    hours: int


memory_steps = st.lists(
    st.builds(
        MemoryStep,
        # More often than all else: without memories nothing happens.
        verb=st.just("add") | st.sampled_from(Verb.__args__),
        tenant=st.sampled_from(_TENANTS),
        user=st.sampled_from(_USERS),
        scope=st.integers(0, 2),
        name=st.sampled_from(_NAMES),
        word=st.sampled_from(_WORDS),
        hours=st.integers(-30, 30),
    ),
    min_size=1,
    max_size=12,
)


@dataclass(slots=True)
class _Known:
    memory: Memory
    word: str
    embedder: str


@dataclass(slots=True)
class MemoryWorld:
    """The stores of two tenants, by the names that `open_store` is given, and the model of them."""

    stores: dict[str, MemoryStore]
    tenant_ids: dict[str, str]
    now: datetime = NOW
    known: dict[tuple[str, str], _Known] = field(default_factory=dict[tuple[str, str], _Known])

    @classmethod
    def begin(cls, open_store: Callable[[str], MemoryStore], prefix: str) -> "MemoryWorld":
        """Open the stores of two new tenants."""
        tenant_ids = {name: f"{prefix}{name}" for name in _TENANTS}
        return cls({name: open_store(tenant_ids[name]) for name in _TENANTS}, tenant_ids)

    async def do(self, step: MemoryStep) -> None:
        """Take a step in the store and in the model."""
        store, key = self.stores[step.tenant], (step.tenant, step.name)
        known, then = self.known.get(key), self.now + timedelta(hours=step.hours)
        match step.verb:
            case "add":
                await self._add(step)
            case "jump":
                self.now = then
            case "leave":
                await store.remove_user(step.user)
                self.known = {
                    (tenant, name): one
                    for (tenant, name), one in self.known.items()
                    if (tenant, one.memory.scope.user_id) != (step.tenant, step.user)
                }
            case "remove":
                await store.remove([step.name])
                self.known.pop(key, None)
            case "use":
                await store.note_access([step.name], then)
            case "embed" if known is None:
                vector = make_unit(_VECTORS[step.word])
                await store.save_vectors("second", {DocumentKey("memory", step.name): vector})
            case _ if known is not None:
                await self._change(store, known, step, then)
            case _:
                pass

    async def look(self, step: MemoryStep) -> None:
        """Compare what the person of a step finds now with the model."""
        scopes = [self._scope(step.tenant, step.user, number) for number in range(3)]
        await self._check_searches(step.tenant, scopes, None)

    async def check(self) -> None:
        """Compare what everybody sees with the model."""
        for tenant, store in self.stores.items():
            mine = [one for (owner, _), one in self.known.items() if owner == tenant]
            for name in _NAMES:
                found = await store.get(name)
                assert found == (
                    None
                    if (tenant, name) not in self.known
                    else _counted(self.known[tenant, name].memory, found)
                )
            for user in _USERS:
                hers = [one for one in mine if one.memory.scope.user_id == user]
                page = await store.list_page(MemoryFilter(user_id=user), self.now, limit=99)
                assert _ids(page) == _ids(
                    one.memory for one in hers if one.memory.is_current(self.now)
                )
                assert set(await store.list_scopes(user)) == {one.memory.scope for one in hers}
                scopes = [self._scope(tenant, user, number) for number in range(3)]
                for searched in (scopes[:1], scopes[1:]):
                    for as_of in (None, self.now - timedelta(hours=5)):
                        await self._check_searches(tenant, searched, as_of)

    async def _change(
        self, store: MemoryStore, known: _Known, step: MemoryStep, then: datetime
    ) -> None:
        memory, key = known.memory, DocumentKey("memory", step.name)
        match step.verb:
            case "embed":
                known.embedder = "second"
                await store.save_vectors("second", {key: make_unit(_VECTORS[known.word])})
            case "rewrite":
                known.word, known.embedder = step.word, "first"
                changed = replace(memory, content=step.word)
                known.memory = await store.save(changed, _entry(step.word))
            case "close":
                known.memory = await store.save(replace(memory, valid_to=then))
            case "expire":
                known.memory = await store.save(replace(memory, expires_at=then))
            case _:
                known.memory = await store.save(replace(memory, retired_at=then))

    async def _check_searches(
        self, tenant: str, scopes: list[MemoryScope], as_of: datetime | None
    ) -> None:
        store, time = self.stores[tenant], SearchedTime(now=self.now, as_of=as_of)
        holding = [
            one
            for (owner, _), one in self.known.items()
            if owner == tenant
            and one.memory.scope in scopes
            and (one.memory.is_current(self.now) if as_of is None else one.memory.was_true(as_of))
        ]
        for word in _WORDS:
            found = await store.match_words(scopes, [word], ["memory"], time, 99)
            assert _names(found) == {one.memory.id for one in holding if one.word == word}
        for embedder in _EMBEDDERS:
            query = MeaningQuery(embedder=embedder, vector=make_unit(_VECTORS["ulm"]))
            found = await store.match_vector(scopes, query, ["memory"], time, 99)
            assert [one.score for one in found] == sorted(one.score for one in found)[::-1]
            assert _names(found) == {
                one.memory.id
                for one in holding
                if one.embedder == embedder and _VECTORS[one.word][0] > 0
            }

    async def _add(self, step: MemoryStep) -> None:
        scope = self._scope(step.tenant, step.user, step.scope)
        memory = replace(
            make_memory(step.name, step.word, scope=scope),
            valid_from=self.now + timedelta(hours=step.hours),
            recorded_at=self.now,
            updated_at=self.now,
        )
        try:
            added = await self.stores[step.tenant].add(memory, _entry(step.word))
        except ConflictError:
            assert (step.tenant, step.name) in self.known
        else:
            assert (step.tenant, step.name) not in self.known
            self.known[step.tenant, step.name] = _Known(added, step.word, "first")

    def _scope(self, tenant: str, user: str, number: int) -> MemoryScope:
        tenant_id = self.tenant_ids[tenant]
        match number:
            case 0:
                return MemoryScope.of_user(tenant_id, user, "helper")
            case 1:
                return MemoryScope.of_project(tenant_id, user, "helper", "p")
            case _:
                return MemoryScope.of_organisation(tenant_id, user)


def _entry(word: str) -> IndexEntry:
    return IndexEntry(words={word: 1}, embedder="first", vector=make_unit(_VECTORS[word]))


def _counted(memory: Memory, found: Memory | None) -> Memory:
    """Return the memory as it is with the uses of the one that was found."""
    return (
        memory
        if found is None
        else replace(
            memory, access_count=found.access_count, last_accessed_at=found.last_accessed_at
        )
    )


def _ids(memories: Iterable[Memory]) -> set[str]:
    return {memory.id for memory in memories}


def _names(matches: Iterable[Match]) -> set[str]:
    return {match.key.id for match in matches}
