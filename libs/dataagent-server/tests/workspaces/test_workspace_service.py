"""S4's operations: made, listed, changed, deleted, and always exactly one default."""

import asyncio
import stat
from pathlib import Path

import pytest
from sqlalchemy import select
from workspace_installation import WorkspaceInstallation, names

from dataagent_core.errors import ConflictError, DeniedError, DirectoryError, NotFoundError
from dataagent_server.common.errors import WorkspaceNotFoundError
from dataagent_server.common.ids import TenantId
from dataagent_server.common.pagination import PageRequest
from dataagent_server.db.tables.data import file_readings
from dataagent_server.workspaces.agent_workspace import (
    ensure_user_default_workspace,
    get_user_default_workspace_path,
    open_for_agent,
)
from dataagent_server.workspaces.store import now
from dataagent_server.workspaces.sweep import sweep
from dataagent_server.workspaces.workspace import WorkspaceId
from dataagent_server.workspaces.workspace_service import WorkspaceChanges, WorkspaceService


@pytest.mark.every_database
async def test_a_directory_is_named_by_us_and_closed_to_others(spaces: WorkspaceInstallation):
    ann = await spaces.person()
    made = await spaces.workspace(ann, name="../../etc")
    directory = spaces.base / made.path
    assert made.path == made.workspace_id != "../../etc"
    assert names(directory) == ["files", "outputs", "uploads"]
    for folder in (directory, directory / "files", spaces.base):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700


@pytest.mark.every_database
async def test_the_base_path_can_move(spaces: WorkspaceInstallation, tmp_path: Path):
    ann = await spaces.person()
    made = await spaces.workspace(ann)
    await spaces.put(ann, made, "/files/a.txt", b"here")
    spaces.base.rename(tmp_path / "elsewhere")
    spaces.store.directories.base = tmp_path / "elsewhere"
    assert await spaces.read(ann, made, "/files/a.txt") == b"here"


@pytest.mark.every_database
async def test_many_at_once_find_one_default(spaces: WorkspaceInstallation):
    ann = await spaces.person()
    found = await asyncio.gather(
        *(
            ensure_user_default_workspace(spaces.store, ann.tenant_id, ann.user_id)
            for _ in range(12)
        )
    )
    assert len({one.workspace_id for one in found}) == 1
    assert found[0].is_default
    assert len((await spaces.service.list(ann, PageRequest())).items) == 1


@pytest.mark.every_database
async def test_the_default_path_is_the_directory_of_the_default(spaces: WorkspaceInstallation):
    ann = await spaces.person()
    path = await get_user_default_workspace_path(spaces.store, ann.tenant_id, ann.user_id)
    assert path == spaces.base / (await spaces.service.default(ann)).path
    assert path.is_dir()


@pytest.mark.every_database
async def test_nobody_has_no_workspace(spaces: WorkspaceInstallation):
    ann = await spaces.person()
    with pytest.raises(NotFoundError):
        await ensure_user_default_workspace(spaces.store, ann.tenant_id, "nobody")
    with pytest.raises(NotFoundError):
        await ensure_user_default_workspace(spaces.store, TenantId("none"), ann.user_id)


@pytest.mark.every_database
async def test_set_default_leaves_exactly_one(spaces: WorkspaceInstallation):
    ann = await spaces.person()
    all_of_them = [await spaces.workspace(ann) for _ in range(3)]
    await asyncio.gather(
        *(spaces.service.set_default(ann, one.workspace_id) for one in all_of_them * 3)
    )
    listed = (await spaces.service.list(ann, PageRequest())).items
    assert sum(one.is_default for one in listed) == 1


@pytest.mark.every_database
async def test_deleting_the_default_passes_it_on_and_the_last_one_is_replaced(
    spaces: WorkspaceInstallation,
):
    ann = await spaces.person()
    first, second = [await spaces.workspace(ann) for _ in range(2)]
    assert (await spaces.service.default(ann)).workspace_id == first.workspace_id
    await spaces.service.delete(ann, first.workspace_id)
    assert (await spaces.service.default(ann)).workspace_id == second.workspace_id
    await spaces.service.delete(ann, second.workspace_id)
    fresh = await spaces.service.default(ann)
    assert fresh.workspace_id not in {first.workspace_id, second.workspace_id}
    assert not (spaces.base / first.path).exists()
    assert names(spaces.base / ".trash") == []


@pytest.mark.every_database
async def test_how_its_files_are_read_is_forgotten_with_a_workspace(spaces: WorkspaceInstallation):
    ann = await spaces.person()
    gone, kept = [await spaces.workspace(ann) for _ in range(2)]
    row = {"tenant_id": ann.tenant_id, "path_sha256": "0" * 64, "path": "/a.csv", "dates": "dmy"}
    row |= {"updated_at": now()}
    ids = (gone.workspace_id, kept.workspace_id)
    chosen = [row | {"workspace_id": space} for space in ids]
    await spaces.database.write(lambda c: c.execute(file_readings.insert(), chosen))
    await spaces.service.delete(ann, gone.workspace_id)
    left = await spaces.database.read(
        lambda c: c.execute(select(file_readings.c.workspace_id)).scalars().all()
    )
    assert left == [kept.workspace_id]


@pytest.mark.every_database
async def test_a_switched_off_workspace_takes_no_agent_and_no_upload(spaces: WorkspaceInstallation):
    ann = await spaces.person()
    first, second = [await spaces.workspace(ann) for _ in range(2)]
    await spaces.service.change(ann, first.workspace_id, WorkspaceChanges(is_active=False))
    assert (await spaces.service.default(ann)).workspace_id == second.workspace_id
    with pytest.raises(ConflictError):
        await open_for_agent(spaces.store, ann.tenant_id, ann.user_id, first.workspace_id)
    with pytest.raises(ConflictError):
        await spaces.put(ann, first, "/files/a", b"")
    with pytest.raises(ConflictError):
        await spaces.service.set_default(ann, first.workspace_id)


@pytest.mark.every_database
async def test_a_workspace_in_use_is_not_deleted(spaces: WorkspaceInstallation):
    ann = await spaces.person()
    made = await spaces.workspace(ann)

    async def busy(tenant_id: TenantId, workspace_id: WorkspaceId) -> bool:
        return workspace_id == made.workspace_id

    with pytest.raises(ConflictError):
        await WorkspaceService(spaces.store, busy).delete(ann, made.workspace_id)
    assert await spaces.service.get(ann, made.workspace_id)


@pytest.mark.every_database
async def test_strangers_sharers_and_admins(spaces: WorkspaceInstallation):
    ann = await spaces.person()
    bob = await spaces.person(ann.tenant_id)
    admin = await spaces.person(ann.tenant_id, "admin")
    viewer = await spaces.person(ann.tenant_id, "viewer")
    stranger = await spaces.person()
    made = await spaces.workspace(ann)
    await spaces.put(ann, made, "/files/a.txt", b"hers")

    with pytest.raises(WorkspaceNotFoundError):
        await spaces.service.get(stranger, made.workspace_id)
    for person in (bob, viewer):
        with pytest.raises(DeniedError):
            await spaces.read(person, made, "/files/a.txt")
    assert await spaces.read(admin, made, "/files/a.txt") == b"hers"

    await spaces.sharing.share(ann, made.workspace_id, bob.user_id, "read")
    assert await spaces.read(bob, made, "/files/a.txt") == b"hers"
    with pytest.raises(DeniedError):
        await spaces.put(bob, made, "/files/b.txt", b"")
    with pytest.raises(DeniedError):
        await spaces.service.set_default(bob, made.workspace_id)
    await spaces.sharing.share(ann, made.workspace_id, bob.user_id, "read_write")
    await spaces.put(bob, made, "/files/b.txt", b"his")
    with pytest.raises(DeniedError):
        await spaces.service.delete(bob, made.workspace_id)
    with pytest.raises(DeniedError):
        await spaces.sharing.share(bob, made.workspace_id, viewer.user_id, "read")
    await spaces.sharing.share(ann, made.workspace_id, viewer.user_id, "read_write")
    with pytest.raises(DeniedError):
        await spaces.put(viewer, made, "/files/c.txt", b"")
    with pytest.raises(NotFoundError):
        await spaces.sharing.share(ann, made.workspace_id, stranger.user_id, "read")
    with pytest.raises(NotFoundError):
        await spaces.sharing.share(ann, made.workspace_id, "nobody", "read")
    await spaces.sharing.unshare(bob, made.workspace_id, bob.user_id)
    with pytest.raises(DeniedError):
        await spaces.service.get(bob, made.workspace_id)


@pytest.mark.every_database
async def test_who_loses_a_shared_default_gets_one_of_their_own(spaces: WorkspaceInstallation):
    ann = await spaces.person()
    bob = await spaces.person(ann.tenant_id)
    made = await spaces.workspace(ann)
    await spaces.sharing.share(ann, made.workspace_id, bob.user_id, "read_write")
    await spaces.service.set_default(bob, made.workspace_id)
    opened = await open_for_agent(spaces.store, bob.tenant_id, bob.user_id)
    assert opened.workspace_id == made.workspace_id
    await spaces.sharing.share(ann, made.workspace_id, bob.user_id, "read")
    assert (await spaces.service.default(bob)).owner_id == bob.user_id
    assert (await spaces.service.default(ann)).workspace_id == made.workspace_id


@pytest.mark.every_database
async def test_only_an_admin_raises_limits_above_the_default(spaces: WorkspaceInstallation):
    small = spaces.with_maximum(1_000, 10)
    ann = await small.person()
    admin = await small.person(ann.tenant_id, "admin")
    with pytest.raises(DeniedError):
        await small.workspace(ann, max_size_bytes=1_001)
    made = await small.workspace(ann, max_size_bytes=500)
    with pytest.raises(DeniedError):
        await small.service.change(ann, made.workspace_id, WorkspaceChanges(max_files=11))
    raised = await small.service.change(admin, made.workspace_id, WorkspaceChanges(max_files=11))
    assert (raised.max_size_bytes, raised.max_files) == (500, 11)


@pytest.mark.every_database
async def test_a_base_path_that_cannot_be_made_is_a_directory_error_and_leaves_no_row(
    spaces: WorkspaceInstallation,
):
    spaces.base.write_text("in the way")
    ann = await spaces.person()
    with pytest.raises(DirectoryError):
        await spaces.workspace(ann)
    spaces.base.unlink()
    assert (await spaces.service.list(ann, PageRequest())).items == []


@pytest.mark.every_database
async def test_the_sweeper_finishes_deletions_and_touches_nothing_else(
    spaces: WorkspaceInstallation,
):
    ann = await spaces.person()
    kept, gone = await spaces.workspace(ann), await spaces.workspace(ann)
    await spaces.put(ann, gone, "/files/a.txt", b"x" * 100)
    unknown = spaces.base / ("f" * 32)
    unknown.mkdir()
    from dataagent_server.workspaces import workspace_rows

    # As after a crash in the middle of a deletion.
    await spaces.database.write(
        lambda c: workspace_rows.change_workspace(
            c, ann.tenant_id, gone.workspace_id, {"deleted_at": now()}
        )
    )
    with pytest.raises(WorkspaceNotFoundError):
        await spaces.service.get(ann, gone.workspace_id)
    await sweep(spaces.store)
    assert not (spaces.base / gone.path).exists()
    assert (spaces.base / kept.path).is_dir()
    assert unknown.is_dir()
    assert (await spaces.counted(kept)).tenant_room_bytes == 1 << 40
