"""The dates that a query names."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from searched_memories import NOW, Memories, list_ids

from dataagent_core.memory.search.named_dates import is_at, read_named_dates


@pytest.mark.parametrize(
    ("query", "dates"),
    [
        ("What did she say on 7 May 2023?", ("2023-05-07",)),
        ("the news of 2025-05-07", ("2025-05-07",)),
        ("what happened on October 24th", ("--10-24",)),
        ("What broke in March?", ("--03",)),
        ("2025年7月出了什么事", ("2025-07",)),
        ("三月二十三号他说什么", ("--03-23",)),
        ("十二月的计划", ("--12",)),
        ("May I come along? We march in 2023", ()),
        ("", ()),
    ],
)
def test_dates_are_read_as_far_as_they_are_known(query: str, dates: tuple[str, ...]) -> None:
    assert read_named_dates(query) == dates


@pytest.mark.parametrize(
    ("date", "is_meant"),
    [("2025-05-07", True), ("2025-05", True), ("--05-07", True), ("--05", True), ("--07", False)],
)
def test_a_moment_is_at_a_date_as_far_as_that_is_known(date: str, *, is_meant: bool) -> None:
    assert is_at(datetime(2025, 5, 7, 9, tzinfo=UTC), [date]) is is_meant


async def test_what_was_said_at_the_named_date_comes_first(tmp_path: Path) -> None:
    memories = Memories(tmp_path, None)
    for days in (10, 40, 70):
        await memories.add("We talked about the budget", days_old=days, session=f"s{days}", seq=1)
    said = NOW - timedelta(days=40)
    found = await memories.search(f"What about the budget on {said:%d %B %Y}?")
    assert list_ids(found)[0] == "m2"
    assert "date" in {leg.name for leg in found.results[0].legs}
