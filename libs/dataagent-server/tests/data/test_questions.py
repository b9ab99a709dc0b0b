"""Data over REST, without a model: real files, real engines."""

import io
import json
import re
from datetime import datetime, timedelta
from typing import Any

import httpx
import pyarrow.parquet as pq
import pytest
from shop_server import MODEL, Asker, Shop, shop_at

from tests.server.fixtures import MakeSettings
from tests.services.mariadb import MariaDB
from tests.services.postgresql import PostgreSQL


@pytest.fixture
async def ann(shop: Shop) -> Asker:
    """An owner whose tenant has the source `shop`."""
    asker = await shop.asker("ann")
    await shop.add(asker, hidden=["orders.phone"])
    return asker


async def test_a_source_is_added_tested_looked_at_and_removed(shop: Shop):
    ann = await shop.asker("ann")
    made = await shop.add(ann, description="All orders")
    assert (made["kind"], made["place"], made["version"]) == ("files", str(shop.folder), 1)
    tested = await ann.fetch("POST", "/data/sources/shop/test")
    assert (tested["tables"], tested["warnings"]) == (1, [])
    tables = await ann.fetch("GET", "/data/tables", source="shop")
    assert [table["name"] for table in tables["items"]] == ["orders"]
    told = await ann.fetch("GET", "/data/tables/describe", source="shop", table="orders")
    assert [column["name"] for column in told["table"]["columns"]] == [
        "id", "country", "amount", "phone",
    ]  # fmt: skip
    assert "+49 151 23456789" in str(told["profile"])
    found = await ann.fetch("GET", "/data/search", query="orders")
    assert [entry["name"] for entry in found["items"]] == ["orders"]
    changed = await ann.fetch("PATCH", "/data/sources/shop", {"description": "x", "version": 1})
    assert (changed["description"], changed["version"]) == ("x", 2)
    await ann.fetch("DELETE", "/data/sources/shop")
    assert (await ann.fetch("GET", "/data/sources"))["items"] == []


@pytest.mark.requirement("F5-9")
async def test_a_query_is_checked_run_paged_exported_and_forgotten(ann: Asker):
    sql = "SELECT id, country, amount FROM orders ORDER BY id"
    checked = await ann.fetch("POST", "/data/check", {"source": "shop", "sql": sql})
    assert checked["ok"]
    assert checked["tables"] == ["orders"]
    answer = await ann.query(sql, rows=2)
    assert answer["rows"] == [[1, "DE", 10.5], [2, "DE", 4.5]]
    assert (answer["row_count"], answer["next_offset"]) == (3, 2)
    place = f"/data/results/{answer['result_id']}"
    rest = await ann.fetch("GET", f"{place}/rows", offset=2)
    assert (rest["rows"], rest["next_offset"]) == ([[3, "CN", 20.0]], None)
    known = await ann.fetch("GET", place)
    assert (known["source"], known["sha256"]) == ("shop", answer["sha256"])
    csv = await ann.ask("GET", f"{place}/export")
    assert csv.text.splitlines()[1:] == ['1,"DE",10.5', '2,"DE",4.5', '3,"CN",20']
    assert "attachment" in csv.headers["content-disposition"]
    parquet = await ann.ask("GET", f"{place}/export", format="parquet")
    assert pq.read_table(io.BytesIO(parquet.content)).num_rows == 3
    xlsx = await ann.ask("GET", f"{place}/export", format="xlsx")
    assert xlsx.content.startswith(b"PK")
    joined = await ann.query(f"SELECT count(*) AS n FROM {answer['result_id']}", "results")
    assert joined["rows"] == [[3]]
    listed = await ann.fetch("GET", "/data/results")
    assert [one["result_id"] for one in listed["items"]] == [
        answer["result_id"],
        joined["result_id"],
    ]
    await ann.fetch("DELETE", place)
    assert (await ann.ask("GET", place)).status_code == 404


def _lines(answer: httpx.Response) -> list[str]:
    assert answer.status_code == 200, answer.text
    return answer.text.splitlines()


async def test_an_export_holds_all_rows_of_a_result_that_keeps_only_the_first(shop: Shop):
    ann = await shop.asker("ann")
    await shop.add(ann)
    answer = await ann.query("SELECT id, phone FROM orders ORDER BY id", max_rows=1)
    assert (answer["row_count"], answer["truncated"]) == (1, True)
    place = f"/data/results/{answer['result_id']}/export"
    whole = _lines(await ann.ask("GET", place))
    assert whole[1:] == [
        '1,"+49 151 23456789"', '2,"+49 151 23456780"', '3,"+86 139 1234 5678"',
    ]  # fmt: skip
    parquet = await ann.ask("GET", place, format="parquet")
    assert pq.read_table(io.BytesIO(parquet.content)).num_rows == 3
    # One at a time: it may take long, and much room.
    with shop.live.services.data.limit_exports(ann.caller.who):
        second = await ann.ask("GET", place)
        assert (second.status_code, second.json()["error_code"]) == (409, "CONFLICT")
        assert len(_lines(await ann.ask("GET", place, rows="kept"))) == 2
    assert len(_lines(await ann.ask("GET", place, rows="kept"))) == 2
    # No file is left of it, and nothing more is kept.
    assert not list(shop.live.services.settings.home.rglob("drafts/*"))
    assert len((await ann.fetch("GET", "/data/results"))["items"]) == 1
    # What was hidden since is not in it.
    await ann.fetch("PATCH", "/data/sources/shop", {"hidden": ["orders.phone"]})
    hidden = await ann.ask("GET", place)
    assert (hidden.status_code, hidden.json()["error_code"]) == (422, "QUERY_FAILED")
    await ann.fetch("DELETE", "/data/sources/shop")
    gone = await ann.ask("GET", place)
    assert "keeps only the first 1 row, and its query cannot be run again" in gone.json()["message"]
    assert "There is no source 'shop'." in gone.json()["message"]
    assert len(_lines(await ann.ask("GET", place, rows="kept"))) == 2


async def test_a_look_is_shown_and_drawn_and_is_not_among_the_results(ann: Asker):
    sql = "SELECT country, sum(amount) AS money FROM orders GROUP BY country"
    for _ in range(2):
        seen = await ann.query(sql, look=True)
        assert seen["row_count"] == 2
        place = f"/data/results/{seen['result_id']}"
        assert (await ann.fetch("POST", f"{place}/chart/spec", {}))["spec"]
        known = await ann.fetch("GET", place)
        lives = _moment(known["expires_at"]) - _moment(known["created_at"])
        assert lives == timedelta(hours=1)
    assert (await ann.fetch("GET", "/data/results"))["items"] == []
    asked = await ann.query(sql)
    (listed,) = (await ann.fetch("GET", "/data/results"))["items"]
    assert listed["result_id"] == asked["result_id"]


def _moment(text: str) -> datetime:
    return datetime.fromisoformat(text)


async def test_an_export_asks_the_source_of_the_project_in_which_the_result_was_made(
    shop: Shop, ann: Asker
):
    project = await ann.fetch("POST", "/projects", {"name": "Other"})
    other = shop.folder / "other.csv"
    other.write_text("id\n7\n8\n")
    body = {"name": "shop", "location": str(other)}
    sql = "SELECT id FROM other ORDER BY id"
    query = {"source": "shop", "sql": sql, "max_rows": 1}
    at = {"project_id": project["project_id"]}
    await ann.fetch("POST", "/data/sources", body, **at)
    answer = await ann.fetch("POST", "/data/query", query, **at)
    whole = _lines(await ann.ask("GET", f"/data/results/{answer['result_id']}/export"))
    assert whole[1:] == ["7", "8"]


@pytest.mark.requirement("F5-8")
async def test_a_person_is_told_that_a_column_is_hidden(ann: Asker):
    body = {"source": "shop", "sql": "SELECT phone FROM orders"}
    refused = await ann.ask("POST", "/data/query", body)
    assert (refused.status_code, refused.json()["error_code"]) == (400, "QUERY_REFUSED")
    assert "hidden" in refused.json()["message"]
    checked = await ann.fetch("POST", "/data/check", body)
    assert "hidden" in checked["problem"]["message"]
    told = await ann.fetch("GET", "/data/tables/describe", source="shop", table="orders")
    assert "phone" not in str(told)


async def test_a_person_is_told_that_a_table_is_hidden_and_what_an_engine_quotes(shop: Shop):
    bob = await shop.asker("bob")
    await shop.add(bob, hidden=["orders"])
    missing = await bob.ask("GET", "/data/tables/describe", source="shop", table="orders")
    assert missing.status_code == 404
    assert "is hidden" in missing.json()["message"]
    eve = await shop.asker("eve")
    await shop.add(eve)
    sql = "SELECT CAST(phone AS INTEGER) FROM orders"
    failed = await eve.ask("POST", "/data/query", {"source": "shop", "sql": sql})
    assert "+49 151 23456789" in failed.json()["message"]


@pytest.mark.parametrize(
    ("sql", "code"),
    [
        ("DELETE FROM orders", "QUERY_REFUSED"), ("SELECT 1; SELECT 2", "QUERY_REFUSED"),
        ("SELECT * FROM read_csv('/etc/passwd')", "QUERY_REFUSED"),
        ("SELECT nothing FROM orders", "QUERY_REFUSED"), ("\x00", "QUERY_REFUSED"),
        ("SELECT 'x'::INTEGER FROM orders", "QUERY_FAILED"),
    ],
)  # fmt: skip
async def test_what_may_not_run_is_a_sentence(ann: Asker, sql: str, code: str):
    answer = await ann.ask("POST", "/data/query", {"source": "shop", "sql": sql})
    assert answer.json()["error_code"] == code
    assert answer.status_code < 500


@pytest.mark.parametrize("sql", ["SEL", "SELECT nothing FROM orders", "DELETE FROM orders", "\x00"])
async def test_that_sql_may_not_run_is_an_answer_to_a_check_and_no_error(ann: Asker, sql: str):
    checked = await ann.fetch("POST", "/data/check", {"source": "shop", "sql": sql})
    assert not checked["ok"]
    assert checked["problem"]["error_code"] == "QUERY_REFUSED"
    refused = await ann.ask("POST", "/data/query", {"source": "shop", "sql": sql})
    assert checked["problem"]["message"] == refused.json()["message"]
    missing = await ann.ask("POST", "/data/check", {"source": "nowhere", "sql": sql})
    assert missing.status_code == 404


async def test_an_expensive_query_runs_when_somebody_wants_it(ann: Asker):
    sql = f"SELECT count(*) AS n FROM {', '.join(f'range(600) AS r{n}(x)' for n in range(3))}"
    checked = await ann.fetch("POST", "/data/check", {"source": "shop", "sql": sql})
    assert checked["expensive"]
    answer = await ann.ask("POST", "/data/query", {"source": "shop", "sql": sql})
    told = answer.json()
    assert (answer.status_code, told["error_code"]) == (409, "CONFLICT")
    assert told["details"] == {"expensive": checked["expensive"], "est_rows": checked["est_rows"]}
    wanted = {"source": "shop", "sql": sql, "confirmed": True}
    assert (await ann.fetch("POST", "/data/query", wanted))["rows"] == [[600**3]]


@pytest.mark.parametrize(
    "sql", ["SELECT zzz FROM orders", "SELECT * FROM zzz", "DESCRIBE orders", "DELETE FROM orders"]
)
async def test_a_person_is_not_sent_to_the_tools_of_a_model(ann: Asker, sql: str):
    told = await ann.ask("POST", "/data/query", {"source": "shop", "sql": sql})
    assert told.status_code == 400
    assert not re.search(r"\b(sql|data|metric)_\w+", told.json()["message"])
    for path in ("/data/tables", "/data/tables/describe"):
        missing = await ann.ask("GET", path, source="zzz", table="orders")
        assert missing.json()["message"] == "There is no source 'zzz'."


async def test_a_file_of_the_workspace_is_a_source_by_its_path(shop: Shop):
    ann = await shop.asker("ann")
    await ann.fetch("GET", "/data/results")
    space = await ann.fetch("POST", "/workspaces", {"name": "Mine"})
    await shop.live.http.put(
        f"/api/v1/workspaces/{space['workspace_id']}/files/content",
        params={"path": "/uploads/few.csv"},
        content=b"a,b\n1,2\n3,4\n",
        headers=ann.caller.headers,
    )
    answer = await ann.query("SELECT sum(a) AS s FROM few", "/uploads/few.csv")
    assert answer["rows"] == [["4"]]
    for outside in ("/etc/passwd", "../../secret.key", "/uploads/none.csv"):
        refused = await ann.ask("POST", "/data/query", {"source": outside, "sql": "SELECT 1"})
        assert refused.status_code == 404


async def test_a_result_is_drawn(ann: Asker):
    answer = await ann.query("SELECT country, sum(amount) AS money FROM orders GROUP BY country")
    place = f"/data/results/{answer['result_id']}/chart"
    png = await ann.ask("POST", place, {"intent": "bar of money by country"})
    assert (png.status_code, png.headers["content-type"]) == (200, "image/png")
    assert png.content.startswith(b"\x89PNG")
    pdf = await ann.ask("POST", place, {"format": "pdf"})
    assert pdf.content.startswith(b"%PDF")
    svg = await ann.ask("POST", place, {"format": "svg"})
    assert b"<svg" in svg.content
    spec = await ann.fetch("POST", f"{place}/spec", {})
    assert {row["country"] for row in spec["spec"]["data"]["values"]} == {"DE", "CN"}
    wrong = {"spec": {"data": {"url": "https://evil.example/x"}, "mark": "bar"}}
    assert (await ann.ask("POST", place, wrong)).status_code == 422


@pytest.mark.requirement("F5-4")
async def test_metrics_and_verified_questions_of_a_project(ann: Asker):
    empty = await ann.fetch("GET", "/data/model")
    assert (empty["text"], empty["version"]) == ("", 0)
    stored = await ann.fetch("PUT", "/data/model", {"text": MODEL, "version": 0})
    assert (stored["text"], stored["version"]) == (MODEL, 1)
    assert (await ann.ask("PUT", "/data/model", {"text": MODEL, "version": 0})).status_code == 409
    for wrong in ("metrics: [{name: a}]", "a: *b", "[", "nothing: []", "[" * 100):
        refused = await ann.ask("PUT", "/data/model", {"text": wrong})
        assert refused.status_code == 422, wrong
        assert "semantic model" in refused.json()["message"]
    asked = {"metrics": ["revenue"], "dimensions": ["country"]}
    answer = await ann.fetch("POST", "/data/metrics/query", asked)
    assert sorted(answer["rows"]) == [["CN", 20.0], ["DE", 15.0]]
    assert (await ann.ask("POST", "/data/metrics/query", {"metrics": ["x"]})).status_code < 500
    verdicts = await ann.fetch("POST", "/data/test")
    assert (verdicts["ok"], verdicts["items"][0]["state"]) == (True, "same")
    found = await ann.fetch("GET", "/data/search", query="revenue")
    assert found["items"][0]["kind"] == "metric"


@pytest.mark.requirement("F4-isolation")
async def test_results_and_sources_are_nobody_elses(shop: Shop, ann: Asker):
    answer = await ann.query("SELECT id FROM orders", max_rows=1)
    place = f"/data/results/{answer['result_id']}"
    eve, bob = await shop.asker("eve"), await shop.colleague(ann, "bob", "admin")
    for other in (eve, bob):
        for method, path, body in (
            ("GET", place, None), ("GET", f"{place}/rows", None), ("GET", f"{place}/export", None),
            ("POST", f"{place}/chart", {}), ("POST", f"{place}/chart/spec", {}),
            ("DELETE", place, None),
        ):  # fmt: skip
            assert (await other.ask(method, path, body)).status_code == 404, path
        body = {"source": "results", "sql": f"SELECT * FROM {answer['result_id']}"}
        assert (await other.ask("POST", "/data/query", body)).status_code == 404
        assert (await other.fetch("GET", "/data/results"))["items"] == []
    body = {"source": "shop", "sql": "SELECT 1"}
    assert (await eve.ask("POST", "/data/query", body)).status_code == 404
    assert (await bob.query("SELECT count(*) AS n FROM orders"))["rows"] == [[3]]
    assert (await ann.fetch("GET", place))["row_count"] == 1


async def test_where_files_are_on_the_server_is_told_only_who_may_change_it(shop: Shop, ann: Asker):
    bob = await shop.colleague(ann, "bob", "member")
    for asker, place in ((ann, str(shop.folder)), (bob, shop.folder.name)):
        (listed,) = (await asker.fetch("GET", "/data/sources"))["items"]
        assert listed["place"] == place
        assert (await asker.fetch("GET", "/data/sources/shop"))["place"] == place


async def test_viewers_look_and_members_ask_but_only_admins_change(shop: Shop, ann: Asker):
    viewer, member = [await shop.colleague(ann, role, role) for role in ("viewer", "member")]
    body = {"source": "shop", "sql": "SELECT 1 AS one"}
    for asker, status in ((viewer, 403), (member, 200)):
        assert (await asker.ask("POST", "/data/query", body)).status_code == status
        assert len((await asker.fetch("GET", "/data/sources"))["items"]) == 1
        for method, path, sent in (
            ("POST", "/data/sources", {"name": "x", "location": str(shop.folder)}),
            ("PATCH", "/data/sources/shop", {"description": "x"}),
            ("DELETE", "/data/sources/shop", None),
            ("PUT", "/data/model", {"text": ""}),
        ):
            assert (await asker.ask(method, path, sent)).status_code == 403, path


async def test_an_agent_asks_the_tenants_sources_and_its_result_is_the_persons(
    shop: Shop, ann: Asker
):
    call = {
        "name": "sql_query",
        "args": {"source": "shop", "sql": "SELECT sum(amount) AS s FROM orders"},
    }
    script = {"scripts": [{"steps": [{"tool_calls": [call]}, {"text": "It is 35."}]}]}
    settings = shop.live.services.settings
    (settings.home / "script.json").write_text(json.dumps(script))
    told = await shop.live.chat(ann.caller, "How much?")
    assert told["status"] == "done", told
    results = (await ann.fetch("GET", "/data/results"))["items"]
    assert [(one["source"], one["session_id"]) for one in results] == [("shop", told["session_id"])]
    rows = await ann.fetch("GET", f"/data/results/{results[0]['result_id']}/rows")
    assert rows["rows"] == [[35.0]]


def _with_table(service: PostgreSQL | MariaDB, name: str) -> str:
    service.create(name)
    if isinstance(service, PostgreSQL):
        service.execute("CREATE TABLE t (a int); INSERT INTO t VALUES (1), (2)", name)
        return service.url(name).replace("postgres@", "postgres:any@")
    service.execute(f"CREATE TABLE {name}.t (a int)", f"INSERT INTO {name}.t VALUES (1), (2)")
    return service.url(name)


@pytest.mark.parametrize("kind", ["postgresql", "mariadb"])
async def test_a_database_server_is_asked_only_where_the_operator_vouches_for_it(
    make_settings: MakeSettings, tmp_path: Any, request: pytest.FixtureRequest, kind: str
):
    service: PostgreSQL | MariaDB = request.getfixturevalue(f"{kind}_service")
    name = f"asked_{kind}"
    url = _with_table(service, name)
    body = {"name": "db", "location": url}
    try:
        async with shop_at(make_settings, tmp_path / "first") as shop:
            refused = await (await shop.asker("ann")).ask("POST", "/data/sources", body)
            assert refused.status_code == 422
            assert "web_allow_hosts" in refused.json()["message"]
        vouched = f"127.0.0.1:{service.port}"
        async with shop_at(make_settings, tmp_path / "second", [vouched]) as shop:
            bea = await shop.asker("bea")
            made = await bea.fetch("POST", "/data/sources", body)
            assert "any" not in made["place"].replace("***", "")
            tested = await bea.fetch("POST", "/data/sources/db/test")
            # The tests' own login is a superuser: said loudly.
            assert tested["warnings"]
            assert (await bea.query("SELECT sum(a) AS s FROM t", "db"))["rows"][0][0] in (3, "3")
    finally:
        service.drop(name)
