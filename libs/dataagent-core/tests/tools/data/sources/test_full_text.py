"""Full-text and R-tree tables of a SQLite file are read; the tables behind them are not listed."""

import contextlib
import sqlite3
from pathlib import Path

import pytest
from asking import Asking, asking, table

from dataagent_core.errors import QueryFailedError
from dataagent_core.tools.data.guard import check

LIBRARY = """
CREATE VIRTUAL TABLE docs USING fts5(title, body);
INSERT INTO docs VALUES ('greeting', 'hello world'), ('parting', 'farewell cruel world world');
CREATE VIRTUAL TABLE older USING fts4(title);
INSERT INTO older VALUES ('an old one');
CREATE VIRTUAL TABLE places USING rtree(id, low, high);
INSERT INTO places VALUES (1, 2.0, 3.0);
CREATE TABLE plain (id INTEGER PRIMARY KEY, body TEXT);
INSERT INTO plain VALUES (7, 'kept elsewhere');
CREATE VIRTUAL TABLE outside USING fts5(body, content='plain', content_rowid='id');
INSERT INTO outside(outside) VALUES ('rebuild');
"""


@pytest.fixture
def library(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    folder.mkdir()
    with contextlib.closing(sqlite3.connect(folder / "library.db")) as made:
        made.executescript(LIBRARY)
    return folder / "library.db"


async def _asked(ask: Asking, sql: str) -> list[tuple[object, ...]]:
    return await ask.rows(check(sql, await ask.engine.catalogue()).sql)


async def test_full_text_tables_are_listed_without_the_tables_behind_them(
    library: Path, tmp_path: Path
) -> None:
    async with asking(library, tmp_path) as ask:
        found = await ask.engine.catalogue()
    assert found.notes == ()
    assert [t.name for t in found.tables] == ["docs", "older", "outside", "places", "plain"]
    assert [c.name for c in table(found, "docs").columns] == ["title", "body"]
    assert table(found, "docs").rows == 2


@pytest.mark.parametrize(
    ("sql", "rows"),
    [
        ("select title from docs order by rowid", [("greeting",), ("parting",)]),
        ("select title from docs where docs match 'hello'", [("greeting",)]),
        (
            "select title from docs where body match 'world' order by rank",
            [("parting",), ("greeting",)],
        ),
        (
            "select highlight(docs, 1, '<', '>'), bm25(docs) < 0 from docs where docs match 'hello'",
            [("<hello> world", 1)],
        ),
        ("select title from older where title match 'old'", [("an old one",)]),
        ("select rowid, body from outside where outside match 'kept'", [(7, "kept elsewhere")]),
        ("select id, low from places where low > 1", [(1, 2.0)]),
    ],
)
async def test_full_text_tables_are_searched(
    library: Path, tmp_path: Path, sql: str, rows: list[tuple[object, ...]]
) -> None:
    async with asking(library, tmp_path) as ask:
        assert await _asked(ask, sql) == rows


@pytest.mark.parametrize(
    "sql",
    [
        "INSERT INTO docs VALUES ('x', 'y')",
        "INSERT INTO docs(docs) VALUES ('rebuild')",
        "CREATE VIRTUAL TABLE temp.x USING fts5vocab('main', 'docs', 'row')",
    ],
)
async def test_a_full_text_table_is_not_written_to(library: Path, tmp_path: Path, sql: str) -> None:
    before = library.read_bytes()
    async with asking(library, tmp_path) as ask:
        with pytest.raises(QueryFailedError):
            await ask.rows(sql)
    assert library.read_bytes() == before
