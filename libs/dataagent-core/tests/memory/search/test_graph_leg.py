"""From entities that a query names to the memories that rest on them."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from searched_memories import LOCAL, NOW, SCOPE

from dataagent_core.errors import StorageError
from dataagent_core.memory.graph.graph_service import NewEpisode
from dataagent_core.memory.graph.native_graph_adapter import NativeGraphAdapter
from dataagent_core.memory.graph.sql.sql_graph_store import SqlGraphStore
from dataagent_core.memory.memory import MemoryMetadata, MemorySource
from dataagent_core.memory.memory_service import MemoryService
from dataagent_core.memory.search import hybrid_search
from dataagent_core.memory.search.found_memory import FoundMemory
from dataagent_core.memory.search.memory_query import MemoryQuery
from dataagent_core.memory.search_index import Match
from dataagent_core.memory.sql.memory_file import MemoryFile
from dataagent_core.memory.sql.store.sql_memory_store import SqlMemoryStore

TEXT = "Marta Silva works at Lumen Ceramics in Ghent."


async def _search(path: Path, source: MemorySource, episode_id: str) -> list[FoundMemory]:
    """Keep an episode and a memory that came from it, which shares no word with the query."""
    file = MemoryFile(path / "memory.db")
    graph_store = SqlGraphStore(file, "t", clock=lambda: NOW)
    graph = NativeGraphAdapter(graph_store, embedder=LOCAL, clock=lambda: NOW)
    episode = NewEpisode(
        id="e1", scope=SCOPE, content=TEXT, source=source, created_at=NOW, is_tainted=False
    )
    await graph.add_episode(episode)
    await graph.process_pending()
    store = SqlMemoryStore(file, "t")
    service = MemoryService(store, graph_store=graph_store, clock=lambda: NOW)
    metadata = MemoryMetadata(scope=SCOPE, source=source, episode_id=episode_id)
    await service.add("The kiln broke on Thursday", metadata)
    await service.add("Nothing of that kind", MemoryMetadata(scope=SCOPE))
    return await service.search("Who is Marta Silva?", SCOPE)


async def test_a_memory_that_came_from_an_episode_is_found_by_who_is_in_it(tmp_path: Path) -> None:
    (found,) = await _search(tmp_path, MemorySource(), "e1")
    assert found.memory.content == "The kiln broke on Thursday"
    assert "graph" in {leg.name for leg in found.legs}


async def test_a_memory_of_the_same_events_is_found_too(tmp_path: Path) -> None:
    source = MemorySource(session_id="s", seq_first=3, seq_last=3)
    (found,) = await _search(tmp_path, source, "")
    assert found.memory.content == "The kiln broke on Thursday"
    assert "graph" in {leg.name for leg in found.legs}


class LostGraph(SqlGraphStore):
    """A graph in a database that is down, or never answers."""

    hangs = False

    async def match_words(self, *asked: Any, **more: Any) -> list[Match]:
        if self.hangs:
            await asyncio.Event().wait()
        raise StorageError("Neo4j cannot be reached.")


@pytest.mark.parametrize(("hangs", "problem"), [(False, "cannot be reached"), (True, "too long")])
async def test_a_graph_that_is_down_leaves_words_and_meaning_and_the_result_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, hangs: bool, problem: str
) -> None:
    monkeypatch.setattr(hybrid_search, "_GRAPH_WAIT_S", 0.2)
    file = MemoryFile(tmp_path / "memory.db")
    graph_store = LostGraph(file, "t")
    graph_store.hangs = hangs
    service = MemoryService(SqlMemoryStore(file, "t"), embedder=LOCAL, graph_store=graph_store)
    await service.add("Marta Silva likes tea", MemoryMetadata(scope=SCOPE))
    found = await service.find(MemoryQuery(text="Who is Marta Silva?", scopes=[SCOPE], limit=5))
    assert [one.memory.content for one in found.results] == ["Marta Silva likes tea"]
    assert problem in found.problem
    assert found.embedder == LOCAL.name
