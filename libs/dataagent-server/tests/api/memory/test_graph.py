"""The knowledge graph over REST: each person sees and changes their own."""

from typing import Any

import pytest
from live_server import Caller, LiveServer
from patterns_live import request

from dataagent_core.memory.graph.graph_service import NewEpisode
from dataagent_core.memory.memory import MemoryScope, MemorySource

GRAPH = "/graph"
NOTHING = "0" * 32
TOLD = (
    "Alice Miller works at Acme Corporation.",
    "Acme Corporation is located in Berlin.",
    "Bob Stone works at Acme Corporation.",
    "Alice Miller knows Bob Stone.",
)


async def tell(live: LiveServer, who: Caller, *texts: str, kind: str = "user") -> None:
    """Let the graph learn what a person said."""
    tenant_id, user_id = who.who.tenant_id, who.who.user_id
    graph = live.services.graph.memory_of(tenant_id).graph
    assert graph is not None
    scope = (
        MemoryScope.of_organisation(tenant_id, user_id)
        if kind == "org"
        else MemoryScope.of_user(tenant_id, user_id, "default")
    )
    source = MemorySource(kind="conversation", session_id="s", run_id="r", seq_first=1, seq_last=1)
    for text in texts:
        await graph.add_episode(NewEpisode(scope=scope, content=text, source=source))
    await graph.process_pending()


async def find(live: LiveServer, who: Caller, name: str) -> Any:
    """Return the entity of a name."""
    page = await request(live, who, "GET", f"{GRAPH}/entities?q={name}")
    return next(one for one in page["items"] if one["name"] == name)


async def test_what_was_said_is_shown_as_entities_relations_and_episodes(live: LiveServer):
    ann = await live.person("ann")
    await tell(live, ann, *TOLD)
    listed = (await request(live, ann, "GET", f"{GRAPH}/entities"))["items"]
    names = [one["name"] for one in listed]
    assert {"Alice Miller", "Acme Corporation", "Berlin"} <= set(names)
    acme = await find(live, ann, "Acme Corporation")
    shown = await request(live, ann, "GET", f"{GRAPH}/entities/{acme['id']}")
    assert shown["entity"] == acme
    assert {one["name"] for one in shown["neighbours"]} >= {"Alice Miller", "Bob Stone"}
    assert {one["content"] for one in shown["mentions"]} == set(TOLD[:3])
    line = await request(live, ann, "GET", f"{GRAPH}/entities/{acme['id']}/timeline")
    assert {one["kind"] for one in line["items"]} >= {"began", "mentioned"}
    assert [one["at"] for one in line["items"]] == sorted(one["at"] for one in line["items"])
    nodes = await request(live, ann, "GET", f"{GRAPH}/nodes?limit=100")
    ids = {one["id"] for one in nodes["entities"]}
    assert all({one["source_id"], one["target_id"]} <= ids for one in nodes["relations"])
    episodes = (await request(live, ann, "GET", f"{GRAPH}/episodes?state=synced"))["items"]
    assert [one["content"] for one in episodes] == list(reversed(TOLD))
    assert (await request(live, ann, "GET", f"{GRAPH}/episodes?state=failed"))["items"] == []


async def test_the_overview_shows_communities_and_only_counts_entities(live: LiveServer):
    ann = await live.person("ann")
    await tell(live, ann, *TOLD)
    seen = await request(live, ann, "GET", f"{GRAPH}/overview")
    listed = (await request(live, ann, "GET", f"{GRAPH}/communities"))["items"]
    assert listed
    assert seen["communities"] == listed
    assert seen["entity_count"] == len(
        (await request(live, ann, "GET", f"{GRAPH}/entities?limit=500"))["items"]
    )
    for community in listed:
        path = f"{GRAPH}/nodes?community_id={community['id']}"
        nodes = await request(live, ann, "GET", path)
        assert len(nodes["entities"]) == community["member_count"]
    for query in ("limit=0", "limit=100000", "assistant_id=../x"):
        await request(live, ann, "GET", f"{GRAPH}/overview?{query}", status=422)


async def test_lists_have_pages_and_filters(live: LiveServer):
    ann = await live.person("ann")
    await tell(live, ann, *TOLD[:2])
    await tell(live, ann, "Carol Jones lives in Oslo.", kind="org")
    for noun in ("entities", "episodes"):
        found: list[str] = []
        after = ""
        while True:
            page = await request(live, ann, "GET", f"{GRAPH}/{noun}?limit=2{after}")
            found += [one["id"] for one in page["items"]]
            if page["next"] is None:
                break
            after = f"&after={page['next']}"
        whole = (await request(live, ann, "GET", f"{GRAPH}/{noun}?limit=500"))["items"]
        assert found == [one["id"] for one in whole]
    person = await find(live, ann, "Carol Jones")
    typed = (await request(live, ann, "GET", f"{GRAPH}/entities?type={person['type']}"))["items"]
    assert person["id"] in {one["id"] for one in typed}
    assert {one["type"] for one in typed} == {person["type"]}
    # With another assistant only what counts with every assistant.
    other = (await request(live, ann, "GET", f"{GRAPH}/entities?assistant_id=other"))["items"]
    assert {one["scope"]["kind"] for one in other} == {"org"}


async def test_a_filter_does_not_lose_what_fits_a_query(live: LiveServer):
    ann = await live.person("ann")
    await tell(live, ann, *TOLD)
    path = f"{GRAPH}/entities?q=Acme%20Corporation%20Alice%20Miller%20Bob%20Stone"
    found = (await request(live, ann, "GET", path))["items"]
    assert len({one["type"] for one in found}) > 1
    # The best one is of another type than the last one.
    last = found[-1]
    wanted = next(one for one in (last, *found) if one["type"] != found[0]["type"])
    page = await request(live, ann, "GET", f"{path}&type={wanted['type']}&limit=1")
    assert [one["type"] for one in page["items"]] == [wanted["type"]]


async def test_an_entity_is_changed_and_removed_by_its_person(live: LiveServer):
    root, ann = await live.person("root", "admin"), await live.person("ann")
    await tell(live, ann, *TOLD)
    bob = await find(live, ann, "Bob Stone")
    path = f"{GRAPH}/entities/{bob['id']}"
    edit = {"version": bob["version"], "name": "Robert Stone", "summary": "Sells 茶"}
    changed = await request(live, ann, "PATCH", path, edit)
    assert (changed["name"], changed["summary"]) == ("Robert Stone", "Sells 茶")
    await request(live, ann, "PATCH", path, edit, status=409)
    for wrong in ({"version": 0}, {"name": "x"}, {"version": 1, "name": ""}):
        await request(live, ann, "PATCH", path, wrong, status=422)
    removed = (await request(live, ann, "DELETE", path))["removed"]
    assert sum(removed.values()) > 0
    await request(live, ann, "GET", path, status=404)
    await request(live, ann, "DELETE", path, status=404)
    rows = (await request(live, root, "GET", "/audit?action=graph.*"))["items"]
    assert [row["action"] for row in rows] == ["graph.entity.remove", "graph.entity.change"]
    assert "Stone" not in str(rows)


@pytest.mark.requirement("S0-54")
async def test_nobody_sees_anything_of_anothers_graph(live: LiveServer):
    ann = await live.person("ann")
    await tell(live, ann, *TOLD)
    acme = await find(live, ann, "Acme Corporation")
    (episode, *_) = (await request(live, ann, "GET", f"{GRAPH}/episodes"))["items"]
    others = [
        await live.person("root", "admin"),
        await live.person("boss", "owner"),
        await live.person("eve", "owner", await live.tenant("theirs")),
    ]
    for other in others:
        for noun in ("entities", "episodes", "communities"):
            assert (await request(live, other, "GET", f"{GRAPH}/{noun}"))["items"] == []
        seen = await request(live, other, "GET", f"{GRAPH}/overview")
        assert (seen["communities"], seen["links"], seen["entity_count"]) == ([], [], 0)
        found = await request(live, other, "GET", f"{GRAPH}/entities?q=Acme")
        assert found["items"] == []
        query = {"query": "MATCH (e:Entity) RETURN e.name"}
        rows = await request(live, other, "POST", f"{GRAPH}/query", query)
        assert rows["rows"] == []
        for method, path, body in (
            ("GET", "entities/{}", None),
            ("GET", "entities/{}/timeline", None),
            ("PATCH", "entities/{}", {"version": 1, "name": "Mine"}),
            ("DELETE", "entities/{}", None),
        ):
            for asked in (acme["id"], NOTHING):
                await request(
                    live, other, method, f"{GRAPH}/{path.format(asked)}", body, status=404
                )
        await request(live, other, "POST", f"{GRAPH}/episodes/{episode['id']}/retry", status=404)
    assert await find(live, ann, "Acme Corporation") == acme


async def test_queries_only_read(live: LiveServer):
    ann = await live.person("ann")
    await tell(live, ann, *TOLD)
    query = {"query": "MATCH (e:Entity {name: 'Berlin'}) RETURN e.name", "limit": 5}
    rows = (await request(live, ann, "POST", f"{GRAPH}/query", query))["rows"]
    assert "Berlin" in str(rows)
    for text in ("MATCH (e) DELETE e", "CREATE (e:Entity)", "DROP TABLE memories", "?!", "MATCH ("):
        path = f"/api/v1{GRAPH}/query"
        answer = await live.http.post(path, json={"query": text}, headers=ann.headers)
        said = answer.json()
        assert said["error_code"] in {"QUERY_REFUSED", "VALIDATION_ERROR"}, text
    for body in ({}, {"query": ""}, {"query": "x" * 10_000}, {"query": "x", "limit": 0}):
        await request(live, ann, "POST", f"{GRAPH}/query", body, status=422)
