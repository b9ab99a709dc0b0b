"""Somebody else's id, tried on every route that takes one, answers exactly like one that never was.

The routes are read from the application, so that a new one is tried without being listed here.
"""

import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from live_server import LiveServer
from operations import described_paths
from persona import NOTHING, REPORT, Persona, Step
from websockets.exceptions import InvalidStatus
from workflows_live import FILE as WORKFLOW

from tests.counts import examples

pytestmark = pytest.mark.every_database

_PARAMETER = re.compile(r"{(\w+)}")
SUBAGENT = {"name": "mine", "trigger": {"description": "Mine"}, "system_prompt": "Mine"}
PLAN_EDIT = {"version": 1, "edits": [{"op": "skip", "step_number": 1}]}
BODIES: dict[str, Any] = {
    "PUT /agents/{agent_id}": {"name": "Mine"},
    "PATCH /agents/{agent_id}": {"name": "Mine"},
    "POST /agents/{agent_id}/invoke": {"message": "hi"},
    "PUT /subagents/{subagent_id}": SUBAGENT,
    "PATCH /subagents/{subagent_id}/enable": {"enabled": False},
    "PATCH /agent/patterns/{pattern_id}": {"version": 1, "name": "Mine"},
    "POST /agent/patterns/{pattern_id}/share": {"tenant_id": "mine"},
    "PUT /agent/patterns/{pattern_id}/workflow": {"text": WORKFLOW, "version": 1},
    "POST /agent/patterns/{pattern_id}/workflow/check": {"text": WORKFLOW},
    "POST /agent/patterns/{pattern_id}/workflow/run": {"inputs": {"day": "may"}},
    "POST /runs/{run_id}/feedback": {"rating": "up"},
    "PATCH /memories/{memory_id}": {"version": 1, "content": "Mine"},
    "POST /memories/{memory_id}/wrong": {"correction": "Mine"},
    "PATCH /graph/entities/{entity_id}": {"version": 1, "name": "Mine"},
    "PATCH /data/sources/{name}": {"description": "Mine"},
    "PATCH /data/questions/{question_id}": {"name": "Mine"},
    "POST /data/results/{result_id}/chart": {},
    "POST /data/results/{result_id}/chart/spec": {},
    "PUT /mcp/servers/{name}": {"url": "https://93.184.215.14/"},
    "PATCH /mcp/servers/{name}": {"disabled": True},
    "POST /users/{user_id}/mcp-servers": {"name": "x", "url": "https://93.184.215.14/"},
    "PUT /users/{user_id}/mcp-servers/{name}": {"url": "https://93.184.215.14/"},
    "PATCH /users/{user_id}/mcp-servers/{name}": {"disabled": True},
    "PATCH /members/{user_id}": {"role": "viewer"},
    "PUT /model-credentials/{provider}": {"key": "sk-0123456789"},
    "PATCH /projects/{project_id}": {"name": "Mine"},
    "PATCH /reports/{report_id}": {"definition": REPORT},
    "POST /reports/{report_id}/run": {},
    "POST /reports/{report_id}/schedules": {"cron": "0 8 * * *"},
    "PATCH /reports/{report_id}/schedules/{schedule_id}": {"cron": "0 8 * * *"},
    "POST /requests/{interrupt_id}": {"decision": {"type": "approve"}},
    "PATCH /sessions/{session_id}": {"title": "Mine"},
    "POST /sessions/{session_id}/fork": {},
    "PUT /sessions/{session_id}/mode": {"mode": "plan"},
    "PATCH /sessions/{session_id}/plan": PLAN_EDIT,
    "PATCH /agent/conversations/{conversation_id}/plan": PLAN_EDIT,
    "POST /sessions/{session_id}/rewind": {},
    "PUT /sessions/{session_id}/shares/{user_id}": {"permission": "view"},
    "PATCH /tenants/{tenant_id}": {"name": "Mine"},
    "PUT /skills/{skill_id}": {"summary": "Mine"},
    "PUT /skills/{skill_id}/content": {"content": "---\nname: x\ndescription: x\n---\n"},
    "PUT /tool-compositions/{composition_id}": {"description": "Mine"},
    "PATCH /users/{user_id}": {"display_name": "Mine"},
    "PUT /users/{user_id}/password": {"new_password": "a good long password"},
    "PATCH /workspaces/{workspace_id}": {"name": "Mine"},
    "PUT /workspaces/{workspace_id}/members/{user_id}": {"permission": "read"},
}
# A member starts a run of their own with whatever the tenant has.
EVERYBODYS_TO_USE = {"POST /agents/{agent_id}/invoke"}
FILES = {"/files/content", "/files", "/folders"}
EVERYBODYS_TO_SEE = {
    "GET /agents/{agent_id}", "GET /agents/{agent_id}/activities", "GET /members/{user_id}", "GET /projects/{project_id}",
    "GET /tenants/{tenant_id}",
}  # fmt: skip
# A provider is the same word for everybody, and what is said of it is one's own.
_EVERYBODYS = {"provider"}
# A number is no id.
_NUMBERS = {"number": "1"}


@dataclass(frozen=True)
class Place:
    """A way to ask by an id."""

    method: str
    path: str

    @property
    def label(self) -> str:
        return f"{self.method} {self.path}"


def places() -> list[Place]:
    found = [
        Place(method.upper(), path.removeprefix("/api/v1"))
        for path, methods in described_paths().items()
        for method in methods
    ]
    return [
        place
        for place in found
        if (names := set(_PARAMETER.findall(place.path))) and not names & _EVERYBODYS
    ]


PLACES = places()


async def tell(who: Persona, place: Place, asked: str) -> tuple[int, Any]:
    """Ask for an id and return what is said, with the id taken out of it."""
    answer = await who.raw(place.method, **sent_to(place, defaultdict(lambda: asked)))
    told = answer.json()
    told.pop("request_id")
    # As a whole word: an id may be as short as "x".
    named = re.compile(rf"\b{re.escape(asked)}\b")
    return answer.status_code, {
        key: named.sub("", value) if isinstance(value, str) else value
        for key, value in told.items()
    }


@pytest.fixture
async def foreign(live: LiveServer) -> tuple[Persona, list[str]]:
    """Somebody's ids of every kind, and an owner of another tenant."""
    theirs = Persona(live, await live.person("ann", "owner", await live.tenant("theirs")))
    for verb in ("new session", "write", "requests", "new project", "new agent", "new subagent", "new workspace",
                 "new key", "new source", "new mcp", "share mcp", "new report", "new question", "new skill", "new composition", "new pattern", "store workflow", "offer pattern", "remember", "new member", "members", "upload", "runs",
                 "events", "checkpoints", "always", "rules"):  # fmt: skip
        await theirs.do(Step(verb, "x", "a"))
    ours = Persona(live, await live.person("eve", "owner", await live.tenant("ours")))
    return ours, [*theirs.plain.ids, "x", theirs.caller.who.user_id, "theirs"]


@pytest.mark.requirement("F4-isolation")
@pytest.mark.timeout(300)
@settings(max_examples=examples(400))
@given(place=st.sampled_from(PLACES), which=st.integers(0, 1_000))
async def test_a_foreign_id_answers_exactly_like_a_missing_one(
    foreign: tuple[Persona, list[str]], turns: Iterator[int], place: Place, which: int
):
    if next(turns, None) is None:
        return
    ours, ids = foreign
    asked = ids[which % len(ids)]
    status, told = await tell(ours, place, asked)
    assert (status, told) == await tell(ours, place, NOTHING), place.label
    assert status == 404, (place.label, told)


@pytest.fixture
async def colleagues(live: LiveServer) -> tuple[Persona, dict[str, str]]:
    """A member, and the ids of what a colleague of theirs has, by their names in paths."""
    tenant = await live.tenant("together")
    ann = Persona(live, await live.person("ann", "member", tenant))
    for verb in ("new session", "write", "new project", "new agent", "new workspace", "new key",
                 "new mcp"):  # fmt: skip
        await ann.do(Step(verb, "x", "a"))
    (asked,) = (await ann.raw("GET", "/sessions/x/requests")).json()["requests"]
    bob = Persona(live, await live.person("bob", "member", tenant))
    return bob, {
        "session_id": "x",
        "conversation_id": "x",
        "run_id": (await live.run_of(ann.caller, "x")).run_id,
        "interrupt_id": asked["interrupt_id"],
        "project_id": ann.thing("project", "x"),
        "agent_id": "x",
        "workspace_id": ann.thing("workspace", "x"),
        "key_id": ann.thing("key", "x"),
        "user_id": ann.caller.who.user_id,
        "tenant_id": tenant,
    }


@pytest.mark.requirement("F4-isolation")
async def test_a_colleagues_thing_is_refused_and_not_denied_to_be_there(
    colleagues: tuple[Persona, dict[str, str]],
):
    bob, ids = colleagues
    told: dict[str, tuple[int, str | None]] = {}
    for place in PLACES:
        names = set(_PARAMETER.findall(place.path))
        if names <= ids.keys():
            answer = await bob.raw(place.method, **sent_to(place, ids))
            code = answer.json()["error_code"] if answer.status_code >= 400 else None
            told[place.label] = (answer.status_code, code)
    seen = {label: said for label, said in told.items() if said != (403, "PERMISSION_DENIED")}
    # What everybody in a tenant may look at.
    assert seen == dict.fromkeys(EVERYBODYS_TO_SEE, (200, None)) | dict.fromkeys(
        EVERYBODYS_TO_USE, (202, None)
    )


def sent_to(place: Place, ids: Mapping[str, str]) -> dict[str, Any]:
    path = _PARAMETER.sub(
        lambda found: _NUMBERS.get(found.group(1)) or ids[found.group(1)], place.path
    )
    if any(place.path.endswith(end) for end in FILES):
        path += "?path=/uploads/a.txt"
    if place.label == "POST /workspaces/{workspace_id}/files":
        return {"path": path, "files": {"file": ("a.txt", b"a")}}
    return {"path": path, "json": BODIES.get(place.label)}


@pytest.mark.requirement("F4-isolation")
async def test_a_socket_on_a_foreign_session_is_denied_exactly_like_one_on_a_missing_one(
    foreign: tuple[Persona, list[str]],
):
    ours, _ = foreign
    said: list[tuple[int, str, str]] = []
    for asked in ("x", NOTHING):
        with pytest.raises(InvalidStatus) as denied:
            async with ours.live.socket(asked, ours.caller, "?after=0"):
                pass
        answer = denied.value.response
        told = json.loads(answer.body or b"")
        said.append((answer.status_code, told["error_code"], told["message"].replace(asked, "")))
    assert said[0] == said[1]
    assert said[0][0] == 404
