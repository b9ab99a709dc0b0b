"""A person chooses how text files are read, of a named source and of a file of their own."""

from urllib.parse import quote

import pytest
from shop_server import Asker, Shop

DATES = "day,v\n" + "".join(f"{month:02}/01/2024,{month}\n" for month in range(1, 13))
LAST = "SELECT max(day) AS last FROM {table}"
AUTO = {"dates": "auto", "decimals": "auto", "encoding": "auto"}


async def put(asker: Asker, path: str, content: bytes) -> None:
    space = (await asker.fetch("GET", "/workspaces/default"))["workspace_id"]
    answer = await asker.live.http.put(
        f"/api/v1/workspaces/{space}/files/content?path={quote(path)}",
        content=content,
        headers=asker.caller.headers,
    )
    assert answer.status_code < 300, answer.text


async def test_a_named_source_is_read_the_other_way_from_the_next_question_on(shop: Shop):
    ann = await shop.asker("ann")
    (shop.folder / "days.csv").write_text(DATES)
    made = await shop.add(ann)
    assert made["reading"] == AUTO
    sql = LAST.format(table="days")
    first = await ann.query(sql)
    assert first["rows"] == [["2024-12-01"]]
    assert "or the source's option --dates dmy)" in first["notes"][0]
    changed = await ann.fetch("PATCH", "/data/sources/shop", {"reading": {"dates": "dmy"}})
    assert changed["reading"] == {**AUTO, "dates": "dmy"}
    second = await ann.query(sql)
    assert second["rows"] == [["2024-01-12"]]
    assert second["notes"] == [
        "days.csv: column day: 01/01/2024 is read as day, month, year, as a person chose"
    ]
    told = await ann.fetch("GET", "/data/tables/describe", source="shop", table="days")
    assert told["table"]["notes"] == second["notes"]
    await ann.fetch("PATCH", "/data/sources/shop", {"reading": {"dates": "auto"}})
    assert (await ann.query(sql))["rows"] == first["rows"]


async def test_an_export_of_a_cut_result_is_refused_after_another_choice(shop: Shop):
    ann = await shop.asker("ann")
    (shop.folder / "days.csv").write_text(DATES)
    await shop.add(ann)
    cut = await ann.query("SELECT day FROM days ORDER BY v", max_rows=1)
    place = f"/data/results/{cut['result_id']}/export"
    assert (await ann.ask("GET", place)).text.splitlines()[-1] == "2024-12-01"
    await ann.fetch("PATCH", "/data/sources/shop", {"reading": {"dates": "dmy"}})
    refused = await ann.ask("GET", place)
    assert refused.status_code == 422
    assert "read in another way now" in refused.json()["message"]
    assert (await ann.ask("GET", place, rows="kept")).text.splitlines()[-1] == "2024-01-01"


@pytest.mark.parametrize(
    ("reading", "said"),
    [
        ({"dates": "dym"}, "'dmy'"),
        ({"encoding": "klingon"}, "'cp1250'"),
        ({"colour": "red"}, "colour"),
    ],
)
async def test_what_nobody_can_choose_is_refused_with_what_one_can(
    shop: Shop, reading: dict[str, str], said: str
):
    ann = await shop.asker("ann")
    await shop.add(ann)
    answer = await ann.ask("PATCH", "/data/sources/shop", {"reading": reading})
    assert (answer.status_code, said in answer.text) == (422, True), answer.text


async def test_an_uploaded_file_is_read_as_its_owner_chose_and_as_nobody_else_did(shop: Shop):
    ann = await shop.asker("ann")
    ben = await shop.colleague(ann, "ben")
    path, sql = "/uploads/days.csv", LAST.format(table="days")
    for person in (ann, ben):
        await put(person, path, DATES.encode())
    await ann.query(sql, path)
    place = "/data/files/reading"
    assert await ann.fetch("GET", place, path=path) == {"path": path, "reading": AUTO}
    changed = await ann.fetch("PATCH", place, {"dates": "dmy"}, path="uploads//days.csv")
    assert changed == {"path": path, "reading": {**AUTO, "dates": "dmy"}}
    assert await ann.fetch("GET", place, path=path) == changed
    assert (await ann.query(sql, path))["rows"] == [["2024-01-12"]]
    assert (await ann.query(sql, "uploads/days.csv"))["rows"] == [["2024-01-12"]]
    assert (await ben.query(sql, path))["rows"] == [["2024-12-01"]]
    # It stays with the next file of that name, until it is taken away.
    await put(ann, path, DATES.encode() + b"02/02/2024,2\n")
    assert (await ann.query(sql, path))["rows"] == [["2024-02-02"]]
    await ann.fetch("PATCH", place, {"dates": "mdy", "encoding": "cp1250"}, path=path)
    await ann.fetch("PATCH", place, {"dates": "auto", "encoding": "auto"}, path=path)
    assert await ann.fetch("GET", place, path=path) == {"path": path, "reading": AUTO}


async def test_only_data_files_that_are_there_can_be_chosen_for(shop: Shop):
    ann = await shop.asker("ann")
    ben = await shop.colleague(ann, "ben", "viewer")
    place, wish = "/data/files/reading", {"dates": "mdy"}
    missing = await ann.ask("PATCH", place, wish, path="/uploads/no.csv")
    assert (missing.status_code, missing.json()["error_code"]) == (404, "NOT_FOUND")
    await put(ann, "/uploads/x.db", b"SQLite format 3\0")
    wrong = await ann.ask("PATCH", place, wish, path="/uploads/x.db")
    assert (wrong.status_code, "is sqlite. Leave them out." in wrong.text) == (422, True)
    assert (await ben.ask("PATCH", place, wish, path="/uploads/no.csv")).status_code == 403
