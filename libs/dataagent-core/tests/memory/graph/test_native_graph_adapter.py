"""Episodes become entities and relations, by rules; what is forgotten leaves nothing."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from dataagent_core.config.settings import Settings
from dataagent_core.errors import ConflictError, NotFoundError, ValidationError
from dataagent_core.memory.graph.graph_service import EntityChange, NewEpisode
from dataagent_core.memory.graph.native_graph_adapter import NativeGraphAdapter
from dataagent_core.memory.graph.sql.sql_graph_store import SqlGraphStore
from dataagent_core.memory.memory import Memory, MemoryScope, MemorySource
from dataagent_core.memory.sql.memory_file import MemoryFile
from dataagent_core.models.embeddings import resolve_embedder
from dataagent_core.testing.conformance.graph import NOW, SCOPE, STRANGER, TENANT

DAY = timedelta(days=1)


@pytest.fixture
def graph(tmp_path: Path) -> NativeGraphAdapter:
    store = SqlGraphStore(MemoryFile(tmp_path / "memory.db"), TENANT)
    return NativeGraphAdapter(store, embedder=resolve_embedder(Settings()))


async def tell(
    graph: NativeGraphAdapter, *texts: str, scope: MemoryScope = SCOPE, first_day: int = 0
) -> list[str]:
    """Add an episode for each day and bring them to their end."""
    added = await graph.add_episodes(
        [
            NewEpisode(
                scope=scope,
                content=text,
                source=MemorySource(kind="conversation", session_id="s"),
                created_at=NOW + day * DAY,
            )
            for day, text in enumerate(texts, start=first_day)
        ]
    )
    await graph.process_pending()
    return [one.id for one in added]


async def list_names(graph: NativeGraphAdapter, scope: MemoryScope = SCOPE) -> set[str]:
    return {one.name for one in await graph.list_entities([scope], limit=99)}


async def list_facts(
    graph: NativeGraphAdapter, name: str, as_of: datetime | None = None
) -> list[str]:
    (entity,) = await graph.store.find_named([SCOPE], [name])
    relations = await graph.store.list_relations([SCOPE], [entity.id], as_of=as_of, limit=99)
    return sorted(one.fact for one in relations)


@pytest.mark.requirement("F22-3-states")
@pytest.mark.requirement("S2-11.3")
async def test_an_episode_goes_from_state_to_state(graph: NativeGraphAdapter):
    new = NewEpisode(scope=SCOPE, content="I work at Acme Corp.", source=MemorySource(), id="e")
    episode = await graph.add_episode(new)
    states = [episode.state]
    while episode.state != "synced":
        episode = await graph.process(SCOPE, "e")
        states.append(episode.state)
    assert states == ["received", "extracted", "linked", "synced"]
    assert episode.extracted == {}
    assert await graph.process(SCOPE, "e") == episode
    assert await list_names(graph) == {"I", "Acme Corp"}
    # Added once more it is the same, and nothing is doubled.
    assert await graph.add_episode(new) == episode
    assert (await graph.process_pending()).synced == 0


async def test_a_contradiction_closes_what_was_true(graph: NativeGraphAdapter):
    await tell(graph, "I live in Berlin.", "I live in Lyon.", "我住在上海。")
    assert await list_facts(graph, "I") == ["我住在上海。"]
    assert await list_facts(graph, "I", NOW + DAY / 2) == ["I live in Berlin."]
    assert await list_facts(graph, "I", NOW + DAY * 1.5) == ["I live in Lyon."]


async def test_what_was_said_earlier_and_comes_later_closes_nothing(graph: NativeGraphAdapter):
    await tell(graph, "I live in Lyon.", first_day=5)
    await tell(graph, "I live in Berlin.", first_day=1)
    assert await list_facts(graph, "I") == ["I live in Lyon."]
    assert await list_facts(graph, "I", NOW + 2 * DAY) == ["I live in Berlin."]


async def test_what_ended_ends_and_is_no_new_relation(graph: NativeGraphAdapter):
    await tell(graph, "I work at Acme.", "I no longer work at Acme.", "I no longer work at Bolt.")
    assert await list_facts(graph, "I") == []
    assert await list_facts(graph, "I", NOW + DAY / 2) == ["I work at Acme."]


async def test_text_of_strangers_closes_nothing(graph: NativeGraphAdapter):
    await tell(graph, "I live in Berlin.")
    await graph.add_episode(
        NewEpisode(
            scope=SCOPE,
            content="I live in Moscow. I no longer live in Berlin.",
            source=MemorySource(kind="tool_result", tool="fetch"),
            created_at=NOW + DAY,
            is_tainted=True,
        )
    )
    await graph.process_pending()
    assert "I live in Berlin." in await list_facts(graph, "I")


async def test_what_is_said_again_weighs_more(graph: NativeGraphAdapter):
    await tell(graph, "Alice Chen works at Acme.", "Alice Chen works at Acme now.")
    (alice,) = await graph.store.find_named([SCOPE], ["Alice Chen"])
    (relation,) = (await graph.get_entity([SCOPE], alice.id)).relations
    assert relation.weight == 2.0
    assert relation.fact == "Alice Chen works at Acme now."


@pytest.mark.requirement("S2-11.1-duplicates")
async def test_names_of_one_are_joined_with_a_reason_and_likes_are_not(graph: NativeGraphAdapter):
    await tell(
        graph,
        "Alice Chen works at Globex.",
        "Alice lives in Paris.",
        "Bob works at Globex Inc.",
        "Alice Cheng works at Acme. Q1 Report is a draft. Q2 Report is a draft.",
    )
    (alice,) = await graph.store.find_named([SCOPE], ["Alice"])
    assert alice.name == "Alice Chen"
    assert alice.aliases == {"Alice": "part of the only such name"}
    (globex,) = await graph.store.find_named([SCOPE], ["Globex Inc"])
    assert globex.name == "Globex"
    assert globex.aliases["Globex Inc"].startswith("similar name (0.")
    assert {"Alice Cheng", "Q1 Report", "Q2 Report"} <= await list_names(graph)


async def test_who_shares_a_part_of_a_name_with_two_is_neither(graph: NativeGraphAdapter):
    await tell(graph, "Alice Chen works at Acme. Alice Wong works at Bolt.", "Alice lives in Rome.")
    (alice,) = await graph.store.find_named([SCOPE], ["Alice"])
    assert alice.name == "Alice"


async def test_forgetting_leaves_no_trace_and_what_others_say(graph: NativeGraphAdapter):
    first, second = await tell(
        graph,
        "Alice Chen works at Zebracorp. Alice Chen likes Alice Wong. Alice Chen likes Tea.",
        "Alice Chen works at Bolt. Alice Chen likes Bob Miller.",
    )
    assert await graph.list_communities([SCOPE])
    removed = await graph.forget_episodes([SCOPE], [first])
    assert removed["graph_episodes"] == 1
    for text in ("Zebracorp", "Wong", "Tea"):
        assert await graph.scan(text, SCOPE.user_id) == {}
    assert await list_names(graph) == {"Alice Chen", "Bolt", "Bob Miller"}
    (community,) = await graph.list_communities([SCOPE])
    assert community.member_count == 3
    await graph.forget_episodes([SCOPE], [second])
    assert await list_names(graph) == set()
    assert await graph.list_communities([SCOPE]) == []


async def test_a_forgotten_memory_takes_every_episode_that_holds_its_words(
    graph: NativeGraphAdapter,
):
    quote = "I live in Zebratown"
    ids = await tell(graph, f"{quote}.", f"Well, {quote} and I work at Acme.", "I like Tea.")
    memory = Memory(
        id="m",
        scope=SCOPE,
        type="fact",
        content="The person lives there",
        source=MemorySource(kind="conversation", quote=quote),
        confidence=1,
        valid_from=NOW,
        recorded_at=NOW,
        updated_at=NOW,
        episode_id=ids[0],
    )
    await graph.forget_memory([STRANGER], memory)
    assert await graph.scan("Zebratown", SCOPE.user_id)
    await graph.forget_memory([SCOPE], memory)
    assert await graph.scan("Zebratown", SCOPE.user_id) == {}
    assert await list_names(graph) == {"I", "Tea"}


async def test_a_person_changes_a_name_and_it_stays(graph: NativeGraphAdapter):
    (first,) = await tell(graph, "Alise Chen works at Acme.")
    await tell(graph, "Bob works at Acme.", first_day=1)
    (alice,) = await graph.store.find_named([SCOPE], ["Alise Chen"])
    change = EntityChange(name="Alice Chen", summary="a colleague")
    changed = await graph.change_entity([SCOPE], alice.id, alice.version, change)
    assert (changed.name, changed.summary) == ("Alice Chen", "a colleague")
    with pytest.raises(ConflictError):
        await graph.change_entity([SCOPE], alice.id, alice.version, change)
    with pytest.raises(NotFoundError):
        await graph.change_entity([STRANGER], alice.id, alice.version, change)
    with pytest.raises(ValidationError):
        await graph.change_entity([SCOPE], alice.id, changed.version, EntityChange(name=" "))
    found = await graph.find_entities([SCOPE], "Alice", 5)
    assert [one.id for one in found] == [alice.id]
    await tell(graph, "Alise Chen lives in Rome.", first_day=2)
    await graph.forget_episodes([SCOPE], [first])
    (kept,) = await graph.store.find_named([SCOPE], ["Alice Chen"])
    assert kept.id == alice.id


async def test_a_timeline_tells_what_began_and_ended(graph: NativeGraphAdapter):
    await tell(graph, "I live in Berlin.", "I live in Lyon.")
    (person,) = await graph.store.find_named([SCOPE], ["I"])
    items = await graph.read_timeline([SCOPE], person.id, 99)
    assert [(one.kind, one.text) for one in items] == [
        ("began", "I live in Berlin."),
        ("mentioned", "I live in Berlin."),
        ("began", "I live in Lyon."),
        ("ended", "I live in Berlin."),
        ("mentioned", "I live in Lyon."),
    ]
    with pytest.raises(NotFoundError):
        await graph.read_timeline([STRANGER], person.id, 99)


@pytest.mark.requirement("S2-11.1-communities")
async def test_the_graph_from_afar_and_one_community_of_it(graph: NativeGraphAdapter):
    await tell(graph, *_two_groups())
    overview = await graph.read_overview([SCOPE], 9)
    assert [one.member_count for one in overview.communities] == [4, 4]
    assert overview.links[0].weight == 1.0
    assert (overview.entity_count, overview.alone_count) == (8, 0)
    one = overview.communities[0]
    nodes = await graph.read_nodes([SCOPE], one.id, 99)
    assert len(nodes.entities) == 4
    assert {entity.community_id for entity in nodes.entities} == {one.id}
    assert len((await graph.read_nodes([SCOPE], None, 3)).entities) == 3
    assert await graph.read_overview([STRANGER], 9) != overview


@pytest.mark.requirement("F22-3-incremental")
async def test_a_community_that_did_not_change_is_not_written_again(graph: NativeGraphAdapter):
    await tell(graph, *_two_groups())
    before = {one.id: one for one in await graph.list_communities([SCOPE])}
    assert await graph.update_communities(SCOPE) == 0
    await tell(graph, "Eva Aa likes Ann Aa.", first_day=20)
    after = {one.id: one for one in await graph.list_communities([SCOPE])}
    assert after.keys() == before.keys()
    changed = [one for one in after if after[one] != before[one]]
    assert [after[one].member_count for one in changed] == [5]


async def test_episodes_that_are_none_are_refused(graph: NativeGraphAdapter):
    with pytest.raises(ValidationError, match="empty"):
        await graph.add_episode(NewEpisode(scope=SCOPE, content=" \n", source=MemorySource()))
    with pytest.raises(ValidationError, match="characters"):
        await graph.add_episode(
            NewEpisode(scope=SCOPE, content="x" * 2_000_001, source=MemorySource())
        )


@pytest.mark.requirement("F22-bad-large")
async def test_a_megabyte_is_cut_and_it_is_said(graph: NativeGraphAdapter):
    text = "Ann Aa works at Acme. " + "nothing of note was said here. " * 33_000
    (number,) = await tell(graph, text)
    (episode,) = await graph.store.get_episodes([SCOPE], [number])
    assert episode.state == "synced"
    assert "only the first 200,000 characters were read" in episode.reason
    assert "Ann Aa" in await list_names(graph)


@pytest.mark.requirement("F22-bad-clock")
async def test_clocks_that_jump_lose_nothing(tmp_path: Path):
    times = iter([datetime(2026, 5, 1, tzinfo=UTC), *[datetime(1999, 1, 1, tzinfo=UTC)] * 50])
    clock = lambda: next(times)  # noqa: E731 (a clock that was set back)
    store = SqlGraphStore(MemoryFile(tmp_path / "memory.db"), TENANT, clock)
    graph = NativeGraphAdapter(store, embedder=None, clock=clock)
    await graph.add_episode(
        NewEpisode(scope=SCOPE, content="I live in Rome.", source=MemorySource())
    )
    await graph.add_episode(NewEpisode(scope=SCOPE, content="I like Tea.", source=MemorySource()))
    assert (await graph.process_pending()).synced == 2
    assert await list_facts(graph, "I") == ["I like Tea.", "I live in Rome."]


def _two_groups() -> Sequence[str]:
    """Tell of two groups of four who know each other, and of one who knows somebody there."""
    groups = ("Ann Aa", "Ben Aa", "Cy Aa", "Dan Aa"), ("Kim Bb", "Lea Bb", "Mia Bb", "Noa Bb")
    told = [
        f"{one} likes {other}."
        for group in groups
        for one in group
        for other in group
        if one < other
    ]
    return [*told, "Ann Aa likes Kim Bb."]
