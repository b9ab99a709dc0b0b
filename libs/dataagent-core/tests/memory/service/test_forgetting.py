"""Forgetting leaves no byte of the text in any table or file, and its receipt says so."""

import sqlite3
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest
from remembered import OWNER, SCOPE, Remembering

from dataagent_core.config import Settings
from dataagent_core.engine.assembly.local_memory import open_memory
from dataagent_core.errors import NotFoundError, StorageError
from dataagent_core.memory.changes.merge import list_sources
from dataagent_core.memory.erasure.notes_file import NotesFiles, holds_text
from dataagent_core.memory.graph.extraction.memory_rules import Turn
from dataagent_core.memory.graph.graph_service import NewEpisode
from dataagent_core.memory.graph.native_graph_adapter import NativeGraphAdapter
from dataagent_core.memory.graph.sql.sql_graph_store import SqlGraphStore
from dataagent_core.memory.memory import Memory, MemoryMetadata, MemoryScope, MemorySource
from dataagent_core.memory.memory_results import SourcePlace
from dataagent_core.memory.memory_service import MemoryService
from dataagent_core.memory.sql.memory_file import MemoryFile
from dataagent_core.memory.sql.store.sql_memory_store import SqlMemoryStore
from dataagent_core.models.embeddings.kept_vectors import KeptVectors
from dataagent_core.models.embeddings.local.wordllama_embedder import WordLlamaEmbedder

SECRET_LIFE = "I collect Ottoman stamps from Bursa"


def find_bytes(folder: Path, text: str) -> list[str]:
    """Find the files of a folder that hold a text, in any encoding SQLite or we use."""
    forms = (text.encode(), text.casefold().encode(), text.encode("utf-16-le"))
    return [
        path.name
        for path in folder.rglob("*")
        if path.is_file() and any(form in path.read_bytes() for form in forms)
    ]


def find_rows(file: Path, text: str) -> list[str]:
    """Find the tables of a database that hold a text."""
    connection = sqlite3.connect(file)
    try:
        tables = [
            name
            for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        ]
        return [
            name
            for name in tables
            for row in connection.execute(f'SELECT * FROM "{name}"')
            if any(
                text.casefold()
                in (one.decode(errors="replace") if isinstance(one, bytes) else str(one)).casefold()
                for one in row
            )
        ]
    finally:
        connection.close()


@pytest.mark.requirement("F22-2-forget")
async def test_nothing_of_a_forgotten_memory_is_left(world: Remembering, tmp_path: Path):
    notes = tmp_path / "agent.md"
    notes.write_text(f"# Notes\n- {SECRET_LIFE}.\n- Answers in German\n", "utf-8")
    world.service = MemoryService(
        world.store,
        log=world.talk.log,
        messages=world.talk.messages,
        embedder=WordLlamaEmbedder(),
        notes=NotesFiles(lambda owner: [notes, tmp_path / "missing.md"]),
        clock=world.clock,
    )
    await world.talk.person(f"{SECRET_LIFE}. And I live in Berlin.")
    known = await world.learn(SECRET_LIFE, quote=SECRET_LIFE)
    # The same in another scope, and a message that holds it.
    org = MemoryScope.of_organisation(SCOPE.tenant_id, SCOPE.user_id)
    await world.service.add(SECRET_LIFE, MemoryMetadata(scope=org))
    await world.learn(f"{SECRET_LIFE}. And I live in Berlin.", "context")
    other = await world.say("I like green tea")
    for number in range(50):
        await world.say(f"Invoice {number} was paid in Berlin")
    assert find_bytes(tmp_path, SECRET_LIFE) != []

    receipt = await world.service.delete(known.id, OWNER)

    assert receipt.remaining == {}
    assert (receipt.removed["memories"], receipt.notes_changed) == (3, 1)
    assert receipt.still_in == (SourcePlace(session_id="s1", seq_first=1, seq_last=1),)
    assert find_rows(world.path, SECRET_LIFE) == []
    assert find_bytes(tmp_path, SECRET_LIFE) == []
    assert notes.read_text("utf-8") == "# Notes\n- Answers in German\n"
    found = await world.service.search("Ottoman stamps from Bursa", (SCOPE, org))
    assert [one for one in found if "Ottoman" in one.memory.content] == []
    with pytest.raises(NotFoundError):
        await world.service.get(known.id, OWNER)
    assert await world.service.get(other.id, OWNER) == other


async def test_the_graph_forgets_what_rests_on_it(tmp_path: Path):
    file = MemoryFile(tmp_path / "memory.db")
    graph_store = SqlGraphStore(file, SCOPE.tenant_id)
    embedder = KeptVectors(WordLlamaEmbedder())
    graph = NativeGraphAdapter(graph_store, embedder=embedder)
    service = MemoryService(
        SqlMemoryStore(file, SCOPE.tenant_id), embedder=embedder, graph=graph,
        graph_store=graph_store,
    )  # fmt: skip
    began = datetime(2026, 1, 1, tzinfo=UTC)
    said = ("I work at Oblomov Brothers since 2020.", "Green tea is fine.")
    await service.import_turns(SCOPE, "chat", [Turn(text=one, at=began) for one in said])
    assert find_rows(tmp_path / "memory.db", "Oblomov") != []
    (known,) = [
        one
        for one in await service.get_by_user(OWNER)
        if one.type == "fact" and "Oblomov" in one.content
    ]
    receipt = await service.delete(known.id, OWNER)
    assert receipt.remaining == {}
    assert receipt.removed["memories"] == 2
    assert find_rows(tmp_path / "memory.db", "Oblomov") == []
    assert find_bytes(tmp_path, "Oblomov") == []
    assert not any("Oblomov" in text for text in embedder._kept)  # pyright: ignore[reportPrivateUsage]
    assert len(await graph.list_episodes([SCOPE], limit=9)) == 1


async def test_the_receipt_counts_what_still_holds_the_text_of_this_person_alone(
    world: Remembering,
):
    known = await world.say("green tea")
    await world.say("I like green tea and coffee")
    stranger = MemoryScope.of_user(SCOPE.tenant_id, "eve", "helper")
    await world.service.add("green tea", MemoryMetadata(scope=stranger))
    receipt = await world.service.delete(known.id, OWNER)
    assert receipt.remaining == {"memories": 1}
    assert len(await world.service.search("green tea", stranger)) == 1


async def test_a_conversation_that_is_gone_is_not_named(world: Remembering):
    await world.talk.person("I live in Berlin")
    known = await world.learn("I live in Berlin")
    await world.talk.log.delete(world.talk.session_id)
    assert (await world.service.delete(known.id, OWNER)).still_in == ()


async def test_what_was_closed_is_forgotten_as_well(world: Remembering):
    old = await world.say("I live in Berlin")
    await world.say("I live in Paris")
    await world.service.delete(old.id, OWNER)
    assert find_rows(world.path, "I live in Berlin") == []


@pytest.mark.parametrize(
    ("line", "text", "holds"),
    [
        ("- I like Green  Tea.", "green tea", True),
        ("- the team meets", "tea", False),
        ("- tea", "tea", True),
        ("喜欢喝绿茶", "绿茶", True),
        ("我用AI工作", "AI", True),
        ("second line of it", "first line\nsecond line of it", True),
        ("is", "this\nis", False),
        ("anything", "", False),
    ],
)
def test_a_line_of_notes_holds_a_text_as_whole_words(line: str, text: str, *, holds: bool):
    assert holds_text(line, text) == holds


async def test_notes_that_are_links_or_no_text_are_left_as_they_are(tmp_path: Path):
    target, link, raw = (tmp_path / name for name in ("target.md", "link.md", "raw.md"))
    target.write_text("green tea\n", "utf-8")
    link.symlink_to(target)
    raw.write_bytes(b"\xff\xfe line\ngreen tea\nlast")
    notes = NotesFiles(lambda owner: [link, raw])
    assert await notes.remove(OWNER, "green tea") == 1
    assert target.read_text("utf-8") == "green tea\n"
    assert raw.read_bytes() == b"\xff\xfe line\nlast"


class StrictGraph(NativeGraphAdapter):
    """A graph whose database can be down."""

    is_down = False

    async def forget_memory(
        self, scopes: Sequence[MemoryScope], memory: Memory
    ) -> Mapping[str, int]:
        if self.is_down:
            raise StorageError("Neo4j cannot be reached.")
        return await super().forget_memory(scopes, memory)


def make_graphed(path: Path, notes: Path | None = None) -> tuple[MemoryService, StrictGraph]:
    file = MemoryFile(path)
    graph = StrictGraph(SqlGraphStore(file, SCOPE.tenant_id), embedder=None)
    service = MemoryService(
        SqlMemoryStore(file, SCOPE.tenant_id),
        graph=graph,
        notes=NotesFiles(lambda owner: [notes] if notes else []),
    )
    return service, graph


async def keep_episodes(graph: NativeGraphAdapter, *texts: str) -> list[str]:
    added = await graph.add_episodes(
        [NewEpisode(scope=SCOPE, content=text, source=MemorySource()) for text in texts]
    )
    return [one.id for one in added]


@pytest.mark.requirement("F22-2-forget")
async def test_what_a_graph_that_is_down_keeps_is_forgotten_by_the_next_try(tmp_path: Path):
    notes = tmp_path / "agent.md"
    notes.write_text(f"- {SECRET_LIFE}\n", "utf-8")
    service, graph = make_graphed(tmp_path / "memory.db", notes)
    await keep_episodes(graph, f"{SECRET_LIFE}.")
    known = await service.add(SECRET_LIFE, MemoryMetadata(scope=SCOPE))
    graph.is_down = True
    with pytest.raises(StorageError):
        await service.delete(known.id, OWNER)
    assert await service.get(known.id, OWNER) == known
    graph.is_down = False
    receipt = await service.delete(known.id, OWNER)
    assert (receipt.remaining, receipt.notes_changed) == ({}, 1)
    assert (receipt.removed["memories"], receipt.removed["graph_episodes"]) == (1, 1)
    assert find_bytes(tmp_path, SECRET_LIFE) == []


@pytest.mark.requirement("F22-2-forget")
async def test_episodes_of_merged_and_alike_memories_go_as_well(tmp_path: Path):
    service, graph = make_graphed(tmp_path / "memory.db")
    long = f"I have collected stamps {'for years ' * 50}"
    said = ("Stamps: I collect them", long, "I collected stamps here")
    await keep_episodes(graph, *said, "I like tea")
    org = MemoryScope.of_organisation(SCOPE.tenant_id, SCOPE.user_id)
    _, merged, alike = [
        await service.add(
            "The user collects stamps",
            MemoryMetadata(scope=scope, source=MemorySource(session_id=quote, quote=quote)),
        )
        for scope, quote in zip((SCOPE, SCOPE, org), said, strict=True)
    ]
    assert len(list_sources(merged)) == 2
    receipt = await service.delete(alike.id, OWNER)
    assert receipt.remaining == {}
    (left,) = await graph.list_episodes([SCOPE], limit=9)
    assert left.content == "I like tea"


async def test_a_short_text_takes_nothing_that_holds_it_in_a_longer_word(tmp_path: Path):
    service, graph = make_graphed(tmp_path / "memory.db")
    _, kept, _ = await keep_episodes(graph, "I study AI at night", "The MAIN road", "我用AI工作")
    source = MemorySource(session_id="s", seq_first=1, seq_last=1)
    other = await service.add("The MAIN road", MemoryMetadata(scope=SCOPE, source=source))
    known = await service.add("AI", MemoryMetadata(scope=SCOPE, source=source))
    assert (await service.delete(known.id, OWNER)).remaining == {}
    assert [one.id for one in await graph.list_episodes([SCOPE], limit=9)] == [kept]
    assert await service.get(other.id, OWNER) == other


async def test_a_graph_that_is_switched_off_forgets_all_the_same(tmp_path: Path):
    graph = open_memory(Settings(), SCOPE.tenant_id, tmp_path).graph
    assert graph is not None
    await graph.add_episode(NewEpisode(scope=SCOPE, content=SECRET_LIFE, source=MemorySource()))
    without = open_memory(Settings(use_native_graph_adapter=False), SCOPE.tenant_id, tmp_path)
    assert without.graph is None
    known = await without.service.add(SECRET_LIFE, MemoryMetadata(scope=SCOPE))
    receipt = await without.service.delete(known.id, OWNER)
    assert (receipt.remaining, receipt.removed["graph_episodes"]) == ({}, 1)
    assert await graph.list_episodes([SCOPE], limit=9) == []
