"""What a person says in a run is remembered for them, recalled in another, and can be switched off."""

from typing import Any

import pytest
from eventually import eventually
from live_server import Caller, LiveServer
from memories_live import MEMORIES, list_contents
from patterns_live import request

SAID = "My name is Ann Miller and I live in Berlin."
ASKED = "Where do I live?"


async def learned(live: LiveServer, who: Caller) -> list[str]:
    async def there() -> bool:
        return bool(await list_contents(live, who))

    await eventually(there)
    return await list_contents(live, who)


async def recalled(live: LiveServer, who: Caller, told: dict[str, Any]) -> list[str]:
    """Return what a run was told without asking; the log names it by ids alone."""
    path = f"/sessions/{told['session_id']}/events"
    events = (await request(live, who, "GET", path))["events"]
    named = [event for event in events if event["event_type"] == "memory_recalled"]
    assert "Berlin" not in str(named)
    ids = [one["id"] for event in named for one in event["memories"]]
    read = [await request(live, who, "GET", f"{MEMORIES}/{one}") for one in ids]
    return [one["memory"]["content"] for one in read]


async def test_what_was_said_is_recalled_in_another_session_with_its_source(live: LiveServer):
    ann, bob = await live.person("ann"), await live.person("bob")
    told = await live.chat(ann, SAID)
    await learned(live, ann)
    (found, *_) = (await request(live, ann, "GET", f"{MEMORIES}?session_id={told['session_id']}"))[
        "items"
    ]
    assert (found["source"]["kind"], found["source"]["run_id"]) == ("conversation", told["run_id"])
    assert "Berlin" in str(await recalled(live, ann, await live.chat(ann, ASKED)))
    # A colleague is told nothing of it.
    assert await recalled(live, bob, await live.chat(bob, ASKED)) == []
    assert await list_contents(live, bob) == []
    # Deleting the conversation is not forgetting: the memory says that its source is gone.
    await request(live, ann, "DELETE", f"/sessions/{told['session_id']}", status=204)
    shown = await request(live, ann, "GET", f"{MEMORIES}/{found['id']}")
    assert (shown["is_source_gone"], shown["memory"]["content"]) == (True, found["content"])


@pytest.mark.parametrize("switch", ["tenant", "person", "assistant", "session"])
async def test_each_switch_keeps_runs_from_remembering(live: LiveServer, switch: str):
    root = await live.person("root", "owner")
    acme = await live.tenant("acme")
    boss = await live.person("boss", "admin", acme)
    ann = await live.person("ann", tenant_id=acme)
    body: dict[str, Any] = {}
    match switch:
        case "tenant":
            off = {"limits": {"features_enabled": {"memory": False}}}
            await request(live, root, "PATCH", f"/tenants/{acme}", off)
        case "person":
            path = f"/users/{ann.who.user_id}"
            await request(live, boss, "PATCH", path, {"uses_memory": False}, status=403)
            said = await request(live, ann, "PATCH", path, {"uses_memory": False})
            assert said["uses_memory"] is False
        case "assistant":
            made = {"agent_id": "plain", "name": "Plain", "options": {"enable_memory": False}}
            await request(live, boss, "POST", "/agents", made, status=201)
            body["assistant_id"] = "plain"
        case _:
            body["session_id"] = await live.session(ann, metadata={"memory": False})
    told = await live.chat(ann, SAID, **body)
    await live.reached(ann, told["session_id"], "completed")
    assert await list_contents(live, ann) == []
    # By hand it still can be: the switch is of runs.
    made = {"content": "I live in Berlin."}
    await request(live, ann, "POST", MEMORIES, made, status=201)
    again = await live.chat(ann, ASKED, **body)
    assert await recalled(live, ann, again) == []
    assert await list_contents(live, ann) == ["I live in Berlin."]
