"""What stands beside a good result gains by it."""

from pathlib import Path

import pytest
from searched_memories import SCOPE, Memories, list_ids

from dataagent_core.memory.memory_store import MemoryPlace
from dataagent_core.memory.search.neighbour_leg import give_gains, merge_spans


@pytest.mark.requirement("F22-5-neighbours")
async def test_an_answer_without_a_shared_word_is_found_by_the_question_before_it(
    tmp_path: Path,
) -> None:
    memories = Memories(tmp_path, None)
    await memories.add("Where will you spend the summer holidays?", session="s", seq=5)
    answer = await memories.add("Crete, with my sister.", session="s", seq=6)
    await memories.add("The printer is broken.", session="s", seq=40)
    found = await memories.search("summer holidays")
    assert list_ids(found) == ["m1", answer.id]
    assert [leg.name for leg in found.results[1].legs if leg.share > 0.05] == ["neighbour"]


async def test_turns_of_another_session_are_no_neighbours(tmp_path: Path) -> None:
    memories = Memories(tmp_path, None)
    await memories.add("Where will you spend the summer holidays?", session="s", seq=5)
    await memories.add("Crete, with my sister.", session="other", seq=6)
    await memories.add("Typed in, of no session.")
    assert list_ids(await memories.search("summer holidays")) == ["m1"]


def test_a_nearer_neighbour_gains_more() -> None:
    places = [MemoryPlace(f"m{seq}", SCOPE, "s", seq) for seq in range(1, 6)]
    gains = give_gains(places, {"m1": 1.0})
    assert gains["m2"] > gains["m3"] > gains["m4"]
    assert "m1" not in gains
    assert "m5" not in gains


async def test_events_around_two_turns_beside_each_other_are_read_once(tmp_path: Path) -> None:
    memories = Memories(tmp_path, None)
    turns = [await memories.add("x", session="s", seq=seq) for seq in (10, 12, 40)]
    spans = merge_spans(turns)
    assert [(span.seq_first, span.seq_last) for span in spans] == [(7, 15), (37, 43)]
