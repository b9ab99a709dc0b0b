"""S4's correctness properties 1 and 5; `test_workspace_routes.py` has 4, `test_runs.py` 2 and 3."""

import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from workspace_installation import WorkspaceInstallation, make_world, refusal

from dataagent_server.common.pagination import PageRequest
from dataagent_server.db.open_database import open_database
from dataagent_server.workspaces.files.file_lists import FileListRequest
from dataagent_server.workspaces.workspace_service import WorkspaceChanges

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


@pytest.mark.every_database
@pytest.mark.requirement("S4-1")
@given(same_tenant=st.booleans(), steps=actions)
async def test_s4_1_nothing_a_user_does_reaches_another_users_workspace(
    spaces: WorkspaceInstallation, same_tenant: bool, steps: Any
):
    bob = await spaces.person()
    ann = await spaces.person(bob.tenant_id if same_tenant else None)
    his, hers = await spaces.workspace(bob), await spaces.workspace(ann)
    await spaces.put(bob, his, "/files/a", b"his own")
    (spaces.base / hers.path / "files/link").symlink_to(spaces.base / his.path)
    before = tree(spaces.base / his.path), await spaces.service.get(bob, his.workspace_id)

    for what, pattern, data in steps:
        path = pattern.format(other=his.path)
        for target in (his, hers):
            doing = {
                "read": lambda t=target, p=path: spaces.read(ann, t, p),
                "write": lambda t=target, p=path, d=data: spaces.put(ann, t, p, d),
                "delete": lambda t=target, p=path: spaces.files.delete(ann, t.workspace_id, p),
                "list": lambda t=target, p=path: spaces.files.list(
                    ann, t.workspace_id, FileListRequest(p)
                ),
                "delete it": lambda t=target: spaces.service.delete(ann, t.workspace_id),
                "rename": lambda t=target: spaces.service.change(
                    ann, t.workspace_id, WorkspaceChanges(name="x")
                ),
                "default": lambda t=target: spaces.service.set_default(ann, t.workspace_id),
                "share": lambda t=target: spaces.sharing.share(
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
    after = tree(spaces.base / his.path), await spaces.service.get(bob, his.workspace_id)
    assert after == before
    assert his.workspace_id not in {
        one.workspace_id for one in (await spaces.service.list(ann, PageRequest())).items
    }


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
    spaces = make_world(database, folder)
    ann = await spaces.person(role="admin")
    made = await spaces.workspace(ann, **wishes)
    before = await spaces.service.change(ann, made.workspace_id, WorkspaceChanges(is_active=active))
    await database.aclose()

    database = await open_database(database_url)
    after = await make_world(database, folder).service.get(ann, made.workspace_id)
    await database.aclose()
    assert after == before
    assert (after.name, after.settings) == (wishes["name"].strip(), wishes["settings"])
    assert after.max_size_bytes == wishes["max_size_bytes"]
