"""What a run is told of memories: what fits, with its source, and nothing else."""

from pathlib import Path
from typing import Any

from plan_scripts import find
from remembering import Person

from dataagent_core.memory.hygiene.recall_mark import RECALL_BEGIN, RECALL_END
from dataagent_core.permissions.tool_groups import GROUPS


def sent(played: Any) -> str:
    """Return the last message of the person as the model got it."""
    return str(played.requests[-1][-1].content)


async def test_what_was_said_in_one_session_is_recalled_in_another_with_its_source(
    tmp_path: Path,
) -> None:
    person = Person(tmp_path)
    events, _ = await person.say("My favourite colour is teal.", "one")
    assert [event.change for event in find(events, "memory_changed")] == ["added"]
    events, played = await person.say("What is my favourite colour?", "two")
    (recalled,) = find(events, "memory_recalled")
    (memory,) = recalled.memories
    assert "teal" in memory["content"]
    assert memory["source"]["session_id"] == "one"
    assert memory["legs"]
    note = sent(played).partition(RECALL_BEGIN)[2]
    assert '1. "My favourite colour is teal", said by the person, ' in note
    assert "session one" in note
    assert note.rstrip().endswith(RECALL_END)
    (kept,) = await person.memories()
    assert kept.access_count == 1


async def test_a_message_that_nothing_fits_is_sent_as_it_is(tmp_path: Path) -> None:
    person = Person(tmp_path)
    await person.remember("My favourite colour is teal")
    events, played = await person.say("Sort the list 3, 1, 2", "two")
    assert find(events, "memory_recalled") == []
    assert sent(played) == "Sort the list 3, 1, 2"


async def test_a_run_without_memories_sends_what_one_without_memory_sends(tmp_path: Path) -> None:
    """No note, no tool, no skill, no sub-agent and no line of the prompt: it pays nothing."""
    person = Person(tmp_path, memory_learning=False)
    with_memory = (await person.say("hello there", "one"))[1]
    without = (await person.say("hello there", "two", withheld_tools=GROUPS["memory"]))[1]
    assert with_memory.tools == without.tools
    assert told(with_memory) == told(without)


def told(played: Any) -> list[str]:
    return [str(message.content) for request in played.requests for message in request]
