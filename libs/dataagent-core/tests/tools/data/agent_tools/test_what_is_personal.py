"""Personal columns are known by marks, names and values, and stay known wherever they go."""

from pathlib import Path

import pytest
from query_services import open_queries

from dataagent_core.config.limits import PRIVACY_SAMPLE_FRESH_S
from dataagent_core.errors import QueryRefusedError
from dataagent_core.tools.data.privacy.sampled_kinds import SampledKinds
from dataagent_core.tools.data.query_service import QueryService
from dataagent_core.tools.data.results.result_preview import render_preview
from dataagent_core.tools.data.results.result_reader import read_page
from dataagent_core.tools.data.results.stored_result import StoredResult, parse_personal_kinds
from dataagent_core.tools.data.sources.source_spec import SourceSpec

NUMBERS = ("13812345678", "13912345679", "13712345670")


@pytest.fixture
def people(tmp_path: Path) -> Path:
    file = tmp_path / "people.csv"
    rows = [
        f"{n},Person {n},p{n}@corp.com,{number},{number},City{n}"
        for n, number in enumerate(NUMBERS)
    ]
    header = "id,full_name,customer.email,how,line_int,city"
    file.write_text("\n".join([header, *rows]) + "\n")
    return file


async def shown(queries: QueryService, kept: StoredResult) -> str:
    return render_preview(await read_page(queries.results, kept.result_id, 0, 100)).text


async def test_a_dot_in_a_columns_name_hides_nothing_of_it(people: Path, tmp_path: Path):
    async with open_queries(tmp_path) as queries:
        kept = await queries.query(str(people), 'SELECT reverse("customer.email") AS z FROM people')
    assert parse_personal_kinds(kept) == {"z": "email"}


@pytest.mark.parametrize("alias", ["x[1]", "a.b", "a=b", "*", "a?c"])
async def test_any_alias_stays_marked_through_results(people: Path, tmp_path: Path, alias: str):
    async with open_queries(tmp_path) as queries:
        kept = await queries.query(str(people), f'SELECT full_name AS "{alias}", city FROM people')
        again = await queries.query(
            "results", f'SELECT "{alias}" AS y, city AS c FROM {kept.result_id}'
        )
        assert parse_personal_kinds(again) == {"y": "name"}
        assert "Person" not in await shown(queries, again)


async def test_a_column_is_personal_by_its_values_whatever_its_name(people: Path, tmp_path: Path):
    async with open_queries(tmp_path) as queries:
        kept = await queries.query(str(people), "SELECT how, line_int + 0 AS n, city FROM people")
        text = await shown(queries, kept)
    assert parse_personal_kinds(kept) == {"how": "phone", "n": "phone"}
    assert not [number for number in NUMBERS if number in text]


async def test_the_owners_word_that_it_is_not_goes_before_what_values_show(
    people: Path, tmp_path: Path
):
    spec = SourceSpec(
        name="p", kind="files", location=str(people), not_personal=("people.line_int",)
    )
    async with open_queries(tmp_path, spec) as queries:
        kept = await queries.query("p", "SELECT how, line_int FROM people")
    assert parse_personal_kinds(kept) == {"how": "phone"}


async def test_a_file_that_changed_is_looked_at_again(people: Path, tmp_path: Path):
    async with open_queries(tmp_path) as queries:
        assert (await queries.query(str(people), "SELECT city FROM people")).personal == ()
        people.write_text("city,more\n" + "".join(f"{number},1\n" for number in NUMBERS))
        kept = await queries.query(str(people), "SELECT city, more FROM people")
    assert parse_personal_kinds(kept) == {"city": "phone"}


async def test_the_columns_of_a_view_are_known_by_name_and_by_values(tmp_path: Path):
    import sqlite3

    file = tmp_path / "shop.db"
    with sqlite3.connect(file) as database:
        database.execute("CREATE TABLE people (email TEXT, full_name TEXT)")
        rows = [(f"p{n}@corp.com", f"Person {n}") for n in range(5)]
        database.executemany("INSERT INTO people VALUES (?, ?)", rows)
        database.execute("CREATE VIEW v AS SELECT email AS x, full_name FROM people")
    async with open_queries(tmp_path) as queries:
        kept = await queries.query(str(file), "SELECT upper(x) AS x, full_name AS y FROM v")
    assert parse_personal_kinds(kept) == {"x": "email", "y": "name"}


async def test_personal_values_do_not_become_names_of_columns(people: Path, tmp_path: Path):
    async with open_queries(tmp_path) as queries:
        for sql in (
            "PIVOT people ON full_name USING count(*)",
            "SELECT * FROM (PIVOT people ON upper(how::VARCHAR) USING count(*))",
        ):
            with pytest.raises(QueryRefusedError, match="would name columns after personal values"):
                await queries.query(str(people), sql)
        listed = "PIVOT people ON full_name IN ('Person 1') USING count(*) GROUP BY city"
        assert (await queries.query(str(people), listed)).row_count == 3
        assert (await queries.query(str(people), "PIVOT people ON city USING count(*)")).row_count
        kept = await queries.query(str(people), "SELECT full_name AS n, city FROM people")
        with pytest.raises(QueryRefusedError, match="would name columns"):
            await queries.query("results", f"PIVOT {kept.result_id} ON n USING count(*)")


async def test_two_columns_of_one_name_are_masked_if_one_is_personal(people: Path, tmp_path: Path):
    async with open_queries(tmp_path) as queries:
        kept = await queries.query(str(people), "SELECT full_name AS x, 1 AS x FROM people")
        assert "Person" not in await shown(queries, kept)


async def test_a_look_grows_old_and_what_was_personal_stays_so(tmp_path: Path):
    import sqlite3

    file, now = tmp_path / "shop.db", [0.0]
    with sqlite3.connect(file) as database:
        database.execute("CREATE TABLE t (x TEXT)")
        database.execute("INSERT INTO t VALUES ('word')")
    async with open_queries(tmp_path) as queries:
        opened = await queries.open_source(str(file))
        catalogue = await opened.catalogue.get()
        sampled = SampledKinds(opened.engine, clock=lambda: now[0])

        async def seen() -> dict[str, str]:
            return await sampled.of(catalogue, catalogue.tables[0], ["x"])

        assert await seen() == {}
        with sqlite3.connect(file) as database:
            database.execute("DELETE FROM t")
            rows = [(f"p{n}@corp.com",) for n in range(9)]
            database.executemany("INSERT INTO t VALUES (?)", rows)
        assert await seen() == {}
        now[0] = PRIVACY_SAMPLE_FRESH_S
        assert await seen() == {"x": "email"}
        with sqlite3.connect(file) as database:
            database.execute("UPDATE t SET x = 'word'")
        now[0] *= 3
        assert await seen() == {"x": "email"}
