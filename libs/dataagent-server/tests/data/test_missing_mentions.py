"""`POST /api/v1/mentions/missing`: names with `@` that nothing has, before a message is sent."""

from shop_server import Asker, Shop


async def missing(asker: Asker, text: str, **more: str) -> list[str]:
    told = await asker.fetch("POST", "/mentions/missing", {"text": text, **more})
    return told["names"]


async def test_files_sources_and_what_is_neither(shop: Shop):
    ann = await shop.asker("ann")
    await shop.add(ann)
    space = (await ann.fetch("GET", "/workspaces/default"))["workspace_id"]
    put = await ann.live.http.put(
        f"/api/v1/workspaces/{space}/files/content?path=/uploads/a.csv",
        content=b"a\n1\n",
        headers=ann.caller.headers,
    )
    assert put.status_code == 201, put.text
    text = "compare @uploads/a.csv and @uploads with @shop, @b.csv and @shopp"
    assert await missing(ann, text) == ["b.csv", "shopp"]
    assert await missing(ann, "mail me@example.com about @scope/pkg and `@b.csv`") == []


async def test_another_tenants_source_is_a_name_of_nothing(shop: Shop):
    await shop.add(await shop.asker("ann"))
    assert await missing(await shop.asker("eve"), "ask @shop") == ["shop"]


async def test_a_source_of_a_project_is_there_in_that_project(shop: Shop):
    ann = await shop.asker("ann")
    project = (await ann.fetch("POST", "/projects", {"name": "Sales"}))["project_id"]
    body = {"name": "own", "location": str(shop.folder)}
    await ann.fetch("POST", "/data/sources", body, project_id=project)
    assert await missing(ann, "ask @own") == ["own"]
    assert await missing(ann, "ask @own", project_id=project) == []


async def test_whoever_may_not_send_may_not_ask(shop: Shop):
    viewer = await shop.colleague(await shop.asker("ann"), "vic", "viewer")
    answer = await viewer.ask("POST", "/mentions/missing", {"text": "see @a.csv"})
    assert (answer.status_code, answer.json()["error_code"]) == (403, "PERMISSION_DENIED")
