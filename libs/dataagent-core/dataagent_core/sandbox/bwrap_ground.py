"""What stays the same from run to run of one sandbox: its workspace, open, and its `/etc`."""

import os
import tempfile
from dataclasses import dataclass
from pathlib import Path

from dataagent_core.errors import DirectoryError, SandboxUnavailableError
from dataagent_core.sandbox.bwrap_base import Bind, build_etc
from dataagent_core.sandbox.bwrap_find import Bwrap, find_bwrap
from dataagent_core.sandbox.bwrap_protected import PROTECTED_NAMES
from dataagent_core.sandbox.bwrap_scratch import Scratch
from dataagent_core.sandbox.cgroup import delegated_parent
from dataagent_core.sandbox.git_identity import NOBODY, GitIdentity
from dataagent_core.sandbox.masks import FindMasks, Mask, no_masks
from dataagent_core.sandbox.run_limits import RunLimits
from dataagent_core.sandbox.toolchains import NO_TOOLCHAINS, Toolchains
from dataagent_core.sandbox.workspace_place import SERVER_PLACE, WorkspacePlace

# Who a command of root believes to be: on disk it stays root, but programs do not act as root.
_UNPRIVILEGED = (1000, 1000)
_FOLDER = os.O_PATH | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


@dataclass(frozen=True, slots=True)
class Wishes:
    """What whoever opens a sandbox may choose."""

    limits: RunLimits
    place: WorkspacePlace = SERVER_PLACE
    scratch: Path | None = None
    extra_binds: tuple[Bind, ...] = ()
    protected: tuple[str, ...] = PROTECTED_NAMES
    # Not found by commands, wherever they lie in the workspace.
    closed: tuple[str, ...] = ()
    run_as: int | None = None
    git_identity: GitIdentity = NOBODY
    toolchains: Toolchains = NO_TOOLCHAINS
    find_masks: FindMasks = no_masks
    # What of the other folders cannot be opened, by its path inside.
    covered: tuple[Mask, ...] = ()


@dataclass(frozen=True, slots=True)
class Ground:
    """What every run of one sandbox stands on."""

    wishes: Wishes
    bwrap: Bwrap
    workspace_fd: int
    scratch: Scratch
    # The folders of the project's languages, as they were when the sandbox was opened: a command
    # may be able to exchange a link that leads to one.
    languages: tuple[Bind, ...]
    shown_user: tuple[int, int] | None
    cgroup_parent: Path | None
    etc: Path


def open_ground(workspace: Path, wishes: Wishes) -> Ground:
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
        scratch = Scratch([*near, Path(tempfile.gettempdir())])
    except BaseException:
        os.close(workspace_fd)
        raise
    shown = _UNPRIVILEGED if os.geteuid() == 0 and wishes.run_as is None else None
    try:
        return Ground(
            wishes=wishes,
            bwrap=bwrap,
            workspace_fd=workspace_fd,
            scratch=scratch,
            languages=tuple(_language_binds(wishes.toolchains, scratch)),
            shown_user=shown,
            cgroup_parent=delegated_parent(Path("/proc/self/cgroup").read_text()),
            etc=_make_etc(scratch, shown or _own_user(wishes), wishes.git_identity),
        )
    except BaseException:
        scratch.remove()
        os.close(workspace_fd)
        raise


def close_ground(ground: Ground) -> None:
    """Remove what was made and close the workspace."""
    ground.scratch.remove()
    os.close(ground.workspace_fd)


def _language_binds(found: Toolchains, scratch: Scratch) -> list[Bind]:
    """Show the languages of a project; what lies in another folder comes after it."""
    shown = [Bind(os.path.realpath(folder), str(folder)) for folder in sorted(found.folders)]
    empty = str(scratch.empty_file)
    return [*shown, *(Bind(empty, str(hidden)) for hidden in found.hidden)]


def _make_etc(scratch: Scratch, user: tuple[int, int], identity: GitIdentity) -> Path:
    """Make it in memory, where hundreds of links cost little; on the disk where that is full."""
    try:
        return _fill(scratch.memory() / "etc", user, identity)
    except (OSError, SandboxUnavailableError):
        return _fill(scratch.path / "etc", user, identity)


def _fill(etc: Path, user: tuple[int, int], identity: GitIdentity) -> Path:
    build_etc(etc, *user)
    (etc / "gitconfig").write_text(identity.config(), "utf-8")
    return etc


def _own_user(wishes: Wishes) -> tuple[int, int]:
    run_as = wishes.run_as
    return (run_as, run_as) if run_as is not None else (os.geteuid(), os.getegid())
