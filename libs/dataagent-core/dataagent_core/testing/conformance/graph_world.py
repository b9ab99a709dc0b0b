"""Two tenants with two people each who tell, ask and forget at random, beside what each has told.

What one of them sees in any way must be words of their own, and words that nobody has told any
longer must be nowhere. A store's test runs it over its database.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal, Self, TypeAlias

from hypothesis import strategies as st

from dataagent_core.memory.graph.graph_service import NewEpisode
from dataagent_core.memory.graph.graph_store import GraphStore
from dataagent_core.memory.graph.native_graph_adapter import NativeGraphAdapter
from dataagent_core.memory.memory import MemoryScope, MemorySource

Owner: TypeAlias = tuple[str, str]
Action = Literal["tell", "forget", "remove entity", "remove user", "communities"]
_OWNERS: tuple[Owner, ...] = (("one", "ada"), ("one", "bob"), ("two", "ada"), ("two", "bob"))
# Two have the same words, in every tenant.
_NAMES = ("Zora Aa", "Zeno Bb", "Zita Cc", "Zack Dd")


@dataclass(frozen=True, slots=True)
class GraphStep:
    """What one of the four does."""

    owner: Owner
    action: Action
    source: int
    target: int


graph_steps: st.SearchStrategy[list[GraphStep]] = st.lists(
    st.builds(
        GraphStep,
        owner=st.sampled_from(_OWNERS),
        action=st.sampled_from(
            ("tell", "tell", "tell", "forget", "remove entity", "remove user", "communities")
        ),
        source=st.integers(0, 3),
        target=st.integers(0, 3),
    ),
    max_size=12,
)


@dataclass(slots=True)
class GraphWorld:
    """The graphs of the tenants, and the facts of each owner by episode."""

    graphs: dict[str, NativeGraphAdapter]
    prefix: str
    told: dict[Owner, dict[str, tuple[str, str]]] = field(
        default_factory=dict[Owner, dict[str, tuple[str, str]]]
    )
    count: int = 0

    @classmethod
    def begin(cls, open_store: Callable[[str], GraphStore], prefix: str = "") -> Self:
        """Begin with empty graphs; the prefix keeps apart worlds on one database."""
        return cls(
            {
                tenant: NativeGraphAdapter(open_store(prefix + tenant), embedder=None)
                for tenant in ("one", "two")
            },
            prefix,
        )

    async def do(self, step: GraphStep) -> None:
        """Do a step, then look at everything that everybody sees."""
        graph, scope = self.graphs[step.owner[0]], self._scope(step.owner)
        told = self.told.setdefault(step.owner, {})
        match step.action:
            case "tell" if step.source != step.target:
                await self._tell(graph, step, told)
            case "forget" if told:
                episode = sorted(told)[step.source % len(told)]
                # A stranger's try changes nothing.
                for owner in _OWNERS:
                    if owner != step.owner:
                        foreign = self.graphs[owner[0]]
                        await foreign.forget_episodes([self._scope(owner)], [episode])
                await graph.forget_episodes([scope], [episode])
                del told[episode]
            case "remove entity":
                for one in (await graph.list_entities([scope], limit=9))[:1]:
                    await graph.remove_entity([scope], one.id)
                    for episode in [key for key, names in told.items() if one.name in names]:
                        await graph.forget_episodes([scope], [episode])
                        del told[episode]
            case "remove user":
                await graph.remove_user(step.owner[1])
                told.clear()
            case _:
                await graph.update_communities(scope)
        for owner in _OWNERS:
            await self._check(owner)

    async def _tell(
        self, graph: NativeGraphAdapter, step: GraphStep, told: dict[str, tuple[str, str]]
    ) -> None:
        names = tuple(f"{_NAMES[end]}{step.owner[1]}" for end in (step.source, step.target))
        self.count += 1
        # The same id with every tenant, but once with each.
        key = f"e{self.count}"
        new = NewEpisode(
            scope=self._scope(step.owner),
            content=f"{names[0]} likes {names[1]}.",
            source=MemorySource(kind="conversation"),
            id=key,
        )
        await graph.add_episode(new)
        await graph.process_pending()
        told[key] = (names[0], names[1])

    async def _check(self, owner: Owner) -> None:
        graph, scope, told = self.graphs[owner[0]], self._scope(owner), self.told.get(owner, {})
        others = [self._scope(one) for one in _OWNERS if one[0] != owner[0]]
        wanted = {name for names in told.values() for name in names}
        # Scopes of another tenant give nothing, even when they are named.
        scopes = [scope, *others]
        entities = await graph.list_entities(scopes, limit=99)
        assert {one.name for one in entities} == wanted
        assert {one.scope for one in entities} <= {scope}
        rows = await graph.query(scopes, "MATCH (n:Entity) RETURN n.name", 99)
        assert {row["n.name"] for row in rows} == wanted
        relations = await graph.store.list_relations(scopes, [one.id for one in entities], limit=99)
        assert {one.fact for one in relations} == {f"{a} likes {b}." for a, b in told.values()}
        episodes = await graph.list_episodes(scopes, limit=99)
        assert {one.id for one in episodes} == set(told)
        for community in await graph.list_communities(scopes):
            assert set(community.summary.split(", ")) <= wanted
        for name in _NAMES:
            full = f"{name}{owner[1]}"
            if full not in wanted:
                assert await graph.scan(full, owner[1]) == {}

    def _scope(self, owner: Owner) -> MemoryScope:
        return MemoryScope.of_user(self.prefix + owner[0], owner[1], "assistant")
