"""What every `GraphStore` does."""

from array import array
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from dataagent_core.errors import ConflictError, NotFoundError, QueryRefusedError
from dataagent_core.memory.graph.graph_store import GraphStore
from dataagent_core.memory.graph.graph_values import (
    Community,
    Entity,
    EntityRelation,
    Episode,
    EpisodeLinks,
    Mention,
)
from dataagent_core.memory.memory import MemoryScope, MemorySource
from dataagent_core.memory.search_index import (
    DocumentKey,
    IndexEntry,
    MeaningQuery,
    SearchedTime,
)

NOW = datetime(2026, 3, 1, 12, 0, 0, 123456, tzinfo=UTC)
TENANT = "one"
SCOPE = MemoryScope.of_user(TENANT, "ada", "assistant")
PROJECT = MemoryScope.of_project(TENANT, "ada", "assistant", "p1")
STRANGER = MemoryScope.of_user(TENANT, "bob", "assistant")
EMBEDDER = "test"
NOWADAYS = SearchedTime(now=NOW)


def make_entry(*words: str, angle: float = 1.0) -> IndexEntry:
    """Make what an index keeps of a text."""
    return IndexEntry(
        words=dict.fromkeys(words, 1), embedder=EMBEDDER, vector=array("f", [angle, 1 - angle])
    )


def make_episode(
    number: int = 1, content: str = "Ada works at Acme 阿克米 🎉", scope: MemoryScope = SCOPE
) -> Episode:
    """Make an episode with something in every field."""
    return Episode(
        id=f"e{number}",
        scope=scope,
        content=content,
        source=MemorySource(
            kind="conversation",
            session_id=f"s{number}",
            run_id="r",
            seq_first=3,
            seq_last=4,
            speaker="Ada",
            quote='"quoted"\n',
        ),
        created_at=NOW + timedelta(hours=number),
        updated_at=NOW,
        reason="nothing was left out",
        extracted={"entities": [{"name": "阿克米"}]},
        is_tainted=True,
    )


def make_entity(name: str, scope: MemoryScope = SCOPE, *aliases: str) -> Entity:
    """Make an entity with something in every field."""
    return Entity(
        id=f"n-{name}",
        scope=scope,
        name=name,
        type="person",
        created_at=NOW,
        updated_at=NOW,
        summary=f"summary of {name}",
        attributes={"value": 1, "deep": {"数": [None]}},
        aliases=dict.fromkeys(aliases, "said so"),
    )


def make_relation(
    source: str, target: str, *, episode: str = "e1", scope: MemoryScope = SCOPE, weight: float = 1
) -> EntityRelation:
    """Make a relation."""
    return EntityRelation(
        id=f"{source}-{target}",
        scope=scope,
        source_id=f"n-{source}",
        target_id=f"n-{target}",
        name="works at",
        fact=f"{source} works at {target}",
        weight=weight,
        episode_id=episode,
        valid_from=NOW - timedelta(days=10),
        recorded_at=NOW,
    )


async def add_linked(
    store: GraphStore,
    number: int,
    names: Sequence[str],
    pairs: Sequence[tuple[str, str]],
    *,
    known: Sequence[str] = (),
    scope: MemoryScope = SCOPE,
) -> Episode:
    """Store an episode that mentions entities, of which some are known, and relates pairs."""
    content = f"episode {number}: {' '.join((*names, *known))}"
    episode = await store.add_episode(make_episode(number, content, scope), make_entry("episode"))
    return await store.link(
        replace(episode, state="linked", extracted={}),
        [(make_entity(name, scope), make_entry(name.lower())) for name in names],
        [make_relation(a, b, episode=f"e{number}", scope=scope) for a, b in pairs],
        [
            Mention(episode_id=f"e{number}", entity_id=f"n-{n}", names=(n,))
            for n in (*names, *known)
        ],
    )


class GraphStoreConformance:
    """Needs the fixture `graph_store`, opened for the tenant `TENANT`."""

    async def test_an_episode_is_read_back_equal_and_stored_once(
        self, graph_store: GraphStore
    ) -> None:
        added = await graph_store.add_episode(make_episode(), make_entry("ada"))
        assert added == replace(make_episode(), version=1)
        again = await graph_store.add_episode(make_episode(1, "another text"), make_entry("x"))
        assert again == added
        assert await graph_store.get_episodes([SCOPE], ["e2", "e1"]) == [added]
        assert await graph_store.get_episodes([PROJECT, STRANGER], ["e1"]) == []
        assert await graph_store.find_episodes_with([SCOPE], "阿克米", 9) == ["e1"]
        assert await graph_store.find_episodes_with([STRANGER], "阿克米", 9) == []
        assert await graph_store.read_texts([DocumentKey("episode", "e1")]) == {
            DocumentKey("episode", "e1"): added.content
        }

    async def test_of_two_who_save_an_episode_one_is_told(self, graph_store: GraphStore) -> None:
        added = await graph_store.add_episode(make_episode(), make_entry())
        saved = await graph_store.save_episode(replace(added, state="extracted", attempts=2))
        assert saved == replace(added, state="extracted", attempts=2, version=2)
        with pytest.raises(ConflictError):
            await graph_store.save_episode(replace(added, state="failed"))
        with pytest.raises(ConflictError):
            await graph_store.link(added, [(make_entity("Ada"), make_entry())], [], [])
        assert await graph_store.get_entities([SCOPE], ["n-Ada"]) == []
        with pytest.raises(NotFoundError):
            await graph_store.save_episode(replace(added, id="none"))

    async def test_episodes_are_listed_newest_first_and_unfinished_ones_oldest_first(
        self, graph_store: GraphStore
    ) -> None:
        for number in (2, 1, 3):
            await graph_store.add_episode(make_episode(number), make_entry())
        foreign = make_episode(4, scope=STRANGER)
        await graph_store.add_episode(foreign, make_entry())
        listed = await graph_store.list_episodes([SCOPE], limit=2)
        assert [one.id for one in listed] == ["e3", "e2"]
        rest = await graph_store.list_episodes([SCOPE], limit=2, after="e2")
        assert [one.id for one in rest] == ["e1"]
        chosen = await graph_store.list_episodes([SCOPE], session_id="s2", limit=9)
        assert [one.id for one in chosen] == ["e2"]
        (second,) = chosen
        await graph_store.save_episode(replace(second, state="synced"))
        waiting = await graph_store.find_unfinished(9)
        assert [one.id for one in waiting] == ["e1", "e3", "e4"]
        assert waiting[-1] == replace(foreign, version=1)
        # One whose last attempt has just failed is not due again; one that never failed is.
        tried = await graph_store.save_episode(replace(waiting[1], attempts=1))
        early = await graph_store.find_unfinished(9, tried_before=NOW - timedelta(seconds=1))
        assert [one.id for one in early] == ["e1", "e4"]
        assert tried in await graph_store.find_unfinished(9, tried_before=NOW)
        synced = await graph_store.list_episodes([SCOPE], state="synced", limit=9)
        assert [one.id for one in synced] == ["e2"]

    async def test_a_link_stores_all_of_it(self, graph_store: GraphStore) -> None:
        linked = await add_linked(graph_store, 1, ["Ada", "Acme"], [("Ada", "Acme")])
        assert linked.state == "linked"
        assert await graph_store.get_entities([SCOPE], ["n-Acme", "n-Ada"]) == [
            replace(make_entity("Acme"), version=1),
            replace(make_entity("Ada"), version=1),
        ]
        assert await graph_store.list_relations([SCOPE], ["n-Ada"], limit=9) == [
            make_relation("Ada", "Acme")
        ]
        assert await graph_store.find_mentions([SCOPE], ["n-Ada"], 9) == [
            Mention(episode_id="e1", entity_id="n-Ada", names=("Ada",))
        ]
        listed = await graph_store.list_mentioned([SCOPE], ["e1"], 9)
        assert {one.entity_id for one in listed} == {"n-Ada", "n-Acme"}
        mentioning = await graph_store.list_episodes([SCOPE], entity_id="n-Ada", limit=9)
        assert mentioning == [linked]

    async def test_a_link_that_is_late_is_a_conflict_and_leaves_nothing(
        self, graph_store: GraphStore
    ) -> None:
        await add_linked(graph_store, 1, ["Ada"], [])
        second = await graph_store.add_episode(make_episode(2), make_entry())
        twin = replace(make_entity("ADA"), id="n-twin")
        other = (make_entity("Other"), make_entry())
        with pytest.raises(ConflictError):
            await graph_store.link(second, [other, (twin, make_entry())], [], [])
        stale = replace(make_entity("Ada"), version=7)
        with pytest.raises(ConflictError):
            await graph_store.link(second, [other, (stale, make_entry())], [], [])
        gone = Mention(episode_id="e2", entity_id="n-gone")
        with pytest.raises(ConflictError):
            await graph_store.link(second, [other], [], [gone])
        assert await graph_store.get_entities([SCOPE], ["n-Other", "n-twin"]) == []
        assert await graph_store.get_episodes([SCOPE], ["e2"]) == [second]

    async def test_many_links_are_stored_together(self, graph_store: GraphStore) -> None:
        episodes = await graph_store.add_episodes(
            [(make_episode(number), make_entry("many")) for number in (1, 2)]
        )
        linked = await graph_store.link_many(
            [
                EpisodeLinks(
                    episode=replace(episodes[0], state="synced"),
                    entities=[(make_entity("Ada"), make_entry("ada"))],
                    mentions=[Mention(episode_id="e1", entity_id="n-Ada")],
                ),
                EpisodeLinks(
                    episode=replace(episodes[1], state="synced"),
                    entities=[(make_entity("Acme"), make_entry("acme"))],
                    relations=[make_relation("Ada", "Acme", episode="e2")],
                    mentions=[Mention(episode_id="e2", entity_id="n-Ada")],
                ),
            ]
        )
        assert [one.version for one in linked] == [2, 2]
        found = await graph_store.find_mentions([SCOPE], ["n-Ada"], 9)
        assert [one.episode_id for one in found] == ["e2", "e1"]
        assert len(await graph_store.list_relations([SCOPE], ["n-Acme"], limit=9)) == 1

    async def test_entities_are_found_by_name_and_alias(self, graph_store: GraphStore) -> None:
        episode = await graph_store.add_episode(make_episode(), make_entry())
        ada = make_entity("Ada  Lovelace", SCOPE, "阿达")
        await graph_store.link(episode, [(ada, make_entry())], [], [])
        for name in ("ada lovelace", "\uff21\uff24\uff21 LOVELACE", "阿达"):
            assert [one.id for one in await graph_store.find_named([SCOPE], [name])] == [ada.id]
        assert await graph_store.find_named([SCOPE], ["Lovelace", "'; DROP TABLE"]) == []
        assert await graph_store.find_named([STRANGER, PROJECT], ["阿达"]) == []

    async def test_entities_are_listed_by_name(self, graph_store: GraphStore) -> None:
        await add_linked(graph_store, 1, ["bea", "Ada", "Cy"], [("Ada", "Cy")])
        await add_linked(graph_store, 2, ["Zoe"], [], scope=STRANGER)
        listed = await graph_store.list_entities([SCOPE], limit=2)
        assert [one.name for one in listed] == ["Ada", "bea"]
        rest = await graph_store.list_entities([SCOPE], limit=2, after=listed[-1].id)
        assert [one.name for one in rest] == ["Cy"]
        assert await graph_store.list_entities([SCOPE], type="place", limit=2) == []
        assert await graph_store.count_entities([SCOPE]) == (3, 3)
        linked = await graph_store.find_linked([SCOPE], None, 3)
        assert {one.name for one in linked[:2]} == {"Ada", "Cy"}
        assert linked[2].name == "bea"

    async def test_of_two_who_save_an_entity_one_is_told(self, graph_store: GraphStore) -> None:
        await add_linked(graph_store, 1, ["Ada"], [])
        (ada,) = await graph_store.get_entities([SCOPE], ["n-Ada"])
        saved = await graph_store.save_entity(replace(ada, name="Augusta"), make_entry("augusta"))
        assert saved == replace(ada, name="Augusta", version=2)
        with pytest.raises(ConflictError):
            await graph_store.save_entity(ada)
        assert await graph_store.find_named([SCOPE], ["Ada"]) == []
        assert await graph_store.find_named([SCOPE], ["augusta"]) == [saved]
        found = await graph_store.match_words([SCOPE], ["augusta"], ["entity"], NOWADAYS, 9)
        assert [one.key.id for one in found] == ["n-Ada"]
        assert await graph_store.match_words([SCOPE], ["ada"], ["entity"], NOWADAYS, 9) == []

    async def test_relations_know_when_they_were_true(self, graph_store: GraphStore) -> None:
        await add_linked(graph_store, 1, ["Ada", "Acme", "Bolt"], [("Ada", "Acme")])
        (old,) = await graph_store.list_relations([SCOPE], ["n-Ada"], limit=9)
        second = await graph_store.add_episode(make_episode(2), make_entry())
        closed = replace(old, valid_to=NOW - timedelta(days=1))
        new = replace(
            make_relation("Ada", "Bolt", episode="e2"), valid_from=NOW - timedelta(days=1)
        )
        await graph_store.link(second, [], [closed, new], [])

        async def list_targets(**wanted: object) -> set[str]:
            found = await graph_store.list_relations([SCOPE], ["n-Ada"], limit=9, **wanted)  # pyright: ignore[reportArgumentType]
            return {one.target_id for one in found}

        assert await list_targets() == {"n-Bolt"}
        assert await list_targets(as_of=NOW - timedelta(days=5)) == {"n-Acme"}
        assert await list_targets(as_of=NOW - timedelta(days=50)) == set()
        assert await list_targets(with_past=True) == {"n-Bolt", "n-Acme"}
        assert await graph_store.count_edges(SCOPE) == [("n-Ada", "n-Bolt", 1.0)]

    async def test_a_walk_finds_what_is_near(self, graph_store: GraphStore) -> None:
        pairs = [("A", "B"), ("C", "B"), ("C", "D"), ("D", "E")]
        await add_linked(graph_store, 1, ["A", "B", "C", "D", "E"], pairs)
        near = await graph_store.find_near([SCOPE], {"n-A": 1.0}, hops=2, limit=9)
        assert [one.entity_id for one in near] == ["n-A", "n-B", "n-C"]
        assert near[0].nearness == 1.0
        assert near[1].nearness == pytest.approx(0.4)
        assert near[2].nearness == pytest.approx(0.16)
        both = await graph_store.find_near([SCOPE], {"n-A": 1.0, "n-C": 1.0}, hops=1, limit=9)
        assert {one.entity_id: one.nearness for one in both}["n-B"] == pytest.approx(0.64)
        assert await graph_store.find_near([STRANGER], {"n-A": 1.0}, hops=2, limit=9) == []
        first = await graph_store.find_near([SCOPE], {"n-A": 1.0}, hops=9, limit=2)
        assert [one.entity_id for one in first] == ["n-A", "n-B"]

    async def test_communities_are_replaced_as_a_whole(self, graph_store: GraphStore) -> None:
        await add_linked(graph_store, 1, ["A", "B", "C"], [("A", "B")])
        one, two = (
            Community(
                id=f"c{number}",
                scope=SCOPE,
                name=f"社区 {number}",
                summary="A and B",
                member_count=size,
                updated_at=NOW,
                fingerprint=f"f{number}",
            )
            for number, size in ((1, 1), (2, 2))
        )
        await graph_store.save_communities(SCOPE, [(one, ["n-A"]), (two, ["n-B", "n-C"])])
        assert await graph_store.list_communities([SCOPE]) == [two, one]
        assert await graph_store.list_communities([STRANGER]) == []
        assert await graph_store.read_members(SCOPE) == {"n-A": "c1", "n-B": "c2", "n-C": "c2"}
        members = await graph_store.list_entities([SCOPE], community_id="c2", limit=9)
        assert [(one.name, one.community_id) for one in members] == [("B", "c2"), ("C", "c2")]
        assert [one.name for one in await graph_store.find_linked([SCOPE], "c2", 9)] == ["B", "C"]
        assert await graph_store.count_entities([SCOPE]) == (3, 0)
        grown = replace(two, member_count=3, summary="all")
        await graph_store.save_communities(SCOPE, [(grown, ["n-A", "n-B", "n-C"])])
        assert await graph_store.list_communities([SCOPE]) == [grown]
        assert set((await graph_store.read_members(SCOPE)).values()) == {"c2"}

    async def test_what_rests_on_an_episode_alone_goes_with_it(
        self, graph_store: GraphStore
    ) -> None:
        await add_linked(graph_store, 1, ["Ada", "Secretcorp"], [("Ada", "Secretcorp")])
        await add_linked(graph_store, 2, ["Bolt"], [("Ada", "Bolt")], known=["Ada"])
        third = await graph_store.add_episode(make_episode(3, "the Countess"), make_entry())
        (ada,) = await graph_store.get_entities([SCOPE], ["n-Ada"])
        named = replace(ada, aliases={"Countess": "same words"})
        again = replace(
            make_relation("Ada", "Bolt", episode="e3", weight=2), fact="the Countess at Bolt"
        )
        await graph_store.link(
            third,
            [(named, make_entry("ada", "countess"))],
            [again],
            [Mention(episode_id="e3", entity_id="n-Ada", names=("Countess",))],
        )
        community = Community(
            id="c", scope=SCOPE, name="Countess", summary="", member_count=2, updated_at=NOW
        )
        await graph_store.save_communities(SCOPE, [(community, ["n-Ada", "n-Bolt"])])
        assert await graph_store.scan("Countess", "ada")
        removed = await graph_store.remove_episodes([STRANGER], ["e1", "e3"])
        assert not any(removed.values())
        removed = await graph_store.remove_episodes([SCOPE], ["e1", "e3"])
        assert sum(removed.values()) > 0
        for text in ("Secretcorp", "Countess", "episode 1"):
            assert await graph_store.scan(text, "ada") == {}
        assert await graph_store.list_communities([SCOPE]) == []
        (left,) = await graph_store.list_relations([SCOPE], ["n-Ada"], limit=9)
        assert (left.fact, left.weight, left.episode_id) == ("Ada works at Bolt", 1.0, "e2")
        (ada,) = await graph_store.get_entities([SCOPE], ["n-Ada"])
        assert (ada.name, ada.aliases, ada.community_id) == ("Ada", {}, "")
        assert await graph_store.find_named([SCOPE], ["Countess", "Secretcorp"]) == []
        assert await graph_store.match_words([SCOPE], ["countess"], ["entity"], NOWADAYS, 9) == []

    async def test_an_entity_takes_its_relations_with_it(self, graph_store: GraphStore) -> None:
        await add_linked(graph_store, 1, ["Ada", "Acme"], [("Ada", "Acme")])
        assert not any((await graph_store.remove_entity([STRANGER], "n-Ada")).values())
        assert sum((await graph_store.remove_entity([SCOPE], "n-Ada")).values()) > 0
        assert await graph_store.get_entities([SCOPE], ["n-Ada"]) == []
        assert await graph_store.list_relations([SCOPE], ["n-Acme"], limit=9) == []
        assert await graph_store.match_words([SCOPE], ["ada"], ["entity"], NOWADAYS, 9) == []

    async def test_a_user_goes_with_everything(self, graph_store: GraphStore) -> None:
        await add_linked(graph_store, 1, ["Ada"], [])
        await add_linked(graph_store, 2, ["Bea"], [], scope=STRANGER)
        assert await graph_store.list_scopes("ada") == [SCOPE]
        await graph_store.remove_user("ada")
        assert await graph_store.list_scopes("ada") == []
        assert await graph_store.scan("Ada", "ada") == {}
        assert len(await graph_store.get_entities([STRANGER], ["n-Bea"])) == 1

    async def test_a_search_finds_words_and_meaning_of_a_scope(
        self, graph_store: GraphStore
    ) -> None:
        await add_linked(graph_store, 1, ["Ada"], [])
        await add_linked(graph_store, 2, ["Bea"], [], scope=STRANGER)
        query = MeaningQuery(embedder=EMBEDDER, vector=array("f", [1, 0]))
        for scopes, wanted in (([SCOPE], ["n-Ada"]), ([SCOPE, STRANGER], ["n-Ada", "n-Bea"])):
            near = await graph_store.match_vector(scopes, query, ["entity"], NOWADAYS, 9)
            assert sorted(one.key.id for one in near) == wanted
        assert await graph_store.match_words([SCOPE], ["bea"], ["entity"], NOWADAYS, 9) == []
        found = await graph_store.match_words([SCOPE], ["episode"], ["episode"], NOWADAYS, 9)
        assert [one.key for one in found] == [DocumentKey("episode", "e1")]
        left = await graph_store.list_unembedded("other", 9)
        assert {(scope.user_id, key.kind) for scope, key, _ in left} == {
            (user, kind) for user in ("ada", "bob") for kind in ("episode", "entity")
        }

    async def test_a_query_reads_the_scopes_alone(self, graph_store: GraphStore) -> None:
        await add_linked(graph_store, 1, ["Ada", "Acme", "O'Neil"], [("Ada", "Acme")])
        await add_linked(graph_store, 2, ["Bea"], [], scope=STRANGER)

        async def ask(query: str) -> list[dict[str, object]]:
            return [dict(row) for row in await graph_store.query([SCOPE], query, 50)]

        assert await ask(
            "MATCH (a:Entity {name: 'Ada'})-[r:RELATES_TO]->(b:Entity) "
            "WHERE r.valid_to IS NULL RETURN b.name, r.weight"
        ) == [{"b.name": "Acme", "r.weight": 1.0}]
        assert await ask("MATCH (n:Entity) RETURN count(*)") == [{"count": 3}]
        assert await ask("MATCH (n:Entity) RETURN n.name AS name ORDER BY n.name DESC LIMIT 2") == [
            {"name": "O'Neil"},
            {"name": "Ada"},
        ]
        assert await ask("MATCH (e:Episodic)-[:MENTIONS]->(n:Entity {name: 'O\\'Neil'}) "
                         "RETURN e.id") == [{"e.id": "e1"}]  # fmt: skip
        assert await ask(
            "MATCH (n:Entity) WHERE (n.name CONTAINS 'c' OR n.name STARTS WITH 'Be') "
            "AND NOT n.type = 'place' RETURN n.id"
        ) == [{"n.id": "n-Acme"}]
        with pytest.raises(QueryRefusedError):
            await ask("MATCH (n:Entity) DELETE n RETURN n.id")


class GraphStoreTenantConformance:
    """Needs the fixture `graph_store_pair`: one database, opened for `TENANT` and for `two`."""

    async def test_tenants_do_not_see_each_other(
        self, graph_store_pair: tuple[GraphStore, GraphStore]
    ) -> None:
        mine, theirs = graph_store_pair
        their_scope = MemoryScope.of_user("two", "ada", "assistant")
        await add_linked(mine, 1, ["Ada", "Acme"], [("Ada", "Acme")])
        # The same ids, of another tenant.
        await add_linked(theirs, 1, ["Ada"], [], scope=their_scope)
        for scopes in ([SCOPE], [their_scope], [SCOPE, their_scope]):
            found = await theirs.get_entities(scopes, ["n-Ada", "n-Acme"])
            assert all(one.scope == their_scope for one in found)
            assert all(one.scope == their_scope for one in await theirs.find_named(scopes, ["Ada"]))
            rows = await theirs.query(scopes, "MATCH (n:Entity {name: 'Acme'}) RETURN n.id", 9)
            assert rows == []
            assert await theirs.list_relations(scopes, ["n-Ada"], limit=9) == []
        assert [one.scope for one in await theirs.find_unfinished(9)] == [their_scope]
        assert await theirs.remove_episodes([SCOPE], ["e1"]) is not None
        await theirs.remove_user("ada")
        left = await mine.get_entities([SCOPE], ["n-Ada", "n-Acme"])
        assert [one.name for one in left] == ["Ada", "Acme"]
        assert await mine.scan("Acme", "ada")
