"""Questions that are saved: whose they are, who sees them, on each database."""

from typing import Any

import httpx
import pytest
from live_server import Caller, LiveServer, open_live_server

from tests.server.fixtures import MakeSettings

SQL = "SELECT country AS 国家, count(*) AS n FROM orders GROUP BY 1"
ASKED = {"name": "Orders by country", "source": "/uploads/a b.csv", "sql": SQL}
CHART = {"mark": "bar", "encoding": {"x": {"field": "国家"}, "y": {"field": "n"}}}


async def ask(
    live: LiveServer, who: Caller, method: str, path: str = "", body: Any = None, **query: Any
) -> httpx.Response:
    return await live.http.request(
        method, f"/api/v1/data/questions{path}", json=body, params=query, headers=who.headers
    )


async def save(live: LiveServer, who: Caller, **more: Any) -> Any:
    query = {"project_id": more.pop("project_id")} if "project_id" in more else {}
    answer = await ask(live, who, "POST", body={**ASKED, **more}, **query)
    assert answer.status_code == 201, answer.text
    return answer.json()


async def names(live: LiveServer, who: Caller, **query: Any) -> list[str]:
    return [one["name"] for one in (await ask(live, who, "GET", **query)).json()["items"]]


async def project_of(live: LiveServer, who: Caller) -> str:
    return (await live.services.people.projects.create(who.who, "Sales")).project_id


@pytest.mark.every_database
async def test_a_question_is_saved_changed_and_deleted_on_each_database(
    make_settings: MakeSettings, database_url: str
):
    async with open_live_server(make_settings(database_url=database_url)) as live:
        ann = await live.person()
        made = await save(live, ann, chart=CHART)
        path = f"/{made['question_id']}"
        assert (made["sql"], made["chart"], made["version"]) == (SQL, CHART, 1)
        assert (await ask(live, ann, "GET", path)).json() == made
        change = {"name": "订单 👋", "version": 1}
        changed = (await ask(live, ann, "PATCH", path, change)).json()
        assert (changed["name"], changed["chart"], changed["version"]) == ("订单 👋", CHART, 2)
        assert (await ask(live, ann, "PATCH", path, change)).status_code == 409
        without = (await ask(live, ann, "PATCH", path, {"chart": None})).json()
        assert (without["chart"], without["name"]) == (None, "订单 👋")
        assert await names(live, ann) == ["订单 👋"]
        assert (await ask(live, ann, "DELETE", path)).status_code == 204
        assert (await ask(live, ann, "GET", path)).status_code == 404
        assert await names(live, ann) == []


@pytest.mark.every_database
@pytest.mark.requirement("F4-isolation")
async def test_a_question_without_a_project_is_its_owners_alone(live: LiveServer):
    tenant = await live.tenant("acme")
    ann, bob = (
        await live.person("ann", "member", tenant),
        await live.person("bob", "member", tenant),
    )
    boss = await live.person("boss", "admin", tenant)
    eve = await live.person("eve", "owner", await live.tenant("evil"))
    path = f"/{(await save(live, ann))['question_id']}"
    for stranger in (bob, eve):
        assert await names(live, stranger) == []
        for method, body in (("GET", None), ("PATCH", {"name": "Mine"}), ("DELETE", None)):
            answer = await ask(live, stranger, method, path, body)
            assert (answer.status_code, answer.json()["error_code"]) == (404, "NOT_FOUND")
    assert (await ask(live, boss, "GET", path)).status_code == 200
    assert await names(live, boss) == []
    assert await names(live, ann) == [ASKED["name"]]


@pytest.mark.every_database
@pytest.mark.requirement("F4-isolation")
async def test_a_projects_questions_are_seen_by_its_tenant_and_changed_by_their_owner(
    live: LiveServer,
):
    tenant = await live.tenant("acme")
    ann, bob = (
        await live.person("ann", "member", tenant),
        await live.person("bob", "member", tenant),
    )
    look = await live.person("look", "viewer", tenant)
    eve = await live.person("eve", "owner", await live.tenant("evil"))
    project = await project_of(live, ann)
    path = f"/{(await save(live, ann, project_id=project))['question_id']}"
    assert await names(live, ann) == []
    for colleague in (ann, bob, look):
        assert await names(live, colleague, project_id=project) == [ASKED["name"]]
    assert (await ask(live, bob, "PATCH", path, {"name": "Mine"})).status_code == 403
    assert (await ask(live, look, "POST", body=ASKED, project_id=project)).status_code == 403
    assert (await ask(live, eve, "GET", path)).status_code == 404
    for method, body in (("GET", None), ("POST", ASKED)):
        answer = await ask(live, eve, method, body=body, project_id=project)
        assert (answer.status_code, answer.json()["error_code"]) == (404, "NOT_FOUND")


@pytest.mark.every_database
async def test_a_projects_questions_go_with_it(live: LiveServer):
    ann = await live.person()
    project = await project_of(live, ann)
    path = f"/{(await save(live, ann, project_id=project))['question_id']}"
    await live.services.people.projects.delete(ann.who, project)
    assert (await ask(live, ann, "GET", path)).status_code == 404


@pytest.mark.every_database
async def test_what_cannot_be_kept_is_refused_and_what_is_kept_is_recorded(live: LiveServer):
    boss = await live.person("boss", "owner")
    large = {"mark": "bar", "title": "x" * 60_000}
    for wrong in ({"chart": large}, {"name": "  "}, {"sql": "SELECT '\0'"}, {"name": "a\u202eb"}):
        answer = await ask(live, boss, "POST", body={**ASKED, **wrong})
        assert answer.status_code == 422, (wrong, answer.text)
    made = await save(live, boss)
    trail = await live.http.get("/api/v1/audit", headers=boss.headers)
    recorded = [
        (one["action"], one["resource"])
        for one in trail.json()["items"]
        if one["action"].startswith("saved_question")
    ]
    assert recorded == [("saved_question.create", f"saved_question:{made['question_id']}")]
    assert SQL not in trail.text
