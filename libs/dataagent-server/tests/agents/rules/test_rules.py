"""An "always" is kept for the person and the project it was said in, on each database."""

from dataclasses import replace
from typing import Any

import pytest
from installation import Installation
from scripted_runs import PERSON, TENANT, open_scripted_runs, send_message, wait_for_status
from sqlalchemy import select

from dataagent_core.errors import DeniedError, LimitReachedError, NotFoundError
from dataagent_core.permissions import Rule
from dataagent_server.agents.rules import rule_service as module
from dataagent_server.agents.rules.kept_rule import KeptRule, RuleOrigin
from dataagent_server.agents.rules.rule_service import RuleService, list_always_rules
from dataagent_server.common.pagination import PageRequest
from dataagent_server.db.database import Database
from dataagent_server.db.tables.audit import audit_log
from dataagent_server.identity.auth.principal import Principal
from dataagent_server.runs.run_services import RunServices

WRITE = {"tool_calls": [{"name": "write_file", "args": {"file_path": "/a.txt", "content": "hi"}}]}
ALWAYS = {"type": "approve", "scope": "always"}
BOB = Principal(TENANT, "bob", "member")
EVE = Principal(TENANT, "eve", "admin")


async def rules_of(runs: RunServices, who: Principal = PERSON) -> list[KeptRule]:
    return list((await runs.rules.list(who, who.user_id, None, PageRequest())).items)


async def asks(runs: RunServices, session_id: str, who: Principal = PERSON) -> bool:
    """Say whether writing needs a yes in a new session; a question is answered with a no."""
    run = await send_message(runs, session_id=session_id, who=who)
    ended = await wait_for_status(runs, run, "waiting_approval", "completed", who=who)
    if ended.status == "completed":
        return False
    await runs.service.cancel(who, run.run_id)
    await wait_for_status(runs, run, "cancelled", who=who)
    return True


async def answered(
    runs: RunServices, session_id: str, decision: dict[str, Any], by: Principal = PERSON
):
    run = await send_message(runs, session_id=session_id)
    await wait_for_status(runs, run, "waiting_approval")
    (request,) = await runs.service.open_requests(PERSON, session_id)
    await runs.service.answer(by, request.interrupt_id, decision)
    await wait_for_status(runs, run, "completed", "cancelled")


@pytest.mark.every_database
async def test_an_always_counts_in_the_next_session_of_that_person_alone(database: Database):
    async with open_scripted_runs(database, WRITE, {"text": "done"}) as runs:
        await answered(runs, "s", ALWAYS)
        (kept,) = await rules_of(runs)
        assert (kept.tool, kept.resource, kept.session_id) == ("write_file", "**", "s")
        assert (kept.user_id, kept.created_by, kept.project_id) == ("u", "u", None)
        assert not await asks(runs, "next")
        assert await asks(runs, "his", BOB)
        with pytest.raises(DeniedError):
            await runs.rules.delete(BOB, kept.rule_id)
        with pytest.raises(DeniedError):
            await runs.rules.list(BOB, "u", None, PageRequest())
        with pytest.raises(NotFoundError):
            await runs.rules.delete(Principal(TENANT, "u", "owner"), "missing")
        await runs.rules.delete(PERSON, kept.rule_id)
        assert await asks(runs, "after")
    records = select(audit_log.c.action, audit_log.c.actor).order_by(audit_log.c.seq)
    said = await database.read(lambda c: [tuple(row) for row in c.execute(records)])
    assert [row for row in said if row[0].startswith("rule.")] == [
        ("rule.keep", "user:u"),
        ("rule.delete", "user:u"),
    ]


@pytest.mark.parametrize(
    "decision",
    [{"type": "approve"}, {"type": "approve", "scope": "once"}, {"type": "reject"}],
)
async def test_only_an_always_is_kept(database: Database, decision: dict[str, Any]):
    async with open_scripted_runs(database, WRITE, {"text": "done"}) as runs:
        await answered(runs, "s", decision)
        assert await rules_of(runs) == []


@pytest.mark.every_database
async def test_an_admins_always_is_the_persons_and_says_who_gave_it(database: Database):
    async with open_scripted_runs(database, WRITE, {"text": "done"}) as runs:
        await answered(runs, "s", ALWAYS, by=EVE)
        (kept,) = await rules_of(runs)
        assert (kept.user_id, kept.created_by) == ("u", "eve")
        assert await rules_of(runs, EVE) == []


@pytest.mark.every_database
async def test_the_same_rule_is_kept_once_per_person_and_project(installation: Installation):
    tenant = await installation.tenant("t")
    ann = await installation.person(tenant, "ann")
    service = RuleService(installation.database, installation.people.audit, installation.time.now)
    odd = [Rule("shell", "git status *", "allow", "session"), Rule("web", "\ud800\x00é" * 300, "allow", "session")]  # fmt: skip
    here = RuleOrigin(
        tenant_id=tenant, user_id=ann.user_id, project_id=None, session_id="s", by="x"
    )
    project = (await installation.people.projects.create(ann, "Sales")).project_id
    # A project that is not there any more keeps none.
    for where in (here, here, replace(here, project_id=project), replace(here, project_id="q")):
        await installation.database.write(lambda c, w=where: service.keep(c, ann, w, odd))
    assert set(await service.rules_for(tenant, ann.user_id, None)) == set(odd)
    assert set(await service.rules_for(tenant, ann.user_id, project)) == set(odd)
    assert await service.rules_for(tenant, ann.user_id, "q") == ()
    everything = await service.list(ann, ann.user_id, None, PageRequest(limit=3))
    rest = await service.list(ann, ann.user_id, None, PageRequest(everything.next, 3))
    assert (len(everything.items), len(rest.items)) == (3, 1)
    assert len((await service.list(ann, ann.user_id, project, PageRequest())).items) == 2


@pytest.mark.every_database
async def test_rules_go_with_their_project_and_with_the_member(installation: Installation):
    tenant = await installation.tenant("t")
    ann, boss = (
        await installation.person(tenant, "ann"),
        await installation.person(tenant, "boss", "owner"),
    )
    service = RuleService(installation.database, installation.people.audit, installation.time.now)
    rule = [Rule("shell", "ls", "allow", "session")]
    project = await installation.people.projects.create(ann, "P")
    here = RuleOrigin(
        tenant_id=tenant, user_id=ann.user_id, project_id=None, session_id="s", by="x"
    )
    for where in (here, replace(here, project_id=project.project_id)):
        await installation.database.write(lambda c, w=where: service.keep(c, ann, w, rule))
    await installation.people.projects.delete(ann, project.project_id)
    assert await service.rules_for(tenant, ann.user_id, project.project_id) == ()
    assert await service.rules_for(tenant, ann.user_id, None) == tuple(rule)
    await installation.people.members.remove(boss, ann.user_id)
    assert await service.rules_for(tenant, ann.user_id, None) == ()


@pytest.mark.every_database
async def test_too_many_rules_are_refused_with_the_way_out(
    installation: Installation, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(module, "RULES_PER_PLACE_MAX", 2)
    tenant = await installation.tenant("t")
    ann = await installation.person(tenant, "ann")
    service = RuleService(installation.database, installation.people.audit, installation.time.now)
    here = RuleOrigin(
        tenant_id=tenant, user_id=ann.user_id, project_id=None, session_id="s", by="x"
    )
    three = [Rule("shell", f"ls {n}", "allow", "session") for n in range(3)]
    with pytest.raises(LimitReachedError, match="Approve this once"):
        await installation.database.write(lambda c: service.keep(c, ann, here, three))
    assert await service.rules_for(tenant, ann.user_id, None) == ()


@pytest.mark.every_database
def test_what_an_answer_allows_is_what_its_question_showed():
    actions = [{"saves": [{"tool": "shell", "resource": "ls"}] * 2}, {}]
    assert list_always_rules(ALWAYS, actions) == [Rule("shell", "ls", "allow", "session")]
    assert list_always_rules({"type": "edit", "scope": "always"}, actions) == []
