"""Sessions on each database: written together with what belongs to them, deleted with it."""

from typing import Any

import pytest
from installation import Installation
from sqlalchemy import select

from dataagent_core.errors import ConflictError, DeniedError, NotFoundError, ValidationError
from dataagent_core.ids import new_id
from dataagent_server.db.tables.conversations import sessions as table
from dataagent_server.db.tables.runs import agent_executions
from dataagent_server.identity.auth.principal import Principal
from dataagent_server.runs.run_capacity import RunLimits
from dataagent_server.runs.run_row import NewRun
from dataagent_server.runs.run_rows import insert_run
from dataagent_server.sessions.session_rows import note_message
from dataagent_server.sessions.session_service import NewSession, SessionChange, SessionService
from dataagent_server.stores.session_lists import SessionFilter

LIMITS = RunLimits(per_tenant=100, queued_per_session=10)


async def made(service: SessionService, who: Principal, **values: Any) -> str:
    wanted: dict[str, Any] = {"assistant_id": "default", **values}
    prepared = service.prepare(who, NewSession(**wanted))
    await service.create(who, prepared)
    return prepared.session.session_id


@pytest.fixture
def service(installation: Installation) -> SessionService:
    return SessionService(installation.database, installation.people.audit)


@pytest.mark.every_database
async def test_what_comes_before_and_the_session_are_written_together(
    installation: Installation, service: SessionService
):
    ann = await installation.person(await installation.tenant("t"), "ann")

    def refuse(connection: Any) -> None:
        raise ValidationError("not now")

    prepared = service.prepare(ann, NewSession(assistant_id="default", session_id="mine"))
    with pytest.raises(ValidationError):
        await service.create(ann, prepared, refuse)
    with pytest.raises(NotFoundError):
        await service.get(ann, "mine")
    await service.create(ann, prepared)
    with pytest.raises(ConflictError):
        await service.create(ann, prepared)


@pytest.mark.every_database
async def test_only_what_is_named_changes(installation: Installation, service: SessionService):
    ann = await installation.person(await installation.tenant("t"), "ann")
    session_id = await made(service, ann, title="One", project_id="p")
    renamed = await service.change(
        ann, session_id, SessionChange(fields=frozenset({"title"}), title="Zwei")
    )
    assert (renamed.title, renamed.project_id) == ("Zwei", "p")
    assert await service.get(ann, session_id) == renamed
    found = await service.list(
        ann, SessionFilter(user_id=ann.user_id), limit=5, cursor=None, words="ZWEI"
    )
    assert [one.session.session_id for one in found.items] == [session_id]
    same = await service.change(ann, session_id, SessionChange(fields=frozenset()))
    assert same == renamed


@pytest.mark.every_database
async def test_the_first_message_names_a_session_and_later_ones_do_not(
    installation: Installation, service: SessionService
):
    ann = await installation.person(await installation.tenant("t"), "ann")
    session_id = await made(service, ann)
    before = await service.get(ann, session_id)
    for text in ("first", "second"):
        await installation.database.write(
            lambda c, text=text: note_message(c, ann.tenant_id, session_id, text)
        )
    after = await service.get(ann, session_id)
    assert after.title == "first"
    assert after.session.last_active > before.session.last_active
    with pytest.raises(NotFoundError):
        await installation.database.write(lambda c: note_message(c, ann.tenant_id, "unknown", "x"))


@pytest.mark.parametrize("status", ["queued", "running", "waiting_approval"])
async def test_a_session_with_an_open_run_stays(
    installation: Installation, service: SessionService, status: str
):
    ann = await installation.person(await installation.tenant("t"), "ann")
    session_id = await made(service, ann)
    new = NewRun(
        session_id=session_id,
        user_id=ann.user_id,
        assistant_id="default",
        project_id=None,
        text="hi",
        context={},
    )
    run = await installation.database.write(lambda c: insert_run(c, ann.tenant_id, new, LIMITS))

    async def becomes(state: str) -> None:
        change = agent_executions.update().values(status=state)
        await installation.database.write(lambda c: c.execute(change))

    await becomes(status)
    with pytest.raises(ConflictError):
        await service.delete(ann, session_id)
    await becomes("completed")
    assert await service.delete(ann, session_id) == [run.run_id]
    assert (
        await installation.database.read(lambda c: c.execute(select(agent_executions)).all()) == []
    )


@pytest.mark.every_database
async def test_rights_are_asked_of_the_session_not_of_its_name(
    installation: Installation, service: SessionService
):
    tenant, other = await installation.tenant("t"), await installation.tenant("u")
    ann, bob = await installation.person(tenant, "ann"), await installation.person(tenant, "bob")
    ada, eve = (
        await installation.person(tenant, "ada", "admin"),
        await installation.person(other, "eve", "owner"),
    )
    session_id = await made(service, ann)
    assert (await service.get(ada, session_id)).session.user_id == ann.user_id
    with pytest.raises(DeniedError):
        await service.get(bob, session_id)
    with pytest.raises(NotFoundError):
        await service.get(eve, session_id)
    with pytest.raises(DeniedError):
        await service.list(bob, SessionFilter(user_id=ann.user_id), limit=5, cursor=None)
    with pytest.raises(DeniedError):
        await service.list(bob, SessionFilter(), limit=5, cursor=None)
    for odd in ("", "a/b", "\x00", "x" * 65, "\uff21"):
        with pytest.raises(NotFoundError):
            await service.get(ann, odd)
    assert await made(service, eve, session_id=session_id) == session_id
    await service.delete(eve, session_id)
    assert (await service.get(ann, session_id)).session.user_id == ann.user_id


@pytest.mark.every_database
async def test_every_change_is_on_record(installation: Installation, service: SessionService):
    ann = await installation.person(await installation.tenant("t"), "ann")
    session_id = await made(service, ann, session_id=new_id())
    await service.change(ann, session_id, SessionChange(fields=frozenset({"title"}), title="A"))
    await service.delete(ann, session_id)
    assert (
        await installation.database.read(lambda c: installation.people.audit.verify(c, "t")) is None
    )
    rows = await installation.database.read(lambda c: c.execute(select(table)).all())
    assert rows == []
