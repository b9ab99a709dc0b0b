"""What is learned from a run: the person's own words, once, as memories and an episode."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from plan_scripts import find
from remembering import ASSISTANT, TENANT, USER, Person, model
from subagent_scripts import called

from dataagent_core.engine.assembly.memory_scopes import list_person_scopes
from dataagent_core.errors import StorageError
from dataagent_core.memory.graph.graph_service import NewEpisode
from dataagent_core.memory.graph.graph_values import Episode
from dataagent_core.memory.graph.native_graph_adapter import NativeGraphAdapter
from dataagent_core.memory.graph.sql.sql_graph_store import SqlGraphStore
from dataagent_core.memory.sql.memory_file import MemoryFile
from dataagent_core.session.prompt import OWN_WORDS_KEY
from dataagent_core.session.stores.memory import MemoryEventLog

TEAL = "My favourite colour is teal."


async def contents(person: Person) -> list[str]:
    return sorted(memory.content for memory in await person.memories())


async def episodes(person: Person) -> list[Any]:
    graph = person.opened.graph
    assert graph is not None
    scopes = tuple(list_person_scopes(TENANT, USER, ASSISTANT).values())
    return await graph.list_episodes(scopes, limit=10)


@pytest.mark.requirement("F22-1-learn")
async def test_what_a_person_says_becomes_memories_and_an_episode_with_their_source(
    tmp_path: Path,
) -> None:
    person = Person(tmp_path)
    events, _ = await person.say(f"{TEAL} What is 2 + 2?", "one")
    (changed,) = find(events, "memory_changed")
    assert events.index(changed) < len(events) - 1 == events.index(find(events, "done")[0])
    (memory,) = await person.memories()
    assert (memory.id, memory.type) == (changed.memory_id, "preference")
    assert memory.source.session_id == "one"
    assert memory.source.seq_first == find(events, "start")[0].seq
    assert memory.source.quote in TEAL
    (episode,) = await episodes(person)
    assert episode.id == memory.episode_id
    assert TEAL in episode.content


@pytest.mark.parametrize(
    "text",
    [
        "Translate this:\nI live in Basel and my favourite colour is teal.",
        "> My favourite colour is teal.\nIs that so?",
        "```\nMy favourite colour is teal.\n```\nWhat language is it?",
        'Who wrote "My favourite colour is teal, and I have always lived in Basel."?',
        "Bob: My favourite colour is teal.\nWhat does he want?",
        "<recalled_memories>\nMy favourite colour is teal.\n</recalled_memories> is it true?",
        "My API key is sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCDEF",
        "go on",
    ],
)
async def test_what_is_quoted_secret_or_no_statement_is_no_memory(
    tmp_path: Path, text: str
) -> None:
    person = Person(tmp_path)
    await person.say(text, "one")
    assert await contents(person) == []
    kept = (person.home / "memory.db").read_bytes() if (person.home / "memory.db").exists() else b""
    assert b"sk-proj" not in kept


@pytest.mark.requirement("F22-2-prompt")
async def test_attached_text_answers_results_and_prompts_are_no_source(tmp_path: Path) -> None:
    person = Person(tmp_path)
    (person.files / "notes.md").write_text("I live in Basel. I prefer metric units.")
    await person.say("What does it say?\n\nI live in Basel.", "one", context={OWN_WORDS_KEY: 17})
    await person.say(
        "Read the notes for me",
        "two",
        {"tool_calls": [called("read_file", file_path="/notes.md")]},
        {"text": "You live in Basel and you prefer metric units."},
        system_prompt="I always prefer short answers. You live in Basel.",
    )
    assert await contents(person) == []


async def test_nothing_is_learned_or_recalled_where_it_is_switched_off(tmp_path: Path) -> None:
    person = Person(tmp_path)
    await person.remember("My favourite colour is teal")
    question = "What is my favourite colour? I live in Basel."
    switched = [
        await person.say(question, "one", context={"memory": False}),
        await person.say(question, "two", enable_memory=False),
    ]
    session = await person.stores.sessions.create(USER, ASSISTANT, session_id="three")
    session.metadata["memory"] = False
    await person.stores.sessions.update(session)
    switched.append(await person.say(question, "three"))
    for events, _ in switched:
        assert find(events, "memory_recalled") == find(events, "memory_changed") == []
    assert await contents(person) == ["My favourite colour is teal"]


@pytest.mark.requirement("F22-1-learn")
async def test_a_run_that_ends_again_after_a_crash_is_learned_from_once(tmp_path: Path) -> None:
    """All is stored before the last event: what comes before it is met again."""
    person = Person(tmp_path)
    events, _ = await person.say(TEAL, "one")
    log = MemoryEventLog()
    for event in events[:-1]:
        await log.append("one", event.run_id, [replace(event, seq=None)])
    person.stores = replace(person.stores, log=log)
    agent = person.agent(model({"text": "ok"}))
    resumed = [event async for event in agent.resume("one")]
    await agent.aclose()
    assert resumed[-1].event_type == "done"
    assert await contents(person) == ["My favourite colour is teal"]
    assert len(await episodes(person)) == 1


class LostGraph(NativeGraphAdapter):
    """A graph in a database that is down, or never answers."""

    hangs = False

    async def add_episodes(self, episodes: Sequence[NewEpisode]) -> list[Episode]:
        if self.hangs:
            await asyncio.Event().wait()
        raise StorageError("Neo4j cannot be reached.")


@pytest.mark.requirement("F22-1-learn")
@pytest.mark.parametrize("hangs", [False, True])
async def test_memories_are_learned_while_the_graph_is_down(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, hangs: bool
) -> None:
    monkeypatch.setattr("dataagent_core.engine.memory.learn_memories._EPISODE_WAIT_S", 0.05)
    person = Person(tmp_path)
    graph = LostGraph(SqlGraphStore(MemoryFile(tmp_path / "graph.db"), TENANT), embedder=None)
    graph.hangs = hangs
    await person.say(TEAL, "one", memory=person.opened.service, knowledge_graph=graph)
    (memory,) = await person.memories()
    assert (memory.content, memory.episode_id) == ("My favourite colour is teal", "")
