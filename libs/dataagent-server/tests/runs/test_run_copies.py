"""What a run uses stays until it is over: with the quota it takes, and at no cost for others."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from pathlib import Path
from typing import Any

import pytest
from installation import Installation, configured_keys, installation, keyring
from pydantic import JsonValue
from skill_texts import skill_text
from sqlalchemy import Connection, func, insert, select
from sqlalchemy.event import listen, remove

from dataagent_core.events import (
    DoneEvent,
    Event,
    HITLRequestEvent,
    RunStartedEvent,
    SkillEvent,
    SubAgentEvent,
    ToolCallEvent,
)
from dataagent_core.models.embeddings.local.wordllama_embedder import WordLlamaEmbedder
from dataagent_core.permissions import Rule
from dataagent_core.session.state import Session
from dataagent_core.skills import Skill
from dataagent_core.skills.skill_package import PackedFile
from dataagent_core.subagents import SubAgentTrigger
from dataagent_core.subagents.built_in_subagents import built_in_subagents
from dataagent_server.agents.skills.skill_services import SkillServices, make_skill_services
from dataagent_server.agents.subagents.agent_config_service import AgentConfigService
from dataagent_server.agents.subagents.agent_defaults import TenantAgentConfig
from dataagent_server.agents.subagents.stored_subagent import SubAgentDefinition
from dataagent_server.agents.subagents.subagent_service import SubAgentService
from dataagent_server.common.ids import TenantId
from dataagent_server.db.database import Database
from dataagent_server.db.database_clock import database_now
from dataagent_server.db.tables.runs import agent_executions
from dataagent_server.db.tables.skills import run_skills, skill_blobs, skill_versions
from dataagent_server.db.tables.subagents import agent_activity_logs, run_subagents
from dataagent_server.db.tables.workspaces import s_workspace_usage
from dataagent_server.hitl.requests import RequestTimeouts
from dataagent_server.identity.auth.principal import Principal
from dataagent_server.runs.projection import Projection
from dataagent_server.sessions.session_rows import remove_whole
from dataagent_server.stores.checkpoints import open_checkpoints
from dataagent_server.stores.event_log import ServerEventLog
from dataagent_server.stores.log_writer import LogWriter, Project
from dataagent_server.stores.sessions import insert_session

__all__ = ["configured_keys", "installation", "keyring"]

pytestmark = pytest.mark.every_database

SCRIPT = {"scripts/count.py": PackedFile(data=b"print(1)\n", executable=True)}
TIMEOUTS = RequestTimeouts(approval_s=60, clarification_s=60, decision_s=60)
TABLES = (run_skills, skill_versions, skill_blobs)


@pytest.fixture
async def ann(installation: Installation) -> Principal:
    return await installation.person(await installation.tenant("t"), "ann", "admin")


@pytest.fixture(autouse=True)
async def checkpoints(installation: Installation) -> AsyncGenerator[None]:
    """The tables of the graph, in which the end of a run looks."""
    async with open_checkpoints(installation.database):
        yield


@pytest.fixture
def skills(installation: Installation, tmp_path: Path) -> SkillServices:
    audit = installation.people.audit
    return make_skill_services(installation.database, audit, tmp_path / "sets", WordLlamaEmbedder())


def project_of(installation: Installation) -> Project:
    return Projection(installation.people.audit, TIMEOUTS).apply


def log_of(
    installation: Installation, tenant_id: TenantId, project: Project | None = None
) -> ServerEventLog:
    writer = LogWriter(installation.database, project or project_of(installation))
    return ServerEventLog(writer, tenant_id)


async def begin(database: Database, who: Principal, *run_ids: str) -> None:
    """Store runs that are under way, in a session of their name."""

    def work(connection: Connection) -> None:
        now = database_now(connection)
        for run_id in run_ids:
            run: dict[str, Any] = {
                "tenant_id": who.tenant_id, "run_id": run_id, "session_id": run_id,
                "user_id": who.user_id, "assistant_id": "a", "agent_type": "assistant",
                "message_id": "m", "input": "go", "status": "running", "position": 1,
                "created_at": now, "updated_at": now,
            }  # fmt: skip
            connection.execute(insert(agent_executions).values(**run))
            session = Session(run_id, who.user_id, "a")
            insert_session(connection, who.tenant_id, session, None, None)

    await database.write(work)


def activated(skill: Skill) -> SkillEvent:
    detail: dict[str, JsonValue] = {
        "skill_id": skill.id,
        "scope": str(skill.scope),
        "digest": skill.digest,
    }
    return SkillEvent(phase="activated", name=skill.name, detail=detail)


async def count(database: Database, who: Principal) -> list[int]:
    """Count rows of skills that are in use, versions and files, and the bytes in the quota."""
    usage = s_workspace_usage.c
    queries = [
        *(select(func.count()).where(table.c.tenant_id == who.tenant_id) for table in TABLES),
        select(func.coalesce(func.sum(usage.current_size_bytes), 0)).where(
            usage.tenant_id == who.tenant_id
        ),
    ]
    return await database.read(lambda c: [int(c.execute(one).scalar_one()) for one in queries])


async def test_a_deleted_skill_takes_its_room_until_no_run_uses_it(
    installation: Installation, skills: SkillServices, ann: Principal
):
    bob = await installation.person(await installation.tenant("other"), "bob", "admin")
    database = installation.database
    made = (await skills.service.create(ann, None, skill_text(), {}, SCRIPT)).view.skill
    await begin(database, ann, "one", "two")
    await begin(database, bob, "foreign")
    # An event that names a skill of another tenant keeps nothing of it.
    await log_of(installation, bob.tenant_id).append("foreign", "foreign", [activated(made)])
    assert await count(database, bob) == [0, 0, 0, 0]
    log = log_of(installation, ann.tenant_id)
    for run_id in ("one", "two"):
        await log.append(run_id, run_id, [activated(made), activated(made)])
    taken = len(skill_text().encode()) + len(SCRIPT["scripts/count.py"].data)
    assert await count(database, ann) == [2, 1, 1, taken]
    await skills.service.delete(ann, made.id)
    assert await count(database, ann) == [2, 1, 1, taken]
    found = await skills.sets.skills_for(ann.tenant_id, None, "one")
    assert found is await skills.sets.skills_for(ann.tenant_id, None, "two")
    kept = found.skill_set.find("custom-review")
    assert kept is not None
    assert kept.folder is not None
    assert (kept.folder / "scripts/count.py").read_bytes() == b"print(1)\n"
    for whose, run_id in ((ann, "foreign"), (ann, None), (bob, "one")):
        others = await skills.sets.skills_for(whose.tenant_id, None, run_id)
        assert others.skill_set.find("custom-review") is None
    await log.append("one", "one", [DoneEvent()])
    assert await count(database, ann) == [1, 1, 1, taken]
    await log.append("two", "two", [DoneEvent(cancelled=True, reason="user_cancelled")])
    assert await count(database, ann) == [0, 0, 0, 0]


async def test_a_version_in_use_outlives_those_that_are_too_old(
    installation: Installation,
    skills: SkillServices,
    ann: Principal,
    monkeypatch: pytest.MonkeyPatch,
):
    module = "dataagent_server.agents.skills.version_rows.VERSIONS_PER_SKILL_MAX"
    monkeypatch.setattr(module, 2)
    database = installation.database
    made = (await skills.service.create(ann, None, skill_text(), {}, SCRIPT)).view.skill
    await begin(database, ann, "one")
    log = log_of(installation, ann.tenant_id)
    await log.append("one", "one", [activated(made)])
    for number in range(4):
        text = skill_text("renamed", f"Number {number}.")
        await skills.service.change(ann, made.id, {}, text=text, files={})
    assert (await count(database, ann))[:3] == [1, 3, 1]
    found = await skills.sets.skills_for(ann.tenant_id, None, "one")
    texts = {one.name: one.description for one in found.skill_set.skills if one.id == made.id}
    assert texts == {"custom-review": "Review code our way.", "renamed": "Number 3."}
    for one in found.skill_set.skills:
        if one.id == made.id:
            assert one.folder is not None
            assert one.description in (one.folder / "SKILL.md").read_text()
    await log.append("one", "one", [DoneEvent()])
    await skills.service.change(ann, made.id, {}, text=skill_text("renamed"))
    assert (await count(database, ann))[:3] == [0, 2, 0]


async def test_a_skill_deleted_just_when_a_run_loads_it_is_kept_whole_or_not_at_all(
    installation: Installation, skills: SkillServices, ann: Principal
):
    database, log = installation.database, log_of(installation, ann.tenant_id)
    for number in range(6):
        made = (await skills.service.create(ann, None, skill_text(), {}, SCRIPT)).view.skill
        run_id = f"run{number}"
        await begin(database, ann, run_id)
        await asyncio.gather(
            log.append(run_id, run_id, [activated(made)]), skills.service.delete(ann, made.id)
        )
        used, versions, blobs, _ = await count(database, ann)
        assert (used, versions, blobs) in {(0, 0, 0), (1, 1, 1)}
        await log.append(run_id, run_id, [DoneEvent()])
        assert await count(database, ann) == [0, 0, 0, 0]


async def test_a_copy_of_a_sub_agent_is_what_the_run_had_before(
    installation: Installation, ann: Principal
):
    bob = await installation.person(await installation.tenant("other"), "bob", "admin")
    database, audit = installation.database, installation.people.audit
    service = SubAgentService(database, audit, built_in_subagents())
    configs = AgentConfigService(database, audit)
    definition = SubAgentDefinition(
        name="looker",
        display_name="查看",
        trigger=SubAgentTrigger(description="Looks", examples=("look",), keywords=("see",)),
        system_prompt="Look.",
        allowed_tools=("ls", "write_file"),
        allowed_skills=(),
        rules=(Rule("write_file", "*", "ask", "person"),),
        temperature=0.25,
    )
    made = (await service.create(ann, None, definition)).subagent
    # One that is built in has the same name as its id.
    names = {made.id: "looker", "coder-agent": "coder-agent"}
    await begin(database, ann, "one")
    await begin(database, bob, "two")
    before = await service.subagents_for(ann.tenant_id, None)
    for whose, run_id in ((ann, "one"), (bob, "two")):
        started: list[Event] = [
            SubAgentEvent(phase="started", name=name, agent_id=agent_id, subagent_id=name)
            for agent_id, name in names.items()
        ]
        await log_of(installation, whose.tenant_id).append(run_id, run_id, started)
    # The same, so that the agent need not be built anew.
    assert await service.subagents_for(ann.tenant_id, None, "one") == before
    await configs.put(ann, TenantAgentConfig(max_iterations=3))
    await service.change(ann, made.id, {"allowed_tools": ("ls",)})
    await service.enable(ann, "coder-agent", enabled=False)
    now = {one.name: one for one in await service.subagents_for(ann.tenant_id, None)}
    kept = {one.name: one for one in await service.subagents_for(ann.tenant_id, None, "one")}
    assert kept["looker"] == next(one for one in before if one.name == "looker")
    assert now["looker"].allowed_tools == ("ls",)
    assert set(kept) - set(now) == {"coder-agent"}
    for whose, run_id in ((bob, "one"), (bob, "two")):
        others = await service.subagents_for(whose.tenant_id, None, run_id)
        assert "looker" not in {one.name for one in others}
    await log_of(installation, ann.tenant_id).append("one", "one", [DoneEvent()])
    left = {one.name: one for one in await service.subagents_for(ann.tenant_id, None, "one")}
    assert left == now


async def test_a_model_may_ask_for_anything(installation: Installation, ann: Principal):
    database = installation.database
    await begin(database, ann, "one")
    odd: list[JsonValue] = ["nobody", "a\x00b", "\ud800", "x" * 5000, 7, None, {"a": []}]
    calls: list[Event] = []
    for name in odd:
        later: list[JsonValue] = [None, "x", [None, "x", {"subagent_type": name}]]
        calls += [
            ToolCallEvent(tool_name="task", tool_args={"subagent_type": name, "then": then})
            for then in later
        ]
    asked: list[dict[str, JsonValue]] = [{"name": "task"}, {"name": "task", "args": [1]}]
    calls.append(HITLRequestEvent(interrupt_id="i", action_requests=asked))
    known: dict[str, JsonValue] = {"subagent_type": "coder-agent"}
    log = log_of(installation, ann.tenant_id)
    await log.append("one", "one", [*calls, ToolCallEvent(tool_name="task", tool_args=known)])
    query = select(run_subagents.c.agent_id).where(run_subagents.c.tenant_id == ann.tenant_id)
    kept = await database.read(lambda c: list(c.execute(query).scalars()))
    assert kept == ["coder-agent"]


async def test_a_run_that_uses_nothing_costs_no_statement(
    installation: Installation, ann: Principal
):
    seen: list[str] = []
    project = project_of(installation)

    def watched(connection: Connection, tenant: str, events: Sequence[Event]) -> None:
        def note(_: Any, _cursor: Any, statement: str, *_others: Any) -> None:
            seen.append(statement)

        listen(connection, "before_cursor_execute", note)
        project(connection, tenant, events)
        remove(connection, "before_cursor_execute", note)

    await begin(installation.database, ann, "one")
    log = log_of(installation, ann.tenant_id, watched)
    await log.append("one", "one", [RunStartedEvent(message_id="m", model="", assistant_id="a")])
    await log.append("one", "one", [DoneEvent()])
    changes = [one for one in seen if one.startswith("UPDATE agent_executions")]
    assert len(changes) == 1
    assert not [one for one in seen if "run_skills" in one or "run_subagents" in one]
    assert not [one for one in seen if one.startswith("UPDATE agent_activity_logs")]


@pytest.mark.every_database
async def test_what_a_run_leaves_under_way_ends_with_it_also_in_one_append(
    installation: Installation, ann: Principal
):
    await begin(installation.database, ann, "one", "two", "three")
    log = log_of(installation, ann.tenant_id)
    general = SubAgentEvent(phase="started", agent_id="general-purpose", subagent_id="t")
    finished = SubAgentEvent(phase="finished", agent_id="general-purpose", subagent_id="t")
    copied = SubAgentEvent(phase="started", agent_id="coder-agent", subagent_id="t")
    await log.append("one", "one", [general])
    await log.append("one", "one", [DoneEvent()])
    await log.append("two", "two", [general])
    await log.append("two", "two", [finished, DoneEvent()])
    await log.append("three", "three", [copied, DoneEvent()])
    table = agent_activity_logs
    query = select(table.c.run_id, table.c.status).where(table.c.tenant_id == ann.tenant_id)
    rows = await installation.database.read(lambda c: c.execute(query).all())
    assert {row.run_id: row.status for row in rows} == {
        "one": "cancelled",
        "two": "completed",
        "three": "cancelled",
    }
    left = select(run_subagents.c.run_id).where(run_subagents.c.tenant_id == ann.tenant_id)
    assert not await installation.database.read(lambda c: c.execute(left).all())


async def test_a_session_is_deleted_with_what_its_runs_used(
    installation: Installation, skills: SkillServices, ann: Principal
):
    database = installation.database
    made = (await skills.service.create(ann, None, skill_text(), {}, SCRIPT)).view.skill
    await begin(database, ann, "one", "two")
    log = log_of(installation, ann.tenant_id)
    started = SubAgentEvent(phase="started", agent_id="coder-agent", subagent_id="t")
    for run_id in ("one", "two"):
        await log.append(run_id, run_id, [activated(made), started])

    def end(connection: Connection) -> None:
        # As no run ends: its end is not in the log.
        table = agent_executions
        connection.execute(
            table.update()
            .where(table.c.tenant_id == ann.tenant_id, table.c.run_id == "one")
            .values(status="failed")
        )

    await database.write(end)
    await database.write(lambda c: remove_whole(c, ann.tenant_id, "one"))
    for table in (run_skills, run_subagents):
        left = select(table.c.run_id).where(table.c.tenant_id == ann.tenant_id)
        assert list(await database.read(lambda c, q=left: c.execute(q).scalars().all())) == ["two"]
