"""S4's operations: made, listed, changed, deleted, and always exactly one default."""

import asyncio
import stat
from pathlib import Path

import pytest
from sqlalchemy import select
from world import World, names

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
from dataagent_server.workspaces.model import WorkspaceId
from dataagent_server.workspaces.service import WorkspaceChanges, WorkspaceService
from dataagent_server.workspaces.store import now
from dataagent_server.workspaces.sweep import sweep


@pytest.mark.every_database
async def test_a_directory_is_named_by_us_and_closed_to_others(world: World):
    ann = await world.person()
    made = await world.workspace(ann, name="../../etc")
    directory = world.base / made.path
    assert made.path == made.workspace_id != "../../etc"
    assert names(directory) == ["files", "outputs", "uploads"]
    for folder in (directory, directory / "files", world.base):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700


@pytest.mark.every_database
async def test_the_base_path_can_move(world: World, tmp_path: Path):
    ann = await world.person()
    made = await world.workspace(ann)
    await world.put(ann, made, "/files/a.txt", b"here")
    world.base.rename(tmp_path / "elsewhere")
    world.store.directories.base = tmp_path / "elsewhere"
    assert await world.read(ann, made, "/files/a.txt") == b"here"


@pytest.mark.every_database
async def test_many_at_once_find_one_default(world: World):
    ann = await world.person()
    found = await asyncio.gather(
        *(ensure_user_default_workspace(world.store, ann.tenant_id, ann.user_id) for _ in range(12))
    )
    assert len({one.workspace_id for one in found}) == 1
    assert found[0].is_default
    assert len((await world.service.list(ann, PageRequest())).items) == 1


@pytest.mark.every_database
async def test_the_default_path_is_the_directory_of_the_default(world: World):
    ann = await world.person()
    path = await get_user_default_workspace_path(world.store, ann.tenant_id, ann.user_id)
    assert path == world.base / (await world.service.default(ann)).path
    assert path.is_dir()


@pytest.mark.every_database
async def test_nobody_has_no_workspace(world: World):
    ann = await world.person()
    with pytest.raises(NotFoundError):
        await ensure_user_default_workspace(world.store, ann.tenant_id, "nobody")
    with pytest.raises(NotFoundError):
        await ensure_user_default_workspace(world.store, TenantId("none"), ann.user_id)


@pytest.mark.every_database
async def test_set_default_leaves_exactly_one(world: World):
    ann = await world.person()
    all_of_them = [await world.workspace(ann) for _ in range(3)]
    await asyncio.gather(
        *(world.service.set_default(ann, one.workspace_id) for one in all_of_them * 3)
    )
    listed = (await world.service.list(ann, PageRequest())).items
    assert sum(one.is_default for one in listed) == 1


@pytest.mark.every_database
async def test_deleting_the_default_passes_it_on_and_the_last_one_is_replaced(world: World):
    ann = await world.person()
    first, second = [await world.workspace(ann) for _ in range(2)]
    assert (await world.service.default(ann)).workspace_id == first.workspace_id
    await world.service.delete(ann, first.workspace_id)
    assert (await world.service.default(ann)).workspace_id == second.workspace_id
    await world.service.delete(ann, second.workspace_id)
    fresh = await world.service.default(ann)
    assert fresh.workspace_id not in {first.workspace_id, second.workspace_id}
    assert not (world.base / first.path).exists()
    assert names(world.base / ".trash") == []


@pytest.mark.every_database
async def test_how_its_files_are_read_is_forgotten_with_a_workspace(world: World):
    ann = await world.person()
    gone, kept = [await world.workspace(ann) for _ in range(2)]
    row = {"tenant_id": ann.tenant_id, "path_sha256": "0" * 64, "path": "/a.csv", "dates": "dmy"}
    row |= {"updated_at": now()}
    spaces = (gone.workspace_id, kept.workspace_id)
    chosen = [row | {"workspace_id": space} for space in spaces]
    await world.database.write(lambda c: c.execute(file_readings.insert(), chosen))
    await world.service.delete(ann, gone.workspace_id)
    left = await world.database.read(
        lambda c: c.execute(select(file_readings.c.workspace_id)).scalars().all()
    )
    assert left == [kept.workspace_id]


@pytest.mark.every_database
async def test_a_switched_off_workspace_takes_no_agent_and_no_upload(world: World):
    ann = await world.person()
    first, second = [await world.workspace(ann) for _ in range(2)]
    await world.service.change(ann, first.workspace_id, WorkspaceChanges(is_active=False))
    assert (await world.service.default(ann)).workspace_id == second.workspace_id
    with pytest.raises(ConflictError):
        await open_for_agent(world.store, ann.tenant_id, ann.user_id, first.workspace_id)
    with pytest.raises(ConflictError):
        await world.put(ann, first, "/files/a", b"")
    with pytest.raises(ConflictError):
        await world.service.set_default(ann, first.workspace_id)


@pytest.mark.every_database
async def test_a_workspace_in_use_is_not_deleted(world: World):
    ann = await world.person()
    made = await world.workspace(ann)

    async def busy(tenant_id: TenantId, workspace_id: WorkspaceId) -> bool:
        return workspace_id == made.workspace_id

    with pytest.raises(ConflictError):
        await WorkspaceService(world.store, busy).delete(ann, made.workspace_id)
    assert await world.service.get(ann, made.workspace_id)


@pytest.mark.every_database
async def test_strangers_sharers_and_admins(world: World):
    ann = await world.person()
    bob = await world.person(ann.tenant_id)
    admin = await world.person(ann.tenant_id, "admin")
    viewer = await world.person(ann.tenant_id, "viewer")
    stranger = await world.person()
    made = await world.workspace(ann)
    await world.put(ann, made, "/files/a.txt", b"hers")

    with pytest.raises(WorkspaceNotFoundError):
        await world.service.get(stranger, made.workspace_id)
    for person in (bob, viewer):
        with pytest.raises(DeniedError):
            await world.read(person, made, "/files/a.txt")
    assert await world.read(admin, made, "/files/a.txt") == b"hers"

    await world.sharing.share(ann, made.workspace_id, bob.user_id, "read")
    assert await world.read(bob, made, "/files/a.txt") == b"hers"
    with pytest.raises(DeniedError):
        await world.put(bob, made, "/files/b.txt", b"")
    with pytest.raises(DeniedError):
        await world.service.set_default(bob, made.workspace_id)
    await world.sharing.share(ann, made.workspace_id, bob.user_id, "read_write")
    await world.put(bob, made, "/files/b.txt", b"his")
    with pytest.raises(DeniedError):
        await world.service.delete(bob, made.workspace_id)
    with pytest.raises(DeniedError):
        await world.sharing.share(bob, made.workspace_id, viewer.user_id, "read")
    await world.sharing.share(ann, made.workspace_id, viewer.user_id, "read_write")
    with pytest.raises(DeniedError):
        await world.put(viewer, made, "/files/c.txt", b"")
    with pytest.raises(NotFoundError):
        await world.sharing.share(ann, made.workspace_id, stranger.user_id, "read")
    with pytest.raises(NotFoundError):
        await world.sharing.share(ann, made.workspace_id, "nobody", "read")
    await world.sharing.unshare(bob, made.workspace_id, bob.user_id)
    with pytest.raises(DeniedError):
        await world.service.get(bob, made.workspace_id)


@pytest.mark.every_database
async def test_who_loses_a_shared_default_gets_one_of_their_own(world: World):
    ann = await world.person()
    bob = await world.person(ann.tenant_id)
    made = await world.workspace(ann)
    await world.sharing.share(ann, made.workspace_id, bob.user_id, "read_write")
    await world.service.set_default(bob, made.workspace_id)
    opened = await open_for_agent(world.store, bob.tenant_id, bob.user_id)
    assert opened.workspace_id == made.workspace_id
    await world.sharing.share(ann, made.workspace_id, bob.user_id, "read")
    assert (await world.service.default(bob)).owner_id == bob.user_id
    assert (await world.service.default(ann)).workspace_id == made.workspace_id


@pytest.mark.every_database
async def test_only_an_admin_raises_limits_above_the_default(world: World):
    small = world.with_maximum(1_000, 10)
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
async def test_a_base_path_that_cannot_be_made_is_a_directory_error_and_leaves_no_row(world: World):
    world.base.write_text("in the way")
    ann = await world.person()
    with pytest.raises(DirectoryError):
        await world.workspace(ann)
    world.base.unlink()
    assert (await world.service.list(ann, PageRequest())).items == []


@pytest.mark.every_database
async def test_the_sweeper_finishes_deletions_and_touches_nothing_else(world: World):
    ann = await world.person()
    kept, gone = await world.workspace(ann), await world.workspace(ann)
    await world.put(ann, gone, "/files/a.txt", b"x" * 100)
    unknown = world.base / ("f" * 32)
    unknown.mkdir()
    from dataagent_server.workspaces import workspace_rows

    # As after a crash in the middle of a deletion.
    await world.database.write(
        lambda c: workspace_rows.change_workspace(
            c, ann.tenant_id, gone.workspace_id, {"deleted_at": now()}
        )
    )
    with pytest.raises(WorkspaceNotFoundError):
        await world.service.get(ann, gone.workspace_id)
    await sweep(world.store)
    assert not (world.base / gone.path).exists()
    assert (world.base / kept.path).is_dir()
    assert unknown.is_dir()
    assert (await world.counted(kept)).tenant_room_bytes == 1 << 40
