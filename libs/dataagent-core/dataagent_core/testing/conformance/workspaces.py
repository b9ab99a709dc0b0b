"""What every `UserWorkspaceManager` does, whoever assigns and counts the workspaces.

Needs the fixture `workspace_pair`: two people, each with a manager that knows them, and
`QUOTA_BYTES` of room. The methods block, so they are called off the loop.
"""

import asyncio
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest

from dataagent_core.sandbox.files_backend import SandboxedFilesystemBackend
from dataagent_core.sandbox.workspaces import UserWorkspaceManager

QUOTA_BYTES: Final = 1_000


@dataclass(frozen=True, slots=True)
class WorkspaceUser:
    """A person and the manager of their workspace."""

    user_id: str
    manager: UserWorkspaceManager

    async def files(self) -> SandboxedFilesystemBackend:
        """Open their files as an agent sees them."""
        return await asyncio.to_thread(SandboxedFilesystemBackend, self.user_id, self.manager)

    async def directory(self) -> Path:
        """Give the directory of their workspace, made if it is missing."""
        return await asyncio.to_thread(self.manager.ensure_user_workspace, self.user_id)

    async def usage(self) -> int:
        """Give the bytes their workspace holds."""
        return await asyncio.to_thread(self.manager.get_workspace_usage, self.user_id)

    async def fits(self, additional_bytes: int) -> bool:
        """Say whether so much more fits."""
        return await asyncio.to_thread(self.manager.check_quota, self.user_id, additional_bytes)


class WorkspaceManagerConformance:
    """Needs the fixture `workspace_pair`, fresh for each test."""

    async def test_a_workspace_has_its_folders_and_is_for_its_owner_only(
        self, workspace_pair: tuple[WorkspaceUser, WorkspaceUser]
    ) -> None:
        ann, bob = workspace_pair
        directory = await ann.directory()
        assert directory == ann.manager.get_user_workspace(ann.user_id)
        assert stat.S_IMODE(directory.stat().st_mode) == stat.S_IRWXU
        assert sorted(path.name for path in directory.iterdir()) == ["files", "outputs", "uploads"]
        assert (await bob.directory()).parent == directory.parent
        assert await bob.directory() != directory

    async def test_a_write_beyond_the_quota_is_refused_and_changes_nothing(
        self, workspace_pair: tuple[WorkspaceUser, WorkspaceUser]
    ) -> None:
        ann, bob = workspace_pair
        files = await ann.files()
        await files.write_file("/files/a", "x" * 900)
        with pytest.raises(PermissionError, match="room for 100 bytes"):
            await files.write_file("/files/b", "x" * 101)
        assert "room for 100 bytes" in ((await files.awrite("/files/b", "x" * 101)).error or "")
        assert "room for 100 bytes" in (
            (await files.aedit("/files/a", "x" * 900, "x" * 1_001)).error or ""
        )
        (uploaded,) = await files.aupload_files([("/files/b", b"x" * 101)])
        assert "room for 100 bytes" in (uploaded.error or "")
        assert await ann.usage() == QUOTA_BYTES - 100
        assert (await ann.fits(100), await ann.fits(101)) == (True, False)
        assert await bob.fits(QUOTA_BYTES)

    async def test_an_overwrite_costs_what_it_adds_and_a_deletion_gives_room_back(
        self, workspace_pair: tuple[WorkspaceUser, WorkspaceUser]
    ) -> None:
        files = await workspace_pair[0].files()
        await files.write_file("/files/a", "x" * 900)
        await files.write_file("/files/a", "x" * QUOTA_BYTES)
        assert (await files.adelete("/files/a")).error is None
        await files.write_file("/files/b", "x" * QUOTA_BYTES)
        assert await files.read_file("/files/b") == "x" * QUOTA_BYTES

    async def test_nobody_reaches_the_files_of_another(
        self, workspace_pair: tuple[WorkspaceUser, WorkspaceUser]
    ) -> None:
        ann, bob = workspace_pair
        await (await ann.files()).write_file("/files/a", "of ann")
        theirs, mine = await ann.directory(), await bob.directory()
        (mine / "files/link").symlink_to(theirs)
        files = await bob.files()
        for path in (f"/../{theirs.name}/files/a", f"{theirs}/files/a", "/files/link/files/a"):
            with pytest.raises((PermissionError, FileNotFoundError)):
                await files.read_file(path)
            assert (await files.awrite(path, "of bob")).error or path == f"{theirs}/files/a"
        assert (theirs / "files/a").read_text() == "of ann"
        assert not await asyncio.to_thread(
            bob.manager.validate_path, bob.user_id, theirs / "files/a"
        )
        assert await asyncio.to_thread(ann.manager.validate_path, ann.user_id, theirs / "files/a")

    async def test_cleaning_up_removes_one_workspace_and_gives_its_room_back(
        self, workspace_pair: tuple[WorkspaceUser, WorkspaceUser]
    ) -> None:
        ann, bob = workspace_pair
        await (await ann.files()).write_file("/files/a/b", "x" * QUOTA_BYTES)
        await (await bob.files()).write_file("/files/a", "of bob")
        directory = await ann.directory()
        (directory / "files/link").symlink_to(await bob.directory())
        for _ in range(2):
            await asyncio.to_thread(ann.manager.cleanup_workspace, ann.user_id)
            assert not directory.exists()
            assert await ann.usage() == 0
        assert await (await bob.files()).read_file("/files/a") == "of bob"
        await (await ann.files()).write_file("/files/a", "x" * QUOTA_BYTES)
