"""Patterns between tenants: only by consent of both, and without it nothing is seen."""

import asyncio
from typing import Any

import pytest
from live_server import Caller, LiveServer
from patterns_live import PATTERNS, WRITTEN, list_patterns, request, teach

AT_ONCE = 12
OFFERS = "/agent/pattern-offers"


async def two_tenants(live: LiveServer) -> tuple[Caller, Caller]:
    """The owners of two tenants."""
    return (
        await live.person("ann", "owner", await live.tenant("ours")),
        await live.person("eve", "owner", await live.tenant("theirs")),
    )


async def offer(live: LiveServer, who: Caller, pattern_id: str, to: str, status: int = 201) -> Any:
    path = f"{PATTERNS}/{pattern_id}/share"
    return await request(live, who, "POST", path, {"tenant_id": to}, status=status)


async def list_offers(live: LiveServer, who: Caller, query: str = "") -> list[Any]:
    return (await request(live, who, "GET", f"{OFFERS}{query}"))["items"]


@pytest.mark.requirement("F21-5-sharing")
@pytest.mark.requirement("S2-6.5.8-tenants")
async def test_what_both_agree_to_is_copied_scrubbed_as_a_draft_with_its_origin(live: LiveServer):
    ann, eve = await two_tenants(live)
    await teach(live, ann, "monday", "tuesday", "wednesday")
    (pattern,) = await list_patterns(live, ann)
    edit = {"version": pattern["version"], "steps": [
        {"description": "Look", "tools": ["ls"], "corrections": ["not so"], "decision_points": ["x"]},
    ]}  # fmt: skip
    await request(live, ann, "PATCH", f"{PATTERNS}/{pattern['id']}", edit)
    made = await offer(live, ann, pattern["id"], "theirs")
    assert (made["status"], made["to_tenant_id"]) == ("open", "theirs")
    assert await offer(live, ann, pattern["id"], "theirs") == made
    # An offer is not a pattern yet.
    assert await list_patterns(live, eve) == []
    (offered,) = await list_offers(live, eve)
    assert offered == made
    assert await list_offers(live, ann) == []
    member = await live.person("bob", "member", eve.who.tenant_id)
    await request(live, member, "GET", OFFERS, status=403)
    await request(live, member, "POST", f"{OFFERS}/{made['id']}/accept", status=403)
    copy = await request(live, eve, "POST", f"{OFFERS}/{made['id']}/accept", status=201)
    assert (copy["state"], copy["usage_count"], copy["user_id"]) == ("draft", 0, eve.who.user_id)
    assert copy["origin"] == {"tenant_id": "ours", "pattern_id": pattern["id"]}
    assert copy["id"] != pattern["id"]
    assert [step["tools"] for step in copy["steps"]] == [["ls"]]
    assert copy["runs"] == []
    for theirs_alone in (ann.who.user_id, "not so", '"x"'):
        assert theirs_alone not in str(copy)
    assert await list_offers(live, eve) == []
    (sent,) = await list_offers(live, ann, "?made=true")
    assert sent["status"] == "accepted"
    await request(live, eve, "POST", f"{OFFERS}/{made['id']}/accept", status=404)
    for who, actions in ((eve, ["pattern.accept"]), (ann, ["pattern.accepted", "pattern.offer"])):
        rows = (await request(live, who, "GET", "/audit?action=pattern.*"))["items"]
        shown = [row["action"] for row in rows if row["action"] != "pattern.change"]
        assert shown == actions
        assert (eve if who is ann else ann).who.user_id not in str(rows)
    # The copy is theirs: deleting the original takes nothing away.
    await request(live, ann, "DELETE", f"{PATTERNS}/{pattern['id']}", status=204)
    assert [one["id"] for one in await list_patterns(live, eve)] == [copy["id"]]
    assert await list_offers(live, ann, "?made=true") == []


@pytest.mark.requirement("S2-6.5.8-tenants")
async def test_whoever_offers_learns_nothing_of_the_other_tenant(live: LiveServer):
    ann, eve = await two_tenants(live)
    made = await request(live, ann, "POST", PATTERNS, WRITTEN, status=201)
    real = await offer(live, ann, made["id"], "theirs")
    none = await offer(live, ann, made["id"], "nobody")
    told = {"id", "to_tenant_id", "created_at"}
    assert {k: v for k, v in real.items() if k not in told} == {
        k: v for k, v in none.items() if k not in told
    }
    await request(live, eve, "POST", f"{OFFERS}/{real['id']}/decline", status=204)
    assert await list_offers(live, eve) == []
    sent = await list_offers(live, ann, "?made=true")
    assert [(one["status"], one["decided_at"]) for one in sent] == [("open", None)] * 2
    assert await offer(live, ann, made["id"], "theirs") == real
    # A tenant that comes later is not shown what its id was offered before.
    late = await live.person("late", "owner", await live.tenant("nobody"))
    assert await list_offers(live, late) == []
    await request(live, late, "POST", f"{OFFERS}/{none['id']}/accept", status=404)
    await offer(live, ann, made["id"], "ours", status=422)
    for wrong in ("", "\x00", "a b", "x" * 65):
        await offer(live, ann, made["id"], wrong, status=422)


async def test_offers_are_withdrawn_with_their_pattern_or_alone(live: LiveServer):
    ann, eve = await two_tenants(live)
    made = await request(live, ann, "POST", PATTERNS, WRITTEN, status=201)
    first = await offer(live, ann, made["id"], "theirs")
    await request(live, eve, "DELETE", f"{OFFERS}/{first['id']}", status=404)
    await request(live, ann, "POST", f"{OFFERS}/{first['id']}/accept", status=404)
    await request(live, ann, "DELETE", f"{OFFERS}/{first['id']}", status=204)
    await request(live, eve, "POST", f"{OFFERS}/{first['id']}/accept", status=404)
    again = await offer(live, ann, made["id"], "theirs")
    await request(live, ann, "DELETE", f"{PATTERNS}/{made['id']}", status=204)
    await request(live, eve, "POST", f"{OFFERS}/{again['id']}/accept", status=404)
    # Where there is a pattern for the task already, theirs stays, and the offer with it.
    made = await request(live, ann, "POST", PATTERNS, WRITTEN, status=201)
    await request(live, eve, "POST", PATTERNS, WRITTEN | {"name": "Mine"}, status=201)
    third = await offer(live, ann, made["id"], "theirs")
    await request(live, eve, "POST", f"{OFFERS}/{third['id']}/accept", status=409)
    assert [one["name"] for one in await list_patterns(live, eve)] == ["Mine"]
    assert [one["id"] for one in await list_offers(live, eve)] == [third["id"]]


async def test_of_many_answers_at_once_one_counts(unlimited_live: LiveServer):
    live = unlimited_live
    ann, eve = await two_tenants(live)
    made = await request(live, ann, "POST", PATTERNS, WRITTEN, status=201)

    async def post(who: Caller, path: str, body: Any = None) -> tuple[int, Any]:
        answer = await live.http.post(f"/api/v1{path}", json=body, headers=who.headers)
        return answer.status_code, answer.text

    share = f"{PATTERNS}/{made['id']}/share"
    body = {"tenant_id": "theirs"}
    offered = await asyncio.gather(*(post(ann, share, body) for _ in range(AT_ONCE)))
    assert {status for status, _ in offered} == {201}
    assert len({text for _, text in offered}) == 1
    (one,) = await list_offers(live, eve)
    answers = await asyncio.gather(
        *(
            post(eve, f"{OFFERS}/{one['id']}/{'accept' if number % 2 else 'decline'}")
            for number in range(AT_ONCE)
        )
    )
    won = [status for status, _ in answers if status in {201, 204}]
    assert len(won) == 1
    assert {status for status, _ in answers} <= {201, 204, 404, 409}
    assert len(await list_patterns(live, eve)) == (won == [201])


async def test_a_tenant_without_the_feature_neither_offers_nor_accepts(live: LiveServer):
    root = await live.person("root", "owner")
    ann, eve = await two_tenants(live)
    made = await request(live, ann, "POST", PATTERNS, WRITTEN, status=201)
    offered = await offer(live, ann, made["id"], "theirs")
    off = {"limits": {"features_enabled": {"patterns": False}}}
    for tenant in ("ours", "theirs"):
        await request(live, root, "PATCH", f"/tenants/{tenant}", off)
    await offer(live, ann, made["id"], "nobody", status=403)
    await request(live, eve, "POST", f"{OFFERS}/{offered['id']}/accept", status=403)
    await request(live, ann, "POST", PATTERNS, WRITTEN | {"goal": "Count hens"}, status=403)
    # What is there can still be seen and deleted.
    assert len(await list_patterns(live, ann)) == 1
    await request(live, ann, "DELETE", f"{PATTERNS}/{made['id']}", status=204)
