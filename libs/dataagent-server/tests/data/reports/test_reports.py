"""Reports over REST: kept, run with fresh data, downloaded, and nobody else's."""

import asyncio
import json
import time
from typing import Any

import pytest
from shop_server import Asker, Shop
from sqlalchemy import update

from dataagent_server.data.reports.limits import RUNS_OF_A_PERSON_MAX
from dataagent_server.db.tables.reports import report_runs

REPORT = """\
title: Orders of {{country}}
parameters: {country: {default: DE}}
queries:
  all: {source: shop, sql: "SELECT country, sum(amount) AS money, any_value(phone) AS phone FROM orders GROUP BY country ORDER BY country"}
blocks:
- {type: text, markdown: "For **{{country}}**"}
- {type: table, query: all}
- {type: chart, query: all, intent: bar of money by country}
"""


@pytest.fixture
async def ann(shop: Shop) -> Asker:
    asker = await shop.asker("ann")
    await shop.add(asker)
    return asker


async def made(asker: Asker, definition: str = REPORT) -> str:
    return (await asker.fetch("POST", "/reports", {"definition": definition}))["report_id"]


async def ran(asker: Asker, report: str, asked: dict[str, Any]) -> dict[str, Any]:
    """Run a report; on a busy machine that may take longer than an answer waits."""
    run = await asker.fetch("POST", f"/reports/{report}/run", asked)
    return await ended(asker, f"/reports/{report}/runs/{run['run_id']}")


async def ended(asker: Asker, place: str) -> dict[str, Any]:
    deadline = time.monotonic() + 60
    while (run := await asker.fetch("GET", place))["status"] == "running":
        assert time.monotonic() < deadline
        await asyncio.sleep(0.05)
    return run


async def used(shop: Shop, asker: Asker) -> int:
    found: list[dict[str, Any]] = (await asker.fetch("GET", "/workspaces"))["items"]
    return sum(space["current_size_bytes"] for space in found)


@pytest.mark.every_database
@pytest.mark.requirement("F5-6")
async def test_a_report_is_kept_run_downloaded_changed_and_deleted(shop: Shop, ann: Asker):
    report = await made(ann)
    before = await used(shop, ann)
    asked = {"formats": ["pdf", "html", "md"], "parameters": {"country": "CN"}}
    run = await ran(ann, report, asked)
    assert (run["status"], run["error"]) == ("done", None)
    sizes = {file["name"].rpartition(".")[2]: file["size_bytes"] for file in run["files"]}
    assert set(sizes) == {"pdf", "html", "md", "yml", "png"}
    assert await used(shop, ann) > before + sizes["pdf"]
    place = f"/reports/{report}/runs/{run['run_id']}"
    pdf = await ann.ask("GET", f"{place}/file")
    assert pdf.content.startswith(b"%PDF")
    page = await ann.ask("GET", f"{place}/file", name="html")
    # A person reads what a model would read masked.
    assert "+86 139 1234 5678" in page.text
    assert page.headers["content-type"] == "application/octet-stream"
    framed = await ann.ask("GET", f"{place}/file", name="html", preview=True)
    assert framed.text == page.text
    assert framed.headers["content-type"] == "text/html; charset=utf-8"
    assert framed.headers["content-security-policy"].startswith("sandbox; default-src 'none'")
    assert framed.headers["x-frame-options"] == "SAMEORIGIN"
    assert "attachment" not in framed.headers["content-disposition"]
    assert (await ann.ask("GET", f"{place}/file", preview=True)).status_code == 422
    assert (await ann.ask("GET", f"{place}/file", name="../../secret.key")).status_code == 404
    (shop.folder / "orders.csv").write_text("id,country,amount,phone\n1,FR,1,1\n")
    again = await ran(ann, report, {"formats": ["html"]})
    fresh = await ann.ask("GET", f"/reports/{report}/runs/{again['run_id']}/file", name="html")
    assert "FR" in fresh.text
    runs = await ann.fetch("GET", f"/reports/{report}/runs")
    assert [one["run_id"] for one in runs["items"]] == [run["run_id"], again["run_id"]]
    short = "title: Short\nblocks: [{type: heading, text: One}]\n"
    changed = await ann.fetch("PATCH", f"/reports/{report}", {"definition": short, "version": 1})
    assert (changed["title"], changed["version"]) == ("Short", 2)
    stale = await ann.ask("PATCH", f"/reports/{report}", {"definition": short, "version": 1})
    assert stale.status_code == 409
    await ann.fetch("DELETE", f"/reports/{report}")
    assert (await ann.ask("GET", place)).status_code == 404
    await shop.live.services.reports.service.runner.sweep()
    home = shop.live.services.settings.home
    assert not list(home.glob("people/*/reports/*"))


@pytest.mark.every_database
async def test_a_report_that_fails_says_why_and_leaves_nothing(shop: Shop, ann: Asker):
    wrong = REPORT.replace("FROM orders", "FROM nothing")
    report = await made(ann, wrong)
    run = await ran(ann, report, {})
    assert run["status"] == "failed"
    assert "nothing" in run["error"]
    assert run["files"] == []
    unknown = {"parameters": {"x": "1"}}
    assert (await ran(ann, report, unknown))["status"] == "failed"
    for body in ({"definition": "["}, {"definition": "title: x"}, {"definition": "a: *b"}):
        assert (await ann.ask("POST", "/reports", body)).status_code == 422
    home = shop.live.services.settings.home
    assert not list(home.glob("people/*/reports/*"))


@pytest.mark.every_database
@pytest.mark.requirement("F4-isolation")
async def test_a_report_is_its_owners_an_admin_may_look_and_others_find_nothing(
    shop: Shop, ann: Asker
):
    bob, eve = await shop.colleague(ann, "bob"), await shop.asker("eve")
    report = await made(bob)
    await ran(bob, report, {"formats": ["md"]})
    other = await shop.colleague(ann, "other")
    for stranger in (eve, other):
        for method, path, body in (
            ("GET", "", None), ("POST", "/run", {}), ("GET", "/runs", None), ("DELETE", "", None),
            ("GET", "/schedules", None), ("POST", "/schedules", {"cron": "0 8 * * *"}),
        ):  # fmt: skip
            answer = await stranger.ask(method, f"/reports/{report}{path}", body)
            assert answer.status_code == 404, (method, path)
        assert (await stranger.fetch("GET", "/reports"))["items"] == []
    assert (await ann.fetch("GET", f"/reports/{report}"))["owner_id"] == bob.caller.who.user_id
    assert (await ann.ask("POST", f"/reports/{report}/run", {})).status_code == 403
    await ann.fetch("DELETE", f"/reports/{report}")


@pytest.mark.every_database
async def test_runs_that_have_lived_their_days_are_swept_with_their_room(shop: Shop, ann: Asker):
    report = await made(ann)
    await ann.fetch("GET", "/data/tables", source="shop")
    run = await ran(ann, report, {"formats": ["html"]})
    full = await used(shop, ann)
    services = shop.live.services
    await services.database.write(
        lambda c: c.execute(update(report_runs).values(expires_at=report_runs.c.created_at))
    )
    await services.reports.service.runner.sweep()
    size = sum(file["size_bytes"] for file in run["files"])
    assert await used(shop, ann) == full - size
    assert (await ann.fetch("GET", f"/reports/{report}/runs"))["items"] == []


@pytest.mark.every_database
async def test_a_report_over_a_result_keeps_its_query_and_runs_when_the_result_is_gone(
    shop: Shop, ann: Asker
):
    sql = "SELECT country, amount FROM orders"
    kept = (await ann.fetch("POST", "/data/query", {"source": "shop", "sql": sql}))["result_id"]
    text = f"""\
title: Over a result
queries: {{q: {{source: results, sql: "SELECT country, sum(amount) AS money FROM {kept} GROUP BY 1"}}}}
blocks: [{{type: table, query: q}}]
"""
    report = await made(ann, text)
    stored = (await ann.fetch("GET", f"/reports/{report}"))["definition"]
    assert kept not in stored
    assert "source: shop" in stored
    await ann.fetch("DELETE", f"/data/results/{kept}")
    run = await ran(ann, report, {"formats": ["md"]})
    assert (run["status"], run["error"]) == ("done", None)
    # By now nobody can say how that result was made.
    refused = await ann.ask("POST", "/reports", {"definition": text})
    assert refused.status_code == 422
    assert "results are kept for 7 days" in refused.text


@pytest.mark.every_database
async def test_who_does_not_want_to_wait_is_told_where_to_look(ann: Asker):
    report = await made(ann)
    url = f"/reports/{report}/run"
    asked = await ann.ask("POST", url, {"formats": ["md"]}, headers={"Prefer": "respond-async"})
    assert asked.status_code == 202
    assert asked.json()["status"] == "running"
    place = asked.headers["Location"].removeprefix("/api/v1")
    run = await ended(ann, place)
    assert (run["status"], run["run_id"]) == ("done", asked.json()["run_id"])
    assert (await ann.ask("GET", f"{place}/file", name="md")).status_code == 200


@pytest.mark.every_database
async def test_a_person_has_so_many_reports_running_and_a_stopped_server_ends_them(
    shop: Shop, ann: Asker
):
    report, prefer = await made(ann), {"Prefer": "respond-async"}
    asked = [
        await ann.ask("POST", f"/reports/{report}/run", {}, headers=prefer)
        for _ in range(RUNS_OF_A_PERSON_MAX + 1)
    ]
    assert [one.status_code for one in asked] == [202] * RUNS_OF_A_PERSON_MAX + [429]
    await shop.live.services.reports.service.under_way.aclose()
    for one in asked[:-1]:
        run = await ended(ann, one.headers["Location"].removeprefix("/api/v1"))
        assert (run["status"], "stopped before its end" in run["error"]) == ("failed", True)


@pytest.mark.every_database
async def test_a_report_says_which_parameters_it_has(ann: Asker):
    report = await ann.fetch("GET", f"/reports/{await made(ann)}")
    assert report["parameters"] == [
        {"name": "country", "type": "text", "default": "DE", "description": ""}
    ]


RECALL = {"result": r"\b(r_[0-9a-f]{12})"}
SQL = "SELECT country, sum(amount) AS money FROM orders GROUP BY country ORDER BY country"


def written_by_the_agent(title: str) -> list[dict[str, Any]]:
    query = {"name": "sql_query", "args": {"source": "shop", "sql": SQL}}
    blocks = [{"type": "table", "query": "{{result:0}}"}]
    report = {"title": title, "blocks": blocks, "formats": ["html"]}
    call = {"name": "report_create", "args": report}
    return [{"tool_calls": [query]}, {"tool_calls": [call]}, {"text": "Written."}]


@pytest.mark.every_database
async def test_a_report_of_the_agent_is_listed_and_runs_with_fresh_data(shop: Shop, ann: Asker):
    steps = {
        "scripts": [
            {"match": f"(?i){title}", "recall": RECALL, "steps": written_by_the_agent(title)}
            for title in ("Money", "Other")
        ]
    }
    (shop.live.services.settings.home / "script.json").write_text(json.dumps(steps))
    told = await shop.live.chat(ann.caller, "Money, please")
    (listed,) = (await ann.fetch("GET", "/reports"))["items"]
    assert (listed["title"], listed["session_id"]) == ("Money", told["session_id"])
    run = await ran(ann, listed["report_id"], {"formats": ["md"]})
    assert run["status"] == "done", run
    # Written again in the same session it is the same report; another title is another.
    again = {"session_id": told["session_id"]}
    await shop.live.chat(ann.caller, "Money again", **again)
    await shop.live.chat(ann.caller, "the other", **again)
    reports = (await ann.fetch("GET", "/reports"))["items"]
    assert [(one["title"], one["version"]) for one in reports] == [("Money", 2), ("Other", 1)]
    # One that its owner has changed is the owner's, and is not written over.
    own = {"definition": reports[0]["definition"]}
    changed = await ann.fetch("PATCH", f"/reports/{listed['report_id']}", own)
    assert changed["session_id"] is None
    await shop.live.chat(ann.caller, "Money once more", **again)
    reports = (await ann.fetch("GET", "/reports"))["items"]
    assert sorted(one["title"] for one in reports) == ["Money", "Money", "Other"]
    bob = await shop.colleague(ann, "bob")
    assert (await bob.fetch("GET", "/reports"))["items"] == []
