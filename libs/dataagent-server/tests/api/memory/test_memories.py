"""Memories over REST: each person sees, changes and forgets their own, and nobody else's."""

import asyncio
import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from live_server import Caller, LiveServer
from memories_live import MEMORIES, list_contents, remember, search
from patterns_live import request

from dataagent_core.config.limits.memory import MEMORIES_PAGE_MAX
from dataagent_core.memory.memory import MemoryScope
from dataagent_core.testing.conformance.graph import make_entry
from dataagent_core.testing.conformance.memory import make_memory
from dataagent_server.identity.auth.principal import Scope

NOTHING = "0" * 32
AT_ONCE = 8


async def make_key(live: LiveServer, who: Caller, *scopes: Scope) -> Caller:
    told = await request(
        live, who, "POST", "/keys", {"name": "k", "scopes": list(scopes)}, status=201
    )
    return Caller(who.who, told["secret"])


@pytest.mark.requirement("F22-1-rest")
async def test_a_memory_is_added_shown_changed_and_forgotten(live: LiveServer):
    ann = await live.person("ann")
    told = await request(
        live, ann, "POST", MEMORIES, {"content": "I work on the sales reports."}, status=201
    )
    made = told["memory"]
    assert (told["action"], told["closed"]) == ("added", [])
    assert made["scope"] == {"kind": "user", "assistant_id": "default", "project_id": None}
    assert (made["type"], made["source"]["kind"], made["version"]) == ("fact", "manual", 1)
    path = f"{MEMORIES}/{made['id']}"
    shown = await request(live, ann, "GET", path)
    assert (shown["memory"], shown["history"], shown["is_source_gone"]) == (made, [], False)
    edit = {"version": 1, "type": "context", "expires_at": "2100-01-01T00:00:00Z"}
    changed = await request(live, ann, "PATCH", path, edit)
    assert (changed["type"], changed["version"]) == ("context", 2)
    assert changed["expires_at"].startswith("2100-01-01")
    late = await request(live, ann, "PATCH", path, edit | {"content": "Late"}, status=409)
    assert late["details"]["memory"] == changed
    # Null takes a moment away; a field that is left out stays.
    kept = await request(live, ann, "PATCH", path, {"version": 2, "expires_at": None})
    assert (kept["expires_at"], kept["type"], kept["content"]) == (None, "context", made["content"])
    receipt = await request(live, ann, "DELETE", path)
    assert receipt["memory_id"] == made["id"]
    assert sum(receipt["removed"].values()) > 0
    assert sum(receipt["remaining"].values()) == 0
    for method, body in (("GET", None), ("DELETE", None), ("PATCH", edit)):
        await request(live, ann, method, path, body, status=404)


@pytest.mark.requirement("S0-54")
async def test_nobody_reads_or_changes_what_is_remembered_of_another(live: LiveServer):
    ann = await live.person("ann")
    others = [
        await live.person("bob"),
        await live.person("root", "admin"),
        await live.person("boss", "owner"),
        await live.person("eve", "owner", await live.tenant("theirs")),
    ]
    made = await remember(live, ann, "I am allergic to peanuts.")
    for other in others:
        for path, method, body in (
            ("", "GET", None),
            ("", "PATCH", {"version": 1, "content": "Mine"}),
            ("/wrong", "POST", {"correction": "Mine"}),
            ("", "DELETE", None),
        ):
            said = await request(
                live, other, method, f"{MEMORIES}/{made['id']}{path}", body, status=404
            )
            never = await request(
                live, other, method, f"{MEMORIES}/{NOTHING}{path}", body, status=404
            )
            assert said["message"].replace(made["id"], NOTHING) == never["message"]
        assert await list_contents(live, other, "?with_past=true") == []
        assert await search(live, other, "peanuts") == []
        assert (await request(live, other, "GET", f"{MEMORIES}/doctor"))["total"] == 0
        await request(
            live, other, "POST", f"{MEMORIES}/cleanup", {"older_than": "2100-01-01T00:00:00Z"}
        )
    assert await list_contents(live, ann) == ["I am allergic to peanuts."]


async def test_a_key_acts_for_its_person_within_its_scopes(live: LiveServer):
    ann = await live.person("ann", "admin")
    made = await remember(live, ann, "I prefer tables over prose.", type="preference")
    reads = await make_key(live, ann, "read")
    assert await list_contents(live, reads) == [made["content"]]
    assert len(await search(live, reads, "tables")) == 1
    for method, path, body in (
        ("POST", "", {"content": "I like hens."}),
        ("DELETE", f"/{made['id']}", None),
        ("POST", f"/{made['id']}/wrong", {}),
        ("POST", "/cleanup", {"older_than": "2100-01-01T00:00:00Z"}),
    ):
        await request(live, reads, method, f"{MEMORIES}{path}", body, status=403)
    chats = await make_key(live, ann, "chat")
    await request(live, chats, "DELETE", f"{MEMORIES}/{made['id']}")
    # Whoever lost the right to chat can still forget.
    eve = await live.person("eve")
    known = await remember(live, eve, "I live in Oslo.")
    members = live.services.people.members
    boss = await live.person("boss", "owner")
    await members.change_role(boss.who, eve.who.user_id, "viewer")
    await request(live, eve, "DELETE", f"{MEMORIES}/{known['id']}")


async def test_the_longest_page_says_that_there_are_more(live: LiveServer):
    ann = await live.person("ann")
    store = live.services.memories.memory_of(ann.who.tenant_id).store
    scope = MemoryScope.of_user(ann.who.tenant_id, ann.who.user_id, "default")
    made = [make_memory(f"m{n}", scope=scope, age=n) for n in range(MEMORIES_PAGE_MAX + 1)]
    await store.add_many([(one, make_entry("ulm")) for one in made])
    page = await request(live, ann, "GET", f"{MEMORIES}?limit={MEMORIES_PAGE_MAX}")
    assert len(page["items"]) == MEMORIES_PAGE_MAX
    assert page["next"] is not None
    rest = await request(live, ann, "GET", f"{MEMORIES}?limit=500&after={page['next']}")
    assert (len(rest["items"]), rest["next"]) == (1, None)


async def test_lists_have_pages_and_filters(live: LiveServer):
    ann = await live.person("ann")
    project = (await request(live, ann, "POST", "/projects", {"name": "P"}, status=201))[
        "project_id"
    ]
    await remember(live, ann, "I live in Berlin.")
    await remember(live, ann, "Short answers, please.", type="preference")
    await remember(live, ann, "The team decided on weekly reports.", type="decision", kind="org")
    await remember(live, ann, "The project uses the euro.", kind="project", project_id=project)
    found: list[str] = []
    after = ""
    while True:
        page = await request(live, ann, "GET", f"{MEMORIES}?limit=3{after}")
        assert len(page["items"]) <= 3
        found += [one["content"] for one in page["items"]]
        if page["next"] is None:
            break
        after = f"&after={page['next']}"
    assert [text.split()[0] for text in found] == ["The", "The", "Short", "I"]
    assert await list_contents(live, ann, "?type=preference") == ["Short answers, please."]
    assert len(await list_contents(live, ann, "?kind=org")) == 1
    assert len(await list_contents(live, ann, f"?project_id={project}")) == 1
    assert len(await list_contents(live, ann, "?assistant_id=default")) == 3
    assert await list_contents(live, ann, "?session_id=none") == []
    for query in ("kind=all", "type=dream", "limit=0", "limit=501", "after=%00", "with_past=so"):
        await request(live, ann, "GET", f"{MEMORIES}?{query}", status=422)


BAD: tuple[dict[str, Any], ...] = (
    {"content": ""},
    {"content": "  "},
    {"content": "x\x00"},
    {"content": "I like hens.", "type": "dream"},
    {"content": "I like hens.", "kind": "all"},
    {"content": "I like hens.", "kind": "project"},
    {"content": "I like hens.", "project_id": "p"},
    {"content": "I like hens.", "kind": "org", "assistant_id": "default"},
    {"content": "I like hens.", "assistant_id": "../x"},
    {"content": "I like hens.", "expires_at": "0001-01-01T00:00:00Z"},
    {"content": "I like hens.", "valid_from": "9999-12-31T23:59:59-14:00"},
    {"content": "I like hens.", "expires_at": "2030-01-01T00:00:00"},
    {"content": "I like hens.", "source": {"kind": "conversation"}},
    {"content": 7},
    {},
)


async def test_what_cannot_be_remembered_is_refused(live: LiveServer):
    ann = await live.person("ann")
    for body in BAD:
        said = await request(live, ann, "POST", MEMORIES, body, status=422)
        assert said["error_code"] == "VALIDATION_ERROR", body
    assert await list_contents(live, ann) == []


async def test_what_is_wrong_is_retired_and_its_correction_takes_its_place(live: LiveServer):
    ann = await live.person("ann")
    made = await remember(live, ann, "I live in Berlin.")
    told = await request(
        live, ann, "POST", f"{MEMORIES}/{made['id']}/wrong", {"correction": "I live in Oslo."}
    )
    assert told["memory"]["retired_at"] is not None
    assert told["memory"]["replaced_by"] == told["replacement"]["id"]
    assert await list_contents(live, ann) == ["I live in Oslo."]
    assert len(await list_contents(live, ann, "?with_past=true")) == 2
    await request(live, ann, "POST", f"{MEMORIES}/{made['id']}/wrong", {"version": 1}, status=409)


async def test_a_search_says_what_each_leg_gave_and_looks_back(live: LiveServer):
    ann = await live.person("ann")
    past = (datetime.now(UTC) - timedelta(days=30)).isoformat()
    await remember(live, ann, "I live in Berlin.", valid_from=past)
    await remember(live, ann, "My favourite tea is oolong.", type="preference", kind="org")
    (first, *_) = await search(live, ann, "Where do I live?")
    assert first["memory"]["content"] == "I live in Berlin."
    assert first["score"] == pytest.approx(sum(leg["share"] for leg in first["legs"]))
    assert "keyword" in {leg["name"] for leg in first["legs"]}
    # The contradiction closes it: now one is true, then the other one was.
    told = await request(
        live, ann, "POST", MEMORIES, {"content": "I live in Oslo now."}, status=201
    )
    assert told["action"] == "replaced"
    week_ago = (datetime.now(UTC) - timedelta(days=7)).isoformat()
    (then, *_) = await search(live, ann, "Where do I live?", as_of=week_ago)
    assert then["memory"]["content"] == "I live in Berlin."
    assert [
        one["memory"]["scope"]["kind"] for one in await search(live, ann, "tea", kinds=["org"])
    ] == ["org"]
    assert await search(live, ann, "tea", types=["decision"]) == []
    for body in (
        {},
        {"query": "x", "limit": 0},
        {"query": "x", "limit": 10**9},
        {"query": "x", "fusion": "best"},
        {"query": "x", "search_type": "magic"},
        {"query": "x", "as_of": "yesterday"},
        {"query": "x" * 3_000},
        {"query": "x", "kinds": ["all"]},
    ):
        await request(live, ann, "POST", f"{MEMORIES}/search", body, status=422)
    assert await search(live, ann, "") == []


async def test_what_is_known_about_a_person_is_shown_by_type(live: LiveServer):
    ann = await live.person("ann")
    empty = await request(live, ann, "GET", f"{MEMORIES}/profile")
    assert (empty["facts"], empty["first_at"]) == ([], None)
    await remember(live, ann, "I live in Berlin.")
    await remember(live, ann, "Short answers, please.", type="preference", kind="org")
    wrong = await remember(live, ann, "I have two cats.")
    await request(live, ann, "POST", f"{MEMORIES}/{wrong['id']}/wrong", {})
    shown = await request(live, ann, "GET", f"{MEMORIES}/profile?assistant_id=default")
    assert [one["content"] for one in shown["facts"]] == ["I live in Berlin."]
    assert [one["content"] for one in shown["preferences"]] == ["Short answers, please."]
    assert shown["counts"] == {"fact": 1, "preference": 1, "decision": 0, "context": 0}
    assert shown["first_at"] <= shown["last_at"]
    other = await request(live, ann, "GET", f"{MEMORIES}/profile?assistant_id=other")
    assert other["facts"] == []


async def test_an_export_has_every_memory_as_a_line_of_json(live: LiveServer):
    ann = await live.person("ann")
    for number in range(3):
        await remember(live, ann, f"The hen number {number} is 白色.", kind="org")
    answer = await live.http.get(f"/api/v1{MEMORIES}/export", headers=ann.headers)
    assert answer.status_code == 200
    assert "attachment" in answer.headers["content-disposition"]
    lines = [json.loads(line) for line in answer.text.splitlines()]
    assert {line["content"] for line in lines} == {
        f"The hen number {number} is 白色." for number in range(3)
    }
    bob = await live.person("bob")
    answer = await live.http.get(f"/api/v1{MEMORIES}/export", headers=bob.headers)
    assert (answer.status_code, answer.text) == (200, "")


async def test_expired_memories_are_removed_and_others_stay(live: LiveServer):
    ann = await live.person("ann")
    past, future = ("2020-01-01T00:00:00Z", "2100-01-01T00:00:00Z")
    await remember(live, ann, "The code of the day was blue.", expires_at=past)
    await remember(live, ann, "I live in Berlin.", expires_at=future)
    assert await list_contents(live, ann) == ["I live in Berlin."]
    told = await request(live, ann, "POST", f"{MEMORIES}/cleanup", {"older_than": future})
    assert told == {"removed": 1}
    assert await list_contents(live, ann, "?with_past=true") == ["I live in Berlin."]


async def test_of_many_changes_at_once_one_makes_each_version(live: LiveServer):
    ann = await live.person("ann")
    made = await remember(live, ann, "I live in Berlin.")
    path = f"/api/v1{MEMORIES}/{made['id']}"

    async def change(number: int) -> int:
        body = {"version": 1, "content": f"I live in town {number}."}
        return (await live.http.patch(path, json=body, headers=ann.headers)).status_code

    said = await asyncio.gather(*(change(number) for number in range(AT_ONCE)))
    assert sorted(said) == [200] + [409] * (AT_ONCE - 1)
    gone = await asyncio.gather(
        *(live.http.delete(path, headers=ann.headers) for _ in range(AT_ONCE))
    )
    assert {answer.status_code for answer in gone} <= {200, 404}
    assert await list_contents(live, ann, "?with_past=true") == []


async def test_changes_are_audited_without_the_text(live: LiveServer):
    root = await live.person("root", "admin")
    ann = await live.person("ann")
    made = await remember(live, ann, "I keep bees.")
    path = f"{MEMORIES}/{made['id']}"
    await request(live, ann, "PATCH", path, {"version": 1, "content": "I keep hens."})
    await request(live, ann, "POST", f"{path}/wrong", {"correction": "I keep goats."})
    await request(live, ann, "DELETE", path)
    await request(live, ann, "DELETE", path, status=404)
    rows = (await request(live, root, "GET", "/audit?action=memory.*"))["items"]
    assert [row["action"] for row in rows] == [
        "memory.forget", "memory.wrong", "memory.change", "memory.create",
    ]  # fmt: skip
    assert {row["resource"] for row in rows} == {"memory", f"memory:{made['id']}"}
    for word in ("bees", "hens", "goats"):
        assert word not in str(rows)
