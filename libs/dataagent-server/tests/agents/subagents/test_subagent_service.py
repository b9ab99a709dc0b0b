"""Sub-agents of tenants and projects, and the tenant's defaults, on each database."""

from dataclasses import replace
from functools import partial
from typing import Any

import pytest
from installation import Installation
from sqlalchemy import Connection, select

from dataagent_core.errors import (
    ConflictError,
    DeniedError,
    LimitReachedError,
    NotFoundError,
    ValidationError,
)
from dataagent_core.permissions import Rule
from dataagent_core.subagents import SubAgent, SubAgentTrigger
from dataagent_server.agents.subagents import subagent_service
from dataagent_server.agents.subagents.agent_config_service import AgentConfigService
from dataagent_server.agents.subagents.agent_defaults import TenantAgentConfig, define_copy
from dataagent_server.agents.subagents.statistics_rows import Invocation, add_invocation
from dataagent_server.agents.subagents.stored_subagent import SubAgentDefinition
from dataagent_server.agents.subagents.subagent_service import SubAgentService
from dataagent_server.db.tables.audit import audit_log

pytestmark = pytest.mark.every_database

REVIEWER = SubAgent(
    id="code-reviewer",
    name="code-reviewer",
    trigger=SubAgentTrigger(description="Reviews code"),
    system_prompt="Review.",
    max_iterations=20,
    is_built_in=True,
)


@pytest.fixture
def service(installation: Installation) -> SubAgentService:
    return SubAgentService(
        installation.database, installation.people.audit, (REVIEWER,), clock=installation.time.now
    )


@pytest.fixture
def configs(installation: Installation) -> AgentConfigService:
    return AgentConfigService(installation.database, installation.people.audit)


def defined(name: str = "analyst", **values: Any) -> SubAgentDefinition:
    trigger = SubAgentTrigger(description="分析数据", examples=("用 SQL",), keywords=("数据",))
    plain = SubAgentDefinition(name=name, trigger=trigger, system_prompt="You analyse.")
    return replace(plain, **values)


@pytest.mark.requirement("S2-13-subagents")
async def test_a_row_keeps_all_that_a_person_said(
    installation: Installation, service: SubAgentService
):
    ada = await installation.person(await installation.tenant("t"), "ada", "admin")
    wanted = defined(
        display_name="分析师",
        model="openai:b",
        color="teal",
        allowed_tools=("read_file",),
        allowed_skills=(),
        allowed_mcp_servers=("shop",),
        rules=(Rule("shell", "rm *", "deny", "person"),),
        max_tokens=100,
        temperature=0.25,
        top_p=0.5,
        max_iterations=3,
        hidden=True,
        enabled=False,
        version="2.0.0",
    )
    made = await service.create(ada, None, wanted)
    found = await service.get(ada, made.subagent.id)
    assert found.stored is not None
    assert found == made
    assert found.stored.definition == wanted
    assert (found.stored.created_by, found.stored.is_override) == (ada.user_id, False)
    assert found.stored.statistics.total_invocations == 0
    assert found.subagent.allowed_skills == ()
    assert await service.subagents_for(ada.tenant_id, None) == (REVIEWER,)


async def test_the_nearest_of_a_name_is_used_and_says_what_it_replaces(
    installation: Installation, service: SubAgentService
):
    tenant = await installation.tenant("t")
    ada = await installation.person(tenant, "ada", "admin")
    project = await installation.people.projects.create(ada, "One")
    mine = await service.create(ada, None, defined("code-reviewer", system_prompt="Mine."))
    near = await service.create(
        ada, project.project_id, defined("code-reviewer", system_prompt="Near.")
    )
    assert mine.stored is not None
    assert mine.stored.is_override
    shown = await service.list(ada, project.project_id)
    assert [(one.subagent.system_prompt, one.is_overridden) for one in shown] == [
        ("Review.", True),
        ("Mine.", True),
        ("Near.", False),
    ]
    assert [one.is_overridden for one in await service.list(ada, None)] == [True, False]
    (used,) = await service.subagents_for(tenant, project.project_id)
    assert used.id == near.subagent.id
    await service.enable(ada, near.subagent.id, enabled=False)
    assert await service.subagents_for(tenant, project.project_id) == ()
    await service.delete(ada, near.subagent.id)
    await service.delete(ada, mine.subagent.id)
    assert await service.subagents_for(tenant, project.project_id) == (REVIEWER,)


async def test_a_name_is_taken_once_in_each_scope(
    installation: Installation, service: SubAgentService
):
    tenant, other = await installation.tenant("t"), await installation.tenant("u")
    ada = await installation.person(tenant, "ada", "admin")
    eve = await installation.person(other, "eve", "admin")
    project = await installation.people.projects.create(ada, "One")
    for scope in (None, project.project_id):
        await service.create(ada, scope, defined())
        with pytest.raises(ConflictError, match="'analyst'"):
            await service.create(ada, scope, defined())
    second = await service.create(ada, None, defined("second"))
    with pytest.raises(ConflictError, match="'analyst'"):
        await service.change(ada, second.subagent.id, {"name": "analyst"})
    await service.create(eve, None, defined())


async def test_a_built_in_one_is_switched_off_for_one_tenant(
    installation: Installation, service: SubAgentService
):
    tenant, other = await installation.tenant("t"), await installation.tenant("u")
    ada = await installation.person(tenant, "ada", "admin")
    off = await service.enable(ada, "code-reviewer", enabled=False)
    assert off.stored is not None
    assert off.stored.is_override
    assert (off.stored.definition.max_iterations, off.stored.definition.temperature) == (20, None)
    assert await service.subagents_for(tenant, None) == ()
    assert await service.subagents_for(other, None) == (REVIEWER,)
    again = await service.enable(ada, "code-reviewer", enabled=True)
    assert (again.stored, again.subagent, again.is_overridden) == (None, REVIEWER, False)
    for refused in (
        service.delete(ada, "code-reviewer"),
        service.change(ada, "code-reviewer", {"hidden": True}),
    ):
        with pytest.raises(ConflictError, match="built in"):
            await refused


async def test_a_tenant_stays_on_the_built_in_one_unless_its_copy_says_something_else(
    installation: Installation, service: SubAgentService
):
    tenant = await installation.tenant("t")
    ada = await installation.person(tenant, "ada", "admin")
    name = REVIEWER.name
    assert (await service.enable(ada, name, enabled=True)).stored is None
    copy = await service.enable(ada, name, enabled=False)
    for agent_id, tokens in ((name, 1), (name, 2), (copy.subagent.id, 4)):
        one = Invocation(
            day="2026-11-18", succeeded=tokens > 1, duration_ms=10, tokens=tokens, cost=0.5
        )
        await installation.database.write(
            partial(add_invocation, tenant_id=tenant, agent_id=agent_id, one=one)
        )
    # By its own id too.
    back = await service.enable(ada, copy.subagent.id, enabled=True)
    assert (back.stored, back.statistics.total_invocations) == (None, 3)
    improved = replace(REVIEWER, system_prompt="Review well.")
    later = replace(service, built_in=(improved,))
    assert await later.subagents_for(tenant, None) == (improved,)
    statistics, use = await service.read_use(ada, name)
    assert (statistics.total_invocations, statistics.success_rate) == (3, pytest.approx(2 / 3))
    assert (use.total_tokens, [day.invocations for day in use.by_day]) == (7, [3])
    # One that says something else stays, and so does a project's.
    own = await service.create(ada, None, defined(name, system_prompt="Mine.", enabled=False))
    on = await service.enable(ada, name, enabled=True)
    assert on.subagent == replace(own.subagent, enabled=True)
    project = (await installation.people.projects.create(ada, "One")).project_id
    near = await service.create(ada, project, define_copy(REVIEWER, enabled=False))
    shown = await service.enable(ada, near.subagent.id, enabled=True)
    assert shown.stored is not None


async def test_a_deleted_one_has_its_statistics_by_its_id(
    installation: Installation, service: SubAgentService
):
    tenant, other = await installation.tenant("t"), await installation.tenant("u")
    ada = await installation.person(tenant, "ada", "admin")
    eve = await installation.person(other, "eve", "admin")
    made = (await service.create(ada, None, defined())).subagent.id
    one = Invocation(day="2026-11-18", succeeded=True, duration_ms=10, tokens=4, cost=0.5)
    await installation.database.write(lambda c: add_invocation(c, tenant, made, one))
    before = await service.read_use(ada, made)
    await service.delete(ada, made)
    assert await service.read_use(ada, made) == before
    for person, subagent_id in ((eve, made), (ada, "nobody")):
        with pytest.raises(NotFoundError):
            await service.read_use(person, subagent_id)


@pytest.mark.requirement("S2-16.4-4.2-caches")
async def test_a_change_in_one_process_is_seen_by_the_next_run_of_another(
    installation: Installation, service: SubAgentService, configs: AgentConfigService
):
    tenant = await installation.tenant("t")
    ada = await installation.person(tenant, "ada", "admin")
    other = SubAgentService(installation.database, installation.people.audit, (REVIEWER,))
    assert await other.subagents_for(tenant, None) == (REVIEWER,)
    made = await service.create(ada, None, defined())
    assert [one.name for one in await other.subagents_for(tenant, None)] == [
        "analyst",
        "code-reviewer",
    ]
    await service.change(ada, made.subagent.id, {"system_prompt": "Other."})
    await service.enable(ada, "code-reviewer", enabled=False)
    (analyst,) = await other.subagents_for(tenant, None)
    assert (analyst.system_prompt, analyst.max_tokens) == ("Other.", 4096)
    assert (await other.load_for_run(tenant, None)).defaults == TenantAgentConfig()
    await configs.put(ada, TenantAgentConfig(max_tokens=99, max_depth=3))
    loaded = await other.load_for_run(tenant, None)
    assert [one.max_tokens for one in loaded.subagents] == [99]
    assert loaded.defaults.max_depth == 3
    routed = await other.match(ada, None, "@analyst look")
    assert routed.chosen == ("analyst",)
    await service.delete(ada, made.subagent.id)
    assert await other.subagents_for(tenant, None) == ()


async def test_admins_change_the_tenants_and_owners_those_of_their_project(
    installation: Installation, service: SubAgentService
):
    tenant, other = await installation.tenant("t"), await installation.tenant("u")
    ada = await installation.person(tenant, "ada", "admin")
    ann, bob = await installation.person(tenant, "ann"), await installation.person(tenant, "bob")
    eve = await installation.person(other, "eve", "admin")
    project = await installation.people.projects.create(ann, "One")
    ours = (await service.create(ada, None, defined())).subagent.id
    theirs = (await service.create(ann, project.project_id, defined())).subagent.id
    for person, subagent_id in ((ann, ours), (bob, theirs)):
        with pytest.raises(DeniedError):
            await service.enable(person, subagent_id, enabled=False)
    with pytest.raises(DeniedError):
        await service.create(bob, None, defined("other"))
    assert (await service.get(bob, theirs)).subagent.name == "analyst"
    for refused in (
        service.get(eve, ours),
        service.enable(eve, ours, enabled=False),
        service.change(eve, theirs, {"hidden": True}),
        service.delete(eve, theirs),
        service.list(eve, project.project_id),
        service.create(eve, project.project_id, defined()),
    ):
        with pytest.raises(NotFoundError):
            await refused


async def test_the_version_grows_with_a_change_unless_it_is_given(
    installation: Installation, service: SubAgentService
):
    ada = await installation.person(await installation.tenant("t"), "ada", "admin")
    made = (await service.create(ada, None, defined())).subagent.id
    same = await service.change(ada, made, {"system_prompt": "You analyse."})
    changed = await service.change(ada, made, {"system_prompt": "Other."})
    given = await service.change(ada, made, {"system_prompt": "Third.", "version": "3.0"})
    grown = await service.change(ada, made, {"hidden": True})
    named = await service.change(ada, made, {"hidden": False, "version": "final"})
    kept = await service.change(ada, made, {"hidden": True})
    versions = [one.subagent.version for one in (same, changed, given, grown, named, kept)]
    assert versions == ["1.0.0", "1.0.1", "3.0", "3.1", "final", "final"]


async def test_what_cannot_be_used_is_refused_with_its_value(
    installation: Installation, service: SubAgentService, monkeypatch: pytest.MonkeyPatch
):
    ada = await installation.person(await installation.tenant("t"), "ada", "admin")
    for odd, said in (
        (defined("Not a name"), "Not a name"),
        (defined("x" * 51), "51 characters"),
        (defined(temperature=2.1), "temperature is 2.1"),
        (defined(top_p=-0.1), "top_p is -0.1"),
        (defined(max_tokens=0), "max_tokens is 0"),
        (defined(max_iterations=1_000), "max_iterations is 1000"),
        (defined(model="nobody:x"), "nobody"),
        (defined(system_prompt=" "), "prompt"),
        (defined(trigger=SubAgentTrigger(description="")), "description"),
    ):
        with pytest.raises(ValidationError, match=said):
            await service.create(ada, None, odd)
    without = replace(ada, features_off=frozenset({"code_execution"}))
    with pytest.raises(DeniedError, match="'shell'"):
        await service.create(without, None, defined(allowed_tools=("read_file", "shell")))
    monkeypatch.setattr(subagent_service, "SUBAGENTS_PER_SCOPE_MAX", 1)
    await service.create(ada, None, defined())
    with pytest.raises(LimitReachedError, match="of a tenant"):
        await service.create(ada, None, defined("second"))


async def test_the_tenants_defaults_fill_what_is_left_out(
    installation: Installation, service: SubAgentService, configs: AgentConfigService
):
    tenant, other = await installation.tenant("t"), await installation.tenant("u")
    ada = await installation.person(tenant, "ada", "admin")
    ann = await installation.person(tenant, "ann")
    eve = await installation.person(other, "eve", "admin")
    made = await service.create(ada, None, defined(temperature=0.1, model="inherit"))
    assert (made.subagent.max_tokens, made.subagent.max_iterations) == (4096, 10)
    wanted = TenantAgentConfig(
        model="openai:b", temperature=1.5, max_tokens=99, max_iterations=4, max_depth=3, timeout_s=9
    )
    await configs.put(ada, TenantAgentConfig(top_p=0.5))
    await configs.put(ada, wanted)
    assert await configs.get(ann) == wanted
    assert await configs.get(eve) == TenantAgentConfig()
    analyst, reviewer = await service.subagents_for(tenant, None)
    assert (analyst.temperature, analyst.max_tokens, analyst.model) == (0.1, 99, "inherit")
    assert (reviewer.temperature, reviewer.max_iterations, reviewer.model) == (1.5, 20, "openai:b")
    shown = await service.get(ada, made.subagent.id)
    assert shown.inherited == ("max_tokens", "top_p", "max_iterations")
    with pytest.raises(DeniedError):
        await configs.put(ann, wanted)
    for odd in (
        TenantAgentConfig(temperature=3),
        TenantAgentConfig(max_depth=0),
        TenantAgentConfig(timeout_s=0),
        TenantAgentConfig(model="scripted:x"),
    ):
        with pytest.raises(ValidationError):
            await configs.put(ada, odd)


async def test_changes_are_in_the_audit_log(installation: Installation, service: SubAgentService):
    tenant = await installation.tenant("t")
    ada = await installation.person(tenant, "ada", "admin")
    made = (await service.create(ada, None, defined())).subagent.id
    await service.enable(ada, made, enabled=False)
    await service.delete(ada, made)
    actions = await installation.database.read(lambda c: _list_actions(c, tenant))
    assert actions[-3:] == ["subagent.create", "subagent.change", "subagent.delete"]


def _list_actions(connection: Connection, tenant: str) -> list[str]:
    query = select(audit_log.c.action).where(audit_log.c.tenant_id == tenant)
    return list(connection.execute(query.order_by(audit_log.c.seq)).scalars())
