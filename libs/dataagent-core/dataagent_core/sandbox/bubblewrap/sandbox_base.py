"""What stays the same from run to run of one sandbox: its workspace, open, and its `/etc`."""

import os
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path

from dataagent_core.errors import DirectoryError, SandboxUnavailableError
from dataagent_core.sandbox.bubblewrap.bwrap_executable import BwrapExecutable, find_bwrap
from dataagent_core.sandbox.bubblewrap.protected_entries import PROTECTED_NAMES
from dataagent_core.sandbox.bubblewrap.scratch_folder import ScratchFolder
from dataagent_core.sandbox.bubblewrap.system_binds import BindMount, build_etc
from dataagent_core.sandbox.git.git_identity import NO_GIT_IDENTITY, GitIdentity
from dataagent_core.sandbox.limits.cgroup import find_delegated_group
from dataagent_core.sandbox.limits.command_limits import CommandLimits
from dataagent_core.sandbox.paths.path_masks import FindMasks, PathMask, find_no_masks
from dataagent_core.sandbox.paths.workspace_location import SERVER_LOCATION, WorkspaceLocation
from dataagent_core.sandbox.toolchains import NO_TOOLCHAINS, Toolchains

# Who a command of root believes to be: on disk it stays root, but programs do not act as root.
_UNPRIVILEGED = (1000, 1000)
_FOLDER = os.O_PATH | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


@dataclass(frozen=True, slots=True)
class SandboxOptions:
    """What whoever opens a sandbox may choose."""

    limits: CommandLimits
    place: WorkspaceLocation = SERVER_LOCATION
    scratch: Path | None = None
    extra_binds: tuple[BindMount, ...] = ()
    protected: tuple[str, ...] = PROTECTED_NAMES
    # Not found by commands, wherever they lie in the workspace.
    closed: tuple[str, ...] = ()
    run_as: int | None = None
    git_identity: GitIdentity = NO_GIT_IDENTITY
    toolchains: Toolchains = NO_TOOLCHAINS
    find_masks: FindMasks = find_no_masks
    # What of the other folders cannot be opened, by its path inside.
    covered: tuple[PathMask, ...] = ()


@dataclass(frozen=True, slots=True)
class SandboxBase:
    """What every run of one sandbox stands on."""

    wishes: SandboxOptions
    bwrap: BwrapExecutable
    workspace_fd: int
    scratch: ScratchFolder
    # The folders of the project's languages, as they were when the sandbox was opened: a command
    # may be able to exchange a link that leads to one.
    languages: tuple[BindMount, ...]
    shown_user: tuple[int, int] | None
    cgroup_parent: Path | None
    etc: Path


def open_sandbox_base(workspace: Path, wishes: SandboxOptions) -> SandboxBase:
    """Open the workspace and make the `/etc`; closed by `close_ground`."""
    bwrap = find_bwrap()
    try:
        workspace_fd = os.open(workspace, _FOLDER)
    except OSError as error:
        raise DirectoryError(
            f"The workspace {str(workspace)!r} cannot be opened: {error.strerror}. "
            "Give a folder that exists."
        ) from error
    try:
        near = [wishes.scratch] if wishes.scratch else []
        scratch = ScratchFolder([*near, Path(tempfile.gettempdir())])
    except BaseException:
        os.close(workspace_fd)
        raise
    shown = _UNPRIVILEGED if os.geteuid() == 0 and wishes.run_as is None else None
    try:
        return SandboxBase(
            wishes=wishes,
            bwrap=bwrap,
            workspace_fd=workspace_fd,
            scratch=scratch,
            languages=tuple(_language_binds(wishes.toolchains, scratch)),
            shown_user=shown,
            cgroup_parent=find_delegated_group(Path("/proc/self/cgroup").read_text()),
            etc=_make_etc(scratch, shown or _own_user(wishes), wishes.git_identity),
        )
    except BaseException:
        scratch.remove()
        os.close(workspace_fd)
        raise


def close_sandbox_base(ground: SandboxBase) -> None:
    """Remove what was made and close the workspace."""
    ground.scratch.remove()
    os.close(ground.workspace_fd)


def _language_binds(found: Toolchains, scratch: ScratchFolder) -> list[BindMount]:
    """Show the languages of a project; what lies in another folder comes after it."""
    shown = [BindMount(os.path.realpath(folder), str(folder)) for folder in sorted(found.folders)]
    empty = str(scratch.empty_file)
    return [*shown, *(BindMount(empty, str(hidden)) for hidden in found.hidden)]


def _make_etc(scratch: ScratchFolder, user: tuple[int, int], identity: GitIdentity) -> Path:
    """Make it in memory, where hundreds of links cost little; on the disk where that is full."""
    try:
        etc = scratch.memory() / "etc"
    except SandboxUnavailableError:
        return _build_etc(scratch.path / "etc", user, identity)
    try:
        return _build_etc(etc, user, identity)
    except OSError:
        shutil.rmtree(etc, ignore_errors=True)
        return _build_etc(scratch.path / "etc", user, identity)


def _build_etc(etc: Path, user: tuple[int, int], identity: GitIdentity) -> Path:
    build_etc(etc, *user)
    (etc / "gitconfig").write_text(identity.config(), "utf-8")
    return etc


def _own_user(wishes: SandboxOptions) -> tuple[int, int]:
    run_as = wishes.run_as
    return (run_as, run_as) if run_as is not None else (os.geteuid(), os.getegid())
