"""Counters in the database against the disk: never beyond a maximum, and right in the end."""

import asyncio
import os
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from workspace_installation import WorkspaceInstallation, names, refusal

from dataagent_core.errors import ConflictError, DataAgentError, NotFoundError
from dataagent_server.common.errors import QuotaExceededError
from dataagent_server.workspaces.agent_workspace import open_for_agent
from dataagent_server.workspaces.quota.reconcile import reconcile
from dataagent_server.workspaces.quota.reservation_rows import Reservation, begin_hold
from dataagent_server.workspaces.sweep import sweep
from dataagent_server.workspaces.workspace import StorageAmount
from dataagent_server.workspaces.workspace_service import WorkspaceChanges
from tests.counts import examples

pytestmark = pytest.mark.every_database

PATHS = ["/files/a", "/files/b", "/uploads/a", "/files/d/c", "/files/d/e/f"]
operations = st.lists(
    st.tuples(
        st.sampled_from(["upload", "agent writes", "delete", "agent deletes"]),
        st.sampled_from(PATHS),
        st.integers(0, 600),
    ),
    max_size=12,
)


def holding(model: dict[str, int]) -> StorageAmount:
    """What the disk holds when these files are there and folders stay once made."""
    return StorageAmount(sum(size for size in model.values() if size >= 0), len(model))


def added(model: dict[str, int], path: str, size: int) -> dict[str, int]:
    after = dict(model)
    parts = path.split("/")[1:]
    for depth in range(2, len(parts)):
        after["/" + "/".join(parts[:depth])] = -1
    after[path] = size
    return after


@pytest.mark.requirement("S0-53")
@given(
    max_bytes=st.integers(0, 1_500),
    max_files=st.integers(0, 5),
    tenant_bytes=st.integers(0, 2_000),
    steps=operations,
)
async def test_s0_53_a_write_is_refused_exactly_when_it_goes_beyond_the_quota(
    spaces: WorkspaceInstallation, max_bytes: int, max_files: int, tenant_bytes: int, steps: Any
):
    tenant = await spaces.tenant(tenant_bytes)
    ann = await spaces.person(tenant, "admin")
    made = await spaces.workspace(ann, max_size_bytes=max_bytes, max_files=max_files)
    agent = await open_for_agent(spaces.store, tenant, ann.user_id, made.workspace_id)
    root = agent.open_root()
    model: dict[str, int] = {}
    for what, path, size in steps:
        data = os.urandom(size)
        after = added(model, path, size)
        grows = holding(after).size_bytes > holding(model).size_bytes
        spreads = holding(after).files > holding(model).files
        fits = not (
            (grows and holding(after).size_bytes > min(max_bytes, tenant_bytes))
            or (spreads and holding(after).files > max_files)
        )
        match what:
            case "upload" | "agent writes":
                writing = (
                    spaces.put(ann, made, path, data)
                    if what == "upload"
                    else asyncio.to_thread(root.write_atomic, path, data)
                )
                if fits:
                    await writing
                    model = after
                else:
                    with pytest.raises(QuotaExceededError):
                        await writing
            case _:
                deleting = (
                    spaces.files.delete(ann, made.workspace_id, path)
                    if what == "delete"
                    else asyncio.to_thread(root.unlink, path)
                )
                with suppress(DataAgentError):
                    await deleting
                    del model[path]
        now = await spaces.counted(made)
        assert now.amount == spaces.on_disk(made) == holding(model)
        assert now.tenant_room_bytes == tenant_bytes - now.amount.size_bytes
    root.close()


@given(
    max_bytes=st.integers(0, 2_000),
    max_files=st.integers(1, 6),
    tenant_bytes=st.integers(500, 3_000),
    uploads=st.lists(
        st.tuples(
            st.integers(0, 1), st.sampled_from(PATHS[:4]), st.integers(0, 900), st.booleans()
        ),
        min_size=2,
        max_size=8,
    ),
)
@settings(max_examples=examples(40))
@pytest.mark.requirement("F4-7")
async def test_uploads_at_once_never_exceed_and_broken_ones_give_all_back(
    spaces: WorkspaceInstallation, max_bytes: int, max_files: int, tenant_bytes: int, uploads: Any
):
    tenant = await spaces.tenant(tenant_bytes)
    ann = await spaces.person(tenant, "admin")
    both = [
        await spaces.workspace(ann, max_size_bytes=max_bytes, max_files=max_files) for _ in range(2)
    ]

    async def send(number: int, path: str, size: int, whole: bool) -> None:
        async with await spaces.files.upload(ann, both[number].workspace_id, path) as upload:
            for _ in range(3):
                await upload.write(b"x" * (size // 3))
                await asyncio.sleep(0)
            if whole:
                await upload.finish()

    outcomes = await asyncio.gather(*(send(*upload) for upload in uploads), return_exceptions=True)
    strange = [
        one for one in outcomes
        if one is not None and getattr(one, "code", "") not in {"QUOTA_EXCEEDED", "CONFLICT"}
    ]  # fmt: skip
    assert strange == []
    in_all = StorageAmount()
    for one in both:
        now, disk = await spaces.counted(one), spaces.on_disk(one)
        # Two that make one folder both hold room for it, so a count may be needed to agree.
        assert now.amount.size_bytes == disk.size_bytes <= max_bytes
        assert disk.files <= now.amount.files <= max_files
        assert await reconcile(spaces.store, tenant, one.workspace_id) == disk
        in_all += disk
    assert in_all.size_bytes <= tenant_bytes
    assert names(spaces.base / ".incoming") == []


@pytest.mark.requirement("F4-7")
async def test_many_uploads_to_one_path_at_once_are_counted_as_the_one_that_stays(
    spaces: WorkspaceInstallation,
):
    ann = await spaces.person()
    made = await spaces.workspace(ann)

    async def send(size: int) -> None:
        # Whoever finds others too often at the same name gives up, and counts for nothing.
        with suppress(ConflictError):
            await spaces.put(ann, made, "/files/a", b"x" * size)

    async def remove() -> None:
        with suppress(NotFoundError):
            await spaces.files.delete(ann, made.workspace_id, "/files/a")

    for begin in range(10):
        await asyncio.gather(*(send(begin * 100 + n) for n in range(12)))
        assert (await spaces.counted(made)).amount == spaces.on_disk(made)
        await asyncio.gather(*(send(begin * 50 + n) for n in range(6)), remove())
        assert (await spaces.counted(made)).amount == spaces.on_disk(made)


async def test_an_overwrite_costs_only_what_it_adds(spaces: WorkspaceInstallation):
    ann = await spaces.person()
    made = await spaces.workspace(ann, max_size_bytes=1_000)
    for size in (900, 1_000, 10, 1_000):
        await spaces.put(ann, made, "/files/a", b"x" * size)
        assert (await spaces.counted(made)).amount == StorageAmount(size, 1)
    with pytest.raises(QuotaExceededError):
        await spaces.put(ann, made, "/files/a", b"x" * 1_001)
    assert await spaces.read(ann, made, "/files/a") == b"x" * 1_000


@pytest.mark.requirement("F4-7")
async def test_what_a_command_wrote_is_counted_and_stops_further_writes(
    spaces: WorkspaceInstallation,
):
    ann = await spaces.person()
    made = await spaces.workspace(ann, max_size_bytes=1_000)
    directory = spaces.base / made.path
    (directory / "outputs/big").write_bytes(b"x" * 5_000)
    (directory / "files/deep").mkdir()
    assert await reconcile(spaces.store, ann.tenant_id, made.workspace_id) == StorageAmount(
        5_000, 2
    )
    with pytest.raises(QuotaExceededError):
        await spaces.put(ann, made, "/files/a", b"x")
    await spaces.files.delete(ann, made.workspace_id, "/outputs/big")
    await spaces.put(ann, made, "/files/a", b"x")
    assert (await spaces.counted(made)).amount == StorageAmount(1, 2)


async def test_a_count_leaves_room_that_is_held_for_an_upload(spaces: WorkspaceInstallation):
    ann = await spaces.person()
    made = await spaces.workspace(ann, max_size_bytes=1_000)
    async with await spaces.files.upload(ann, made.workspace_id, "/files/a") as upload:
        await upload.expect(700)
        (spaces.base / made.path / "outputs/unannounced").write_bytes(b"x" * 100)
        now = await reconcile(spaces.store, ann.tenant_id, made.workspace_id)
        assert now == StorageAmount(800, 2)
        with pytest.raises(QuotaExceededError):
            await spaces.put(ann, made, "/files/b", b"x" * 400)
        await upload.write(b"x" * 700)
        await upload.finish()
    assert (await spaces.counted(made)).amount == StorageAmount(800, 2)


async def test_what_a_crash_left_reserved_runs_out(spaces: WorkspaceInstallation):
    ann = await spaces.person()
    made = await spaces.workspace(ann, max_size_bytes=1_000)
    of = ann.tenant_id, made.workspace_id
    await spaces.database.write(
        lambda c: begin_hold(c, *of, Reservation("lost", StorageAmount(900, 1)))
    )
    (spaces.base / ".incoming").mkdir()
    (spaces.base / ".incoming/lost").write_bytes(b"half")
    (spaces.base / ".incoming/older").write_bytes(b"half")
    await sweep(spaces.store)
    assert names(spaces.base / ".incoming") == ["lost"]
    with pytest.raises(QuotaExceededError):
        await spaces.put(ann, made, "/files/a", b"x" * 200)

    from datetime import timedelta

    from dataagent_server.db.tables.workspaces import s_workspace_reservation
    from dataagent_server.workspaces.store import now

    await spaces.database.write(
        lambda c: c.execute(
            s_workspace_reservation.update().values(expires_at=now() - timedelta(hours=1))
        )
    )
    await sweep(spaces.store)
    assert names(spaces.base / ".incoming") == []
    await spaces.put(ann, made, "/files/a", b"x" * 1_000)
    assert (await spaces.counted(made)).amount == StorageAmount(1_000, 1)


async def test_an_upload_whose_reservation_ran_out_is_refused_and_changes_nothing(
    spaces: WorkspaceInstallation,
):
    ann = await spaces.person()
    made = await spaces.workspace(ann)
    from dataagent_server.db.tables.workspaces import s_workspace_reservation

    async with await spaces.files.upload(ann, made.workspace_id, "/files/a") as upload:
        await upload.write(b"x" * 10)
        await spaces.database.write(lambda c: c.execute(s_workspace_reservation.delete()))
        with pytest.raises(DataAgentError, match="too long"):
            await upload.finish()
    await reconcile(spaces.store, ann.tenant_id, made.workspace_id)
    assert (await spaces.counted(made)).amount == spaces.on_disk(made) == StorageAmount()


async def test_an_upload_into_a_workspace_that_is_deleted_meanwhile_fails(
    spaces: WorkspaceInstallation,
):
    ann = await spaces.person()
    made = await spaces.workspace(ann)
    async with await spaces.files.upload(ann, made.workspace_id, "/files/a") as upload:
        await upload.write(b"x" * 10)
        await spaces.service.delete(ann, made.workspace_id)
        assert await refusal(upload.finish()) in {"WORKSPACE_NOT_FOUND", "QUOTA_EXCEEDED"}
    assert names(spaces.base / ".incoming") == []
    assert not (spaces.base / made.path).exists()


async def test_a_lowered_maximum_keeps_what_is_there_and_refuses_more(
    spaces: WorkspaceInstallation,
):
    ann = await spaces.person()
    made = await spaces.workspace(ann)
    await spaces.put(ann, made, "/files/a", b"x" * 500)
    await spaces.service.change(ann, made.workspace_id, WorkspaceChanges(max_size_bytes=100))
    with pytest.raises(QuotaExceededError):
        await spaces.put(ann, made, "/files/b", b"x")
    await spaces.put(ann, made, "/files/a", b"x" * 400)
    assert (await spaces.counted(made)).amount == StorageAmount(400, 1)
