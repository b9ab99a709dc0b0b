"""A run that waited goes on with the skills it used, whatever became of them meanwhile."""

import shutil
from typing import Any

import live_server
import pytest
from eventually import eventually
from live_server import CHOOSE, Caller, LiveServer, open_live_server
from skill_texts import skill_text, skill_zip
from sqlalchemy import func, select

from dataagent_server.agents.skills.orphans import remove_orphans
from dataagent_server.db.tables.skills import run_skills, skill_blobs, skill_versions
from tests.server.fixtures import MakeSettings

pytestmark = pytest.mark.every_database

REFERENCE = "references/a.md"
LOAD = {"name": "skill", "args": {"name": "ours"}}
LOOK = {
    "name": "read_file",
    "args": {"file_path": f"/skills/tenant/ours/{REFERENCE}"},
}
USE_IT = {
    "match": "^use it",
    "steps": [
        *({"tool_calls": [call]} for call in (LOAD, LOOK, CHOOSE, LOOK, LOAD)),
        {"text": "used"},
    ],
}
OLD, NEW = {REFERENCE: b"as it was"}, {REFERENCE: b"as it is now"}


@pytest.fixture(autouse=True)
def script(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(live_server.SCRIPT, "scripts", [USE_IT, *live_server.SCRIPT["scripts"]])


async def ask(live: LiveServer, who: Caller, method: str, path: str, **more: Any) -> Any:
    answer = await live.http.request(method, f"/api/v1{path}", headers=who.headers, **more)
    assert answer.status_code < 300, (path, answer.text)
    return answer.json() if answer.content else None


async def upload(live: LiveServer, who: Caller, files: dict[str, bytes]) -> str:
    packed = [("file", ("ours.zip", skill_zip("ours", files)))]
    body = {"replace": "true"}
    return (await ask(live, who, "POST", "/skills/upload", data=body, files=packed))["id"]


async def answer(live: LiveServer, who: Caller, waiting: dict[str, Any]) -> list[tuple[str, str]]:
    """Answer what a run waits for; return its calls when it is over, with what they were told."""
    decision = {"type": "answer", "answer": "fast"}
    path = f"/requests/{waiting['events'][-1]['interrupt_id']}"
    await ask(live, who, "POST", path, json={"decision": decision})
    session_id = waiting["session_id"]
    run = await live.reached(who, session_id, "completed", "failed")
    assert run.status == "completed"
    calls = await ask(live, who, "GET", f"/sessions/{session_id}/tool-executions")
    return [(one["status"], str(one["tool_output"])) for one in calls["tool_executions"]]


async def count(live: LiveServer, who: Caller) -> list[int]:
    """Count what is stored of the tenant's skills: in use by runs, versions, files."""
    tables = (run_skills, skill_versions, skill_blobs)
    queries = [
        select(func.count()).select_from(table).where(table.c.tenant_id == who.who.tenant_id)
        for table in tables
    ]
    return await live.services.database.read(
        lambda c: [c.execute(query).scalar_one() for query in queries]
    )


async def test_a_skill_that_is_deleted_while_a_run_uses_it_goes_with_the_end_of_the_run(
    make_settings: MakeSettings, database_url: str
):
    async with open_live_server(make_settings(database_url=database_url)) as live:
        ann = await live.person(role="admin")
        eve = await live.person("eve", "admin", await live.tenant("other"))
        skill_id = await upload(live, ann, OLD)
        await upload(live, eve, OLD)
        waiting = await live.chat(ann, "use it")
        also_waiting = await live.chat(ann, "use it")
        assert await count(live, ann) == [2, 1, 1]
        await ask(live, ann, "DELETE", f"/skills/{skill_id}")
        await remove_orphans(live.services.database)
        assert await count(live, ann) == [2, 1, 1]
        calls = await answer(live, ann, waiting)
        assert [status for status, _ in calls] == ["success"] * 5
        assert all("as it was" in calls[at][1] for at in (1, 3))
        # The other run still uses it.
        assert await count(live, ann) == [1, 1, 1]
        assert [status for status, _ in await answer(live, ann, also_waiting)] == ["success"] * 5
        assert await count(live, ann) == [0, 0, 0]
        assert await count(live, eve) == [0, 1, 1]
        # It is gone for the next run.
        ended = await live.chat(ann, "use it")
        told = [one["result"] for one in ended["events"] if one["event_type"] == "tool_result"]
        assert "no skill 'ours'" in told[0]


async def test_a_skill_that_is_changed_or_disabled_is_so_for_the_next_run(
    make_settings: MakeSettings, database_url: str
):
    async with open_live_server(make_settings(database_url=database_url)) as live:
        ann = await live.person(role="admin")
        skill_id = await upload(live, ann, OLD)
        waiting = await live.chat(ann, "use it")
        await upload(live, ann, NEW)
        text = skill_text("ours").replace("twice", "thrice")
        await ask(live, ann, "PUT", f"/skills/{skill_id}/content", json={"content": text})
        fresh = await live.chat(ann, "use it")
        await ask(live, ann, "PUT", f"/skills/{skill_id}", json={"enabled": False})
        for wait, read, told in (
            (waiting, "as it was", "twice"),
            (fresh, "as it is now", "thrice"),
        ):
            calls = await answer(live, ann, wait)
            assert [status for status, _ in calls] == ["success"] * 5
            assert all(read in calls[at][1] for at in (1, 3))
            assert all(told in calls[at][1] for at in (0, 4))
        assert await count(live, ann) == [0, 3, 2]


async def test_another_server_goes_on_with_the_files_of_a_deleted_skill(
    make_settings: MakeSettings, database_url: str
):
    here = make_settings(database_url=database_url)
    async with open_live_server(here) as live:
        ann = await live.person(role="admin")
        skill_id = await upload(live, ann, OLD)
        waiting = await live.chat(ann, "use it")
        await ask(live, ann, "DELETE", f"/skills/{skill_id}")
    elsewhere = here.home.with_name("elsewhere")
    elsewhere.mkdir(mode=0o700)
    shutil.copy(here.home / "secret.key", elsewhere)
    there = make_settings(database_url=database_url, home=str(elsewhere))
    async with open_live_server(there) as live:
        calls = await answer(live, ann, waiting)
        assert [status for status, _ in calls] == ["success"] * 5
        assert "as it was" in calls[3][1]

        async def is_gone() -> bool:
            return await count(live, ann) == [0, 0, 0]

        await eventually(is_gone)
        await ask(live, ann, "DELETE", f"/sessions/{waiting['session_id']}")
