"""Somebody else's id, tried on every route that takes one, answers exactly like one that never was.

The routes are read from the application, so that a new one is tried without being listed here.
"""

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from persona import NOTHING, Persona, Step
from talking import Talk
from websockets.exceptions import InvalidStatus

from dataagent_server.app import create_app
from dataagent_server.settings import ServerSettings

_PARAMETER = re.compile(r"{(\w+)}")
BODIES: dict[str, Any] = {
    "PATCH /agents/{agent_id}": {"name": "Mine"},
    "PATCH /members/{user_id}": {"role": "viewer"},
    "PUT /model-credentials/{provider}": {"key": "sk-0123456789"},
    "PATCH /projects/{project_id}": {"name": "Mine"},
    "POST /requests/{interrupt_id}": {"decision": {"type": "approve"}},
    "PATCH /sessions/{session_id}": {"title": "Mine"},
    "PATCH /tenants/{tenant_id}": {"name": "Mine"},
    "PATCH /users/{user_id}": {"display_name": "Mine"},
    "PUT /users/{user_id}/password": {"new_password": "a good long password"},
    "PATCH /workspaces/{workspace_id}": {"name": "Mine"},
    "PUT /workspaces/{workspace_id}/members/{user_id}": {"permission": "read"},
}
FILES = {"/files/content", "/files", "/folders"}
# A provider is the same word for everybody, and what is said of it is one's own.
_EVERYBODYS = {"provider"}


@dataclass(frozen=True)
class Place:
    """A way to ask by an id."""

    method: str
    path: str

    @property
    def label(self) -> str:
        return f"{self.method} {self.path}"


def places() -> list[Place]:
    described = create_app(ServerSettings.load({}, Path())).openapi()["paths"]
    found = [
        Place(method.upper(), path.removeprefix("/api/v1"))
        for path, methods in described.items()
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
    path = _PARAMETER.sub(asked, place.path)
    if any(place.path.endswith(end) for end in FILES):
        path += "?path=/uploads/a.txt"
    sent: dict[str, Any] = {"json": BODIES.get(place.label)}
    if place.label == "POST /workspaces/{workspace_id}/files":
        sent = {"files": {"file": ("a.txt", b"a")}}
    answer = await who.raw(place.method, path, **sent)
    told = answer.json()
    told.pop("request_id")
    return answer.status_code, {
        key: value.replace(asked, "") if isinstance(value, str) else value
        for key, value in told.items()
    }


@pytest.fixture
async def foreign(talk: Talk) -> tuple[Persona, list[str]]:
    """Somebody's ids of every kind, and an owner of another tenant."""
    theirs = Persona(talk, await talk.person("ann", "owner", await talk.tenant("theirs")))
    for verb in ("new session", "write", "requests", "new project", "new agent", "new workspace",
                 "new key", "new member", "members", "upload", "runs", "events"):  # fmt: skip
        await theirs.do(Step(verb, "x", "a"))
    ours = Persona(talk, await talk.person("eve", "owner", await talk.tenant("ours")))
    return ours, [*theirs.plain.ids, "x", theirs.caller.who.user_id, "theirs"]


@pytest.mark.requirement("F4-isolation")
@pytest.mark.timeout(300)
@settings(max_examples=400)
@given(place=st.sampled_from(PLACES), which=st.integers(0, 1_000))
async def test_a_foreign_id_answers_exactly_like_a_missing_one(
    foreign: tuple[Persona, list[str]], place: Place, which: int
):
    ours, ids = foreign
    asked = ids[which % len(ids)]
    status, told = await tell(ours, place, asked)
    assert (status, told) == await tell(ours, place, NOTHING), place.label
    assert status == 404, (place.label, told)


@pytest.mark.requirement("F4-isolation")
async def test_a_socket_on_a_foreign_session_is_denied_exactly_like_one_on_a_missing_one(
    foreign: tuple[Persona, list[str]],
):
    ours, _ = foreign
    said: list[tuple[int, str, str]] = []
    for asked in ("x", NOTHING):
        with pytest.raises(InvalidStatus) as denied:
            async with ours.talk.socket(asked, ours.caller, "?after=0"):
                pass
        answer = denied.value.response
        told = json.loads(answer.body or b"")
        said.append((answer.status_code, told["error_code"], told["message"].replace(asked, "")))
    assert said[0] == said[1]
    assert said[0][0] == 404
