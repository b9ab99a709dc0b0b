"""Feedback on runs: events of the session, learned from at once, the last word of each counts."""

import asyncio
from typing import Any

import pytest
from live_server import Caller, LiveServer
from patterns_live import PATTERNS, list_patterns, request, teach

AT_ONCE = 12


async def rate(
    live: LiveServer,
    who: Caller,
    run_id: str,
    rating: str,
    correction: str = "",
    *,
    status: int = 200,
) -> Any:
    body = {"rating": rating, "correction": correction}
    return await request(live, who, "POST", f"/runs/{run_id}/feedback", body, status=status)


@pytest.mark.requirement("F21-5-feedback")
async def test_a_thumb_changes_what_a_run_counted_as_and_the_last_word_counts(
    live: LiveServer,
):
    ann, root = await live.person("ann"), await live.person("root", "admin")
    first, *_ = await teach(live, ann, "monday", "tuesday", "wednesday")
    said = await rate(live, ann, first, "down", "Use the archive as well")
    assert [(one["user_id"], one["rating"]) for one in said["feedback"]] == [
        (ann.who.user_id, "down")
    ]
    (pattern,) = await list_patterns(live, ann)
    assert (pattern["success_count"], pattern["failure_count"]) == (2, 1)
    shown = await request(live, ann, "GET", f"{PATTERNS}/{pattern['id']}")
    assert shown["corrections"] == ["Use the archive as well"]
    assert [run["success"] for run in shown["runs"]] == [False, True, True]
    # The same again changes nothing, and is no second event.
    assert await rate(live, ann, first, "down", "Use the archive as well") == said
    assert (await request(live, ann, "GET", f"{PATTERNS}/{pattern['id']}")) == shown
    await rate(live, root, first, "up")
    both = await request(live, ann, "GET", f"/runs/{first}/feedback")
    assert [one["rating"] for one in both["feedback"]] == ["down", "up"]
    await rate(live, ann, first, "")
    (pattern,) = await list_patterns(live, ann)
    assert (pattern["success_count"], pattern["failure_count"]) == (3, 0)
    left = await request(live, ann, "GET", f"/runs/{first}/feedback")
    assert [one["rating"] for one in left["feedback"]] == ["up"]


async def test_only_finished_runs_are_rated_and_only_by_who_sees_them(live: LiveServer):
    ann, bob = await live.person("ann"), await live.person("bob")
    waiting = await live.chat(ann, "write it")
    await rate(live, ann, waiting["run_id"], "up", status=409)
    await rate(live, bob, waiting["run_id"], "up", status=403)
    await request(live, bob, "GET", f"/runs/{waiting['run_id']}/feedback", status=403)
    done = await live.chat(ann, "look around")
    await rate(live, bob, done["run_id"], "up", status=403)
    share = f"/sessions/{done['session_id']}/shares/{bob.who.user_id}"
    await request(live, ann, "PUT", share, {"permission": "view"})
    said = await rate(live, bob, done["run_id"], "down", "Too 短 \U0001f600")
    assert said["feedback"][0]["correction"] == "Too 短 \U0001f600"
    viewer = await live.person("vic", "viewer")
    await rate(live, viewer, done["run_id"], "up", status=403)
    await rate(live, ann, done["run_id"], "sideways", status=422)
    await rate(live, ann, done["run_id"], "up", "x" * 4_001, status=422)
    await rate(live, ann, "none", "up", status=404)
    events = await request(live, ann, "GET", f"/sessions/{done['session_id']}/events")
    assert [e["by"] for e in events["events"] if e["event_type"] == "feedback"] == [bob.who.user_id]


async def test_thumbs_of_many_people_at_once_count_the_run_once(unlimited_live: LiveServer):
    live = unlimited_live
    ann = await live.person("ann")
    admins = [await live.person(f"a{number}", "admin") for number in range(AT_ONCE)]
    first, *_ = await teach(live, ann, "monday", "tuesday")
    await asyncio.gather(*(rate(live, one, first, "down") for one in admins))
    (pattern,) = await list_patterns(live, ann)
    assert (pattern["usage_count"], pattern["failure_count"]) == (2, 1)
    await asyncio.gather(*(rate(live, one, first, "up") for one in admins))
    (pattern,) = await list_patterns(live, ann)
    assert (pattern["usage_count"], pattern["failure_count"]) == (2, 0)


async def test_a_copied_run_is_rated_without_being_counted_again(live: LiveServer):
    ann = await live.person("ann")
    (run_id,) = await teach(live, ann, "monday")
    run = await request(live, ann, "GET", f"/runs/{run_id}")
    for _ in range(3):
        path = f"/sessions/{run['session_id']}/fork"
        made = await request(live, ann, "POST", path, {}, status=201)
        copies = f"/sessions/{made['session']['session_id']}/runs"
        (copy,) = (await request(live, ann, "GET", copies))["items"]
        said = await rate(live, ann, copy["run_id"], "up", "Count the files as well")
        assert [one["rating"] for one in said["feedback"]] == ["up"]
    (pattern,) = await list_patterns(live, ann)
    assert (pattern["usage_count"], pattern["state"]) == (1, "draft")
    shown = await request(live, ann, "GET", f"{PATTERNS}/{pattern['id']}")
    assert shown["corrections"] == []
