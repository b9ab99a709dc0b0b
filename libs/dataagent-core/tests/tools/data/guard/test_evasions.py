"""Attempts to get past the guard: refused, or harmless as regenerated, on engines where the login
may do everything and nothing else stands in the way."""

from collections import Counter
from pathlib import Path

import pytest
from sql_data import ENGINES, catalogue
from sql_engines import Shop
from sql_evasions import CANARY, EVASIONS
from sql_watch import prepare, seen

from dataagent_core.errors import QueryRefusedError
from dataagent_core.tools.data.guard import CheckedSql, check

pytestmark = pytest.mark.timeout(300)

# Run as they are written, these do what they say; so the watch below can see it.
_WORKING = {
    "postgres": ("select wipe()", "select pg_advisory_lock(42)", "select nextval('s')"),
    "mysql": ("select wipe()", "select get_lock('l', 1)", "select nextval(s)"),
    "duckdb": ("select nextval('s')", "delete from region", "create temp table t as select 1"),
    "sqlite": ("delete from region", "create table stolen as select 1", "pragma user_version = 9"),
}


def _checked(sql: str, shop: Shop) -> CheckedSql | None:
    try:
        return check(sql, catalogue(shop.engine))
    except QueryRefusedError:
        return None


def test_there_are_one_hundred_and_thirty_attempts_over_all_four_engines() -> None:
    counts = Counter(evasion.engine for evasion in EVASIONS)
    assert sum(counts.values()) >= 130
    assert all(counts[engine] >= 30 for engine in ENGINES)
    assert len({(e.engine, e.sql) for e in EVASIONS}) == len(EVASIONS)


def test_no_attempt_changes_or_reads_what_it_should_not(shop: Shop, folder: Path) -> None:
    place = folder / shop.engine
    canary = place / "canary.csv"
    canary.write_text(f"a\n{CANARY}\n")
    canary.chmod(0o644)
    prepare(shop)
    before = seen(shop, place)
    passed = 0
    for evasion in EVASIONS:
        if evasion.engine != shop.engine:
            continue
        checked = _checked(evasion.at(str(canary), str(place / "out")), shop)
        if checked is None:
            continue
        passed += 1
        rows = shop.ask(checked.sql)
        assert CANARY not in repr(rows), evasion
        assert set(checked.tables) <= {t.qualified for t in catalogue(shop.engine).tables}
        assert seen(shop, place) == before, evasion
    assert passed < 12  # regenerated strings and comments, and nothing else
    _the_watch_sees_what_is_done(shop, place, before)


def _the_watch_sees_what_is_done(shop: Shop, place: Path, before: dict[str, object]) -> None:
    for sql in _WORKING[shop.engine]:
        connection = shop.connection  # type: ignore[attr-defined]
        (connection.cursor() if shop.engine == "mysql" else connection).execute(sql)
        after = seen(shop, place)
        assert after != before, sql
        before = after
