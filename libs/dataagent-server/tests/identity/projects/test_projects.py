"""Projects, on every database."""

import asyncio

import pytest
from installation import Installation
from sqlalchemy import insert, select

from dataagent_core.errors import ConflictError, DeniedError, NotFoundError, ValidationError
from dataagent_server.common.ids import DEFAULT_TENANT
from dataagent_server.common.pagination import PageRequest
from dataagent_server.db.tables import metadata
from dataagent_server.db.tables.conversations import sessions
from dataagent_server.identity.projects.project_rows import REMOVED_WITH_PROJECT


@pytest.mark.every_database
async def test_a_project_is_made_seen_changed_and_deleted(installation: Installation):
    ann = await installation.person(DEFAULT_TENANT, "ann")
    made = await installation.people.projects.create(ann, "  Sales\u0301 ", "two\nlines")
    assert (made.name, made.description) == ("Saleś", "two\nlines")
    changed = await installation.people.projects.change(
        ann, made.project_id, description="", version=1
    )
    assert (changed.name, changed.description, changed.version) == ("Saleś", "", 2)
    assert await installation.people.projects.get(ann, made.project_id) == changed
    await installation.people.projects.delete(ann, made.project_id)
    with pytest.raises(NotFoundError):
        await installation.people.projects.get(ann, made.project_id)


@pytest.mark.every_database
async def test_deleting_one_lets_its_sessions_go(installation: Installation):
    ann, bob = (
        await installation.person(DEFAULT_TENANT, "ann"),
        await installation.person(DEFAULT_TENANT, "bob"),
    )
    project = await installation.people.projects.create(ann, "Sales")
    row = {
        "tenant_id": DEFAULT_TENANT, "session_id": "s", "user_id": bob.user_id, "assistant_id": "a",
        "created_at": installation.time.now(), "last_active": installation.time.now(), "state": {}, "metadata": {},
        "project_id": project.project_id,
    }  # fmt: skip
    await installation.database.write(lambda c: c.execute(insert(sessions).values(**row)))
    await installation.people.projects.delete(ann, project.project_id)
    found = await installation.database.read(
        lambda c: c.execute(select(sessions.c.user_id, sessions.c.project_id)).all()
    )
    assert [tuple(one) for one in found] == [(bob.user_id, None)]


@pytest.mark.every_database
async def test_only_its_owner_or_an_admin_changes_it(installation: Installation):
    ann, bob = [await installation.person(DEFAULT_TENANT, name) for name in ("ann", "bob")]
    vera = await installation.person(DEFAULT_TENANT, "vera", "viewer")
    adam = await installation.person(DEFAULT_TENANT, "adam", "admin")
    project = await installation.people.projects.create(ann, "Sales")
    assert await installation.people.projects.get(vera, project.project_id)
    for refused in (
        installation.people.projects.change(bob, project.project_id, name="Mine"),
        installation.people.projects.delete(bob, project.project_id),
        installation.people.projects.create(vera, "Mine"),
    ):
        with pytest.raises(DeniedError):
            await refused
    await installation.people.projects.change(adam, project.project_id, name="Ours")


@pytest.mark.every_database
async def test_of_two_changes_to_one_version_one_wins(installation: Installation):
    ann = await installation.person(DEFAULT_TENANT, "ann")
    project = await installation.people.projects.create(ann, "Sales")
    tries = await asyncio.gather(
        *(
            installation.people.projects.change(ann, project.project_id, name=f"n{n}", version=1)
            for n in range(4)
        ),
        return_exceptions=True,
    )
    assert sum(isinstance(one, ConflictError) for one in tries) == 3


@pytest.mark.parametrize("name", ["", "  ", "a\x00b", "a\nb", "x" * 201, "\u202eabc", "\ud800"])
async def test_an_odd_name_is_refused(installation: Installation, name: str):
    ann = await installation.person(DEFAULT_TENANT, "ann")
    with pytest.raises(ValidationError):
        await installation.people.projects.create(ann, name)
    assert (await installation.people.projects.list(ann, PageRequest())).items == []


@pytest.mark.parametrize("after", ["x", "e30", "W10", "%%%", "WyJhIiwiYiJd", "é", "WzEsMl0"])
async def test_a_made_up_place_in_a_list_is_refused(installation: Installation, after: str):
    ann = await installation.person(DEFAULT_TENANT, "ann")
    with pytest.raises(ValidationError):
        await installation.people.projects.list(ann, PageRequest(after))


def test_every_table_of_a_project_is_emptied_with_it_or_keeps_what_was_done_in_it():
    """A new table with a project has to be in one of these lists."""
    history = {"agent_executions", "agent_activity_logs", "results", "reports"}
    spending = {"usage", "usage_days", "budget_reservations"}
    own = {"projects", "sessions"}
    # What was remembered is removed by `MemoryRemover`, in all tables that name these scopes.
    remembered = {"memory_scopes"}
    with_project = {table.name for table in metadata.tables.values() if "project_id" in table.c}
    removed = {table.name for table in REMOVED_WITH_PROJECT}
    assert with_project == removed | history | spending | own | remembered
