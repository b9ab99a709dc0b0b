"""S4's correctness properties 1, 2, 3 and 5; 4 is shown over HTTP in `test_api.py`."""

import asyncio
import tempfile
from pathlib import Path
from typing import Any

import pytest
from agents import scripted, settings
from hypothesis import given
from hypothesis import strategies as st
from world import World, make_world, names, refusal

from dataagent_core.engine import AgentConfig, AgentFactory
from dataagent_server.auth.principal import Role
from dataagent_server.db.open import open_database
from dataagent_server.paging import PageWish
from dataagent_server.workspaces.agent import open_for_agent
from dataagent_server.workspaces.listing import ListWish
from dataagent_server.workspaces.service import Wishes

ROLES = st.sampled_from(["member", "admin", "owner", "viewer"])


def tree(directory: Path) -> dict[str, bytes | None]:
    return {
        str(path.relative_to(directory)): path.read_bytes() if path.is_file() else None
        for path in directory.rglob("*")
    }


actions = st.lists(
    st.tuples(
        st.sampled_from(
            ["read", "write", "delete", "list", "delete it", "rename", "default", "share"]
        ),
        st.sampled_from(["/files/a", "/uploads/b", "/../{other}/files/a", "/files/link/files/a"]),
        st.binary(max_size=20),
    ),
    min_size=1,
    max_size=8,
)


@pytest.mark.requirement("S4-1")
@given(same_tenant=st.booleans(), steps=actions)
async def test_s4_1_nothing_a_user_does_reaches_another_users_workspace(
    world: World, same_tenant: bool, steps: Any
):
    bob = await world.person()
    ann = await world.person(bob.tenant_id if same_tenant else None)
    his, hers = await world.workspace(bob), await world.workspace(ann)
    await world.put(bob, his, "/files/a", b"his own")
    (world.base / hers.path / "files/link").symlink_to(world.base / his.path)
    before = tree(world.base / his.path), await world.service.get(bob, his.workspace_id)

    for what, pattern, data in steps:
        path = pattern.format(other=his.path)
        for target in (his, hers):
            doing = {
                "read": lambda t=target, p=path: world.read(ann, t, p),
                "write": lambda t=target, p=path, d=data: world.put(ann, t, p, d),
                "delete": lambda t=target, p=path: world.files.delete(ann, t.workspace_id, p),
                "list": lambda t=target, p=path: world.files.list(ann, t.workspace_id, ListWish(p)),
                "delete it": lambda t=target: world.service.delete(ann, t.workspace_id),
                "rename": lambda t=target: world.service.change(
                    ann, t.workspace_id, Wishes(name="x")
                ),
                "default": lambda t=target: world.service.set_default(ann, t.workspace_id),
                "share": lambda t=target: world.sharing.share(
                    ann, t.workspace_id, ann.user_id, "read_write"
                ),
            }[what]
            got: list[object] = []

            async def done(doing: Any = doing, got: list[object] = got) -> None:
                got.append(await doing())

            code = await refusal(done())
            if target is his:
                assert code == ("PERMISSION_DENIED" if same_tenant else "WORKSPACE_NOT_FOUND")
            assert got != [b"his own"]
    after = tree(world.base / his.path), await world.service.get(bob, his.workspace_id)
    assert after == before
    assert his.workspace_id not in {
        one.workspace_id for one in (await world.service.list(ann, PageWish())).items
    }


@pytest.mark.requirement("S4-2")
@given(role=ROLES, at_once=st.integers(1, 4), others=st.integers(0, 2))
async def test_s4_2_whoever_runs_an_agent_has_a_default_workspace_before_it_starts(
    world: World, role: Role, at_once: int, others: int
):
    ann = await world.person(role=role)
    for _ in range(others):
        other = await world.person(ann.tenant_id)
        await open_for_agent(world.store, other.tenant_id, other.user_id)
    assert (await world.service.list(ann, PageWish())).items == []
    opened = await asyncio.gather(
        *(open_for_agent(world.store, ann.tenant_id, ann.user_id) for _ in range(at_once))
    )
    (only,) = (await world.service.list(ann, PageWish())).items
    assert only.is_default
    assert {one.workspace_id for one in opened} == {only.workspace_id}
    assert names(opened[0].path) == ["files", "outputs", "uploads"]


@pytest.mark.requirement("S4-3")
@pytest.mark.parametrize("database_kind", ["sqlite"])
@given(chosen=st.integers(0, 2), content=st.text("ab\n", max_size=20))
async def test_s4_3_an_agent_works_in_its_users_default_workspace(
    world: World, chosen: int, content: str
):
    ann = await world.person()
    all_of_them = [await world.workspace(ann) for _ in range(3)]
    await world.service.set_default(ann, all_of_them[chosen].workspace_id)
    opened = await open_for_agent(world.store, ann.tenant_id, ann.user_id)
    assert opened.path == world.base / all_of_them[chosen].path
    _, backend = AgentFactory(settings()).create_agent(
        AgentConfig(
            assistant_id="tester",
            model=scripted({"text": "done"}),
            tenant_id=ann.tenant_id,
            user_id=ann.user_id,
            workspace_path=opened.path,
            workspace_manager=opened.manager,
        )
    )
    result = await asyncio.to_thread(backend.write, "/outputs/note.txt", content)
    assert result.error is None
    for one in all_of_them:
        there = world.base / one.path / "outputs/note.txt"
        assert there.exists() == (one is all_of_them[chosen])
    assert (await world.counted(all_of_them[chosen])).amount.size_bytes == len(content)


@pytest.mark.requirement("S4-5")
@given(
    active=st.booleans(),
    wishes=st.fixed_dictionaries(
        {
            "name": st.text("aé日 _", min_size=1, max_size=20).filter(lambda text: text.strip()),
            "description": st.none() | st.text("aé日\n", max_size=50),
            "max_size_bytes": st.integers(0, 1 << 40),
            "max_files": st.integers(0, 1_000_000),
            "settings": st.dictionaries(
                st.text("abc", min_size=1, max_size=5), st.integers() | st.text("xyz"), max_size=3
            ),
        }
    ),
)
async def test_s4_5_what_is_set_survives_a_restart(
    database_url: str, active: bool, wishes: dict[str, Any]
):
    folder = Path(tempfile.mkdtemp())
    database = await open_database(database_url)
    world = make_world(database, folder)
    ann = await world.person(role="admin")
    made = await world.workspace(ann, **wishes)
    before = await world.service.change(ann, made.workspace_id, Wishes(is_active=active))
    await database.aclose()

    database = await open_database(database_url)
    after = await make_world(database, folder).service.get(ann, made.workspace_id)
    await database.aclose()
    assert after == before
    assert (after.name, after.settings) == (wishes["name"].strip(), wishes["settings"])
    assert after.max_size_bytes == wishes["max_size_bytes"]
