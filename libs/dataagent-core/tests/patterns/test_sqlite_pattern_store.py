"""Patterns in a file: the conformance suite, several processes, and a file that is broken."""

import asyncio
from pathlib import Path

import pytest

from dataagent_core.errors import LimitReachedError, StorageError
from dataagent_core.patterns import PatternStore, open_pattern_store
from dataagent_core.patterns.sql import sql_pattern_store
from dataagent_core.patterns.sql.sqlite_pattern_store import PatternFile
from dataagent_core.session.stores.sql.connection import SqlConnection
from dataagent_core.testing.conformance import (
    PatternStoreConformance,
    PatternStoreTenantConformance,
)
from dataagent_core.testing.conformance.patterns import TENANT, make_pattern


class TestSqlitePatterns(PatternStoreConformance):
    @pytest.fixture
    def pattern_store(self, tmp_path: Path) -> PatternStore:
        return open_pattern_store(tmp_path / "patterns.db", TENANT)


class TestSqlitePatternsOfTenants(PatternStoreTenantConformance):
    @pytest.fixture
    def pattern_store_pair(self, tmp_path: Path) -> tuple[PatternStore, PatternStore]:
        path = tmp_path / "patterns.db"
        return open_pattern_store(path, TENANT), open_pattern_store(path, "two")


async def test_a_look_makes_no_file_and_the_first_pattern_a_private_one(tmp_path: Path):
    path = tmp_path / "new" / "patterns.db"
    store = open_pattern_store(path, TENANT)
    assert await store.list_page() == []
    assert await store.find_candidates("s", ["a"]) == []
    assert not path.exists()
    await store.add(make_pattern())
    assert path.stat().st_mode & 0o777 == 0o600
    assert (await open_pattern_store(path, TENANT).get("p")) is not None


async def test_a_file_that_is_none_of_ours_says_what_to_do(tmp_path: Path):
    path = tmp_path / "patterns.db"
    path.write_text("no database " * 1_000)
    with pytest.raises(StorageError, match="move it away"):
        await open_pattern_store(path, TENANT).get("p")


async def test_what_fails_half_way_leaves_nothing(tmp_path: Path):
    store = open_pattern_store(tmp_path / "patterns.db", TENANT)
    # A term that cannot be encoded fails after the pattern's own row was written.
    with pytest.raises(UnicodeEncodeError):
        await store.add(make_pattern(entities=("good", "\ud800")))
    assert await store.get("p") is None
    assert await store.find_candidates("", ["good"]) == []


async def test_a_tenant_has_a_limit_of_patterns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(sql_pattern_store, "PATTERNS_MAX", 2)
    path = tmp_path / "patterns.db"
    store = open_pattern_store(path, TENANT)
    await store.add(make_pattern("a"))
    await store.add(make_pattern("b"))
    with pytest.raises(LimitReachedError, match="delete some"):
        await store.add(make_pattern("c"))
    await open_pattern_store(path, "two").add(make_pattern("c", tenant_id="two"))


async def test_a_search_uses_indexes_alone(tmp_path: Path):
    path = tmp_path / "patterns.db"
    store = open_pattern_store(path, TENANT)
    await store.add(make_pattern())
    plans: list[str] = []
    statement = sql_pattern_store.NEWEST_OF_TERM.format(0)

    def explain(connection: SqlConnection) -> None:
        rows = connection.execute(f"EXPLAIN QUERY PLAN {statement}", (TENANT, "a", 9))
        plans.extend(str(row[3]) for row in rows)

    await PatternFile(path).read(explain)
    searched = [plan for plan in plans if "interaction_pattern_terms" in plan]
    assert searched
    assert all("COVERING INDEX idx_pattern_terms" in plan for plan in searched)
    assert not any("TEMP B-TREE" in plan for plan in plans)


async def test_many_who_make_the_file_at_once_all_succeed(tmp_path: Path):
    # Each access has a connection of its own in a thread of its own, as in another process.
    path, names = tmp_path / "patterns.db", [f"p{number}" for number in range(12)]
    await asyncio.gather(
        *(open_pattern_store(path, TENANT).add(make_pattern(name)) for name in names)
    )
    found = await open_pattern_store(path, TENANT).list_page()
    assert sorted(one.id for one in found) == sorted(names)
