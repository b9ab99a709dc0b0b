"""How often a search finds the turn that answers a question: a gate for changes of the search.

Two conversations of the tuning set (`benchmarks/memory_retrieval/`), whose figures are known. The
floors are below what was measured: 0.86, and 0.63 by words alone. The figures of the test set are
in `benchmarks/RESULTS.md`.
"""

import json
from collections.abc import Sequence
from pathlib import Path
from statistics import mean
from typing import Any

import pytest
from searched_memories import LOCAL, Memories

from dataagent_core.memory.search_terms import SearchType

TUNING = Path(__file__).parents[5] / "benchmarks/memory_retrieval/tuning"
RECALL_MIN = 0.78
GAIN_MIN = 0.12


async def _add_turns(memories: Memories, read: dict[str, Any], turns: dict[str, str]) -> None:
    for number, session in enumerate(read["sessions"], start=1):
        for seq, (speaker, text) in enumerate(session["turns"], start=1):
            memory = await memories.add(
                f"{speaker}: {text}", session=f"{read['id']}-{number}", seq=seq
            )
            turns[memory.id] = f"{read['id']}:{number}:{seq}"


async def _measure(
    memories: Memories,
    conversations: Sequence[dict[str, Any]],
    turns: dict[str, str],
    search_type: SearchType,
) -> float:
    recalls: list[float] = []
    for read in conversations:
        for question in read["questions"]:
            results = (await memories.search(question["question"], search_type)).results
            found = {turns[one.memory.id] for one in results}
            recalls.append(mean(f"{read['id']}:{gold}" in found for gold in question["gold"]))
    return mean(recalls)


@pytest.mark.requirement("F22-5-quality")
async def test_the_turn_that_answers_a_question_is_among_the_first_ten(tmp_path: Path) -> None:
    conversations = [
        json.loads((TUNING / f"{name}.json").read_text(encoding="utf-8")) for name in ("t1", "t3")
    ]
    memories, turns = Memories(tmp_path, LOCAL), dict[str, str]()
    for read in conversations:
        await _add_turns(memories, read, turns)
    hybrid = await _measure(memories, conversations, turns, "hybrid")
    words = await _measure(memories, conversations, turns, "keyword")
    assert hybrid >= RECALL_MIN
    assert hybrid >= words + GAIN_MIN
