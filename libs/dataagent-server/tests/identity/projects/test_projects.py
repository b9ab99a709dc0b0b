"""Projects, on every database."""

import asyncio

import pytest
from house import House
from sqlalchemy import insert, select

from dataagent_core.errors import ConflictError, DeniedError, NotFoundError, ValidationError
from dataagent_server.common.ids import DEFAULT_TENANT
from dataagent_server.common.pagination import PageRequest
from dataagent_server.db.tables.conversations import sessions


@pytest.mark.every_database
async def test_a_project_is_made_seen_changed_and_deleted(house: House):
    ann = await house.person(DEFAULT_TENANT, "ann")
    made = await house.people.projects.create(ann, "  Sales\u0301 ", "two\nlines")
    assert (made.name, made.description) == ("Saleś", "two\nlines")
    changed = await house.people.projects.change(ann, made.project_id, description="", version=1)
    assert (changed.name, changed.description, changed.version) == ("Saleś", "", 2)
    assert await house.people.projects.get(ann, made.project_id) == changed
    await house.people.projects.delete(ann, made.project_id)
    with pytest.raises(NotFoundError):
        await house.people.projects.get(ann, made.project_id)


@pytest.mark.every_database
async def test_deleting_one_lets_its_sessions_go(house: House):
    ann, bob = await house.person(DEFAULT_TENANT, "ann"), await house.person(DEFAULT_TENANT, "bob")
    project = await house.people.projects.create(ann, "Sales")
    row = {
        "tenant_id": DEFAULT_TENANT, "session_id": "s", "user_id": bob.user_id, "assistant_id": "a",
        "created_at": house.time.now(), "last_active": house.time.now(), "state": {}, "metadata": {},
        "project_id": project.project_id,
    }  # fmt: skip
    await house.database.write(lambda c: c.execute(insert(sessions).values(**row)))
    await house.people.projects.delete(ann, project.project_id)
    found = await house.database.read(
        lambda c: c.execute(select(sessions.c.user_id, sessions.c.project_id)).all()
    )
    assert [tuple(one) for one in found] == [(bob.user_id, None)]


@pytest.mark.every_database
async def test_only_its_owner_or_an_admin_changes_it(house: House):
    ann, bob = [await house.person(DEFAULT_TENANT, name) for name in ("ann", "bob")]
    vera = await house.person(DEFAULT_TENANT, "vera", "viewer")
    adam = await house.person(DEFAULT_TENANT, "adam", "admin")
    project = await house.people.projects.create(ann, "Sales")
    assert await house.people.projects.get(vera, project.project_id)
    for refused in (
        house.people.projects.change(bob, project.project_id, name="Mine"),
        house.people.projects.delete(bob, project.project_id),
        house.people.projects.create(vera, "Mine"),
    ):
        with pytest.raises(DeniedError):
            await refused
    await house.people.projects.change(adam, project.project_id, name="Ours")


@pytest.mark.every_database
async def test_of_two_changes_to_one_version_one_wins(house: House):
    ann = await house.person(DEFAULT_TENANT, "ann")
    project = await house.people.projects.create(ann, "Sales")
    tries = await asyncio.gather(
        *(
            house.people.projects.change(ann, project.project_id, name=f"n{n}", version=1)
            for n in range(4)
        ),
        return_exceptions=True,
    )
    assert sum(isinstance(one, ConflictError) for one in tries) == 3


@pytest.mark.parametrize("name", ["", "  ", "a\x00b", "a\nb", "x" * 201, "\u202eabc", "\ud800"])
async def test_an_odd_name_is_refused(house: House, name: str):
    ann = await house.person(DEFAULT_TENANT, "ann")
    with pytest.raises(ValidationError):
        await house.people.projects.create(ann, name)
    assert (await house.people.projects.list(ann, PageRequest())).items == []


@pytest.mark.parametrize("after", ["x", "e30", "W10", "%%%", "WyJhIiwiYiJd", "é", "WzEsMl0"])
async def test_a_made_up_place_in_a_list_is_refused(house: House, after: str):
    ann = await house.person(DEFAULT_TENANT, "ann")
    with pytest.raises(ValidationError):
        await house.people.projects.list(ann, PageRequest(after))
