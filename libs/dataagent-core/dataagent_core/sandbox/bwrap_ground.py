"""What stays the same from run to run of one sandbox: its workspace, open, and its skeleton."""

import os
import tempfile
from dataclasses import dataclass
from pathlib import Path

from dataagent_core.errors import DirectoryError
from dataagent_core.sandbox.bwrap_base import Bind, build_skeleton
from dataagent_core.sandbox.bwrap_find import Bwrap, find_bwrap
from dataagent_core.sandbox.bwrap_protected import PROTECTED_NAMES
from dataagent_core.sandbox.bwrap_scratch import Scratch, overlays_can_share
from dataagent_core.sandbox.cgroup import delegated_parent
from dataagent_core.sandbox.run_limits import RunLimits

# Who a command of root believes to be: on disk it stays root, but programs do not act as root.
_UNPRIVILEGED = (1000, 1000)


@dataclass(frozen=True, slots=True)
class Wishes:
    """What whoever opens a sandbox may choose."""

    limits: RunLimits
    scratch: Path | None = None
    extra_binds: tuple[Bind, ...] = ()
    protected: tuple[str, ...] = PROTECTED_NAMES
    run_as: int | None = None


@dataclass(frozen=True, slots=True)
class Ground:
    """What every run of one sandbox stands on."""

    wishes: Wishes
    bwrap: Bwrap
    workspace_fd: int
    scratch: Scratch
    overlay_possible: bool
    shown_user: tuple[int, int] | None
    cgroup_parent: Path | None


def open_ground(workspace: Path, wishes: Wishes) -> Ground:
    """Open the workspace and build the skeleton; closed by `close_ground`."""
    bwrap = find_bwrap()
    try:
        workspace_fd = os.open(workspace, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError as error:
        raise DirectoryError(
            f"The workspace {str(workspace)!r} cannot be opened: {error.strerror}. "
            "Give a folder that exists."
        ) from error
    try:
        near = [wishes.scratch] if wishes.scratch else []
        scratch = Scratch(workspace_fd, [*near, Path(tempfile.gettempdir())])
    except BaseException:
        os.close(workspace_fd)
        raise
    shown = _UNPRIVILEGED if os.geteuid() == 0 and wishes.run_as is None else None
    ground = Ground(
        wishes=wishes,
        bwrap=bwrap,
        workspace_fd=workspace_fd,
        scratch=scratch,
        overlay_possible=bwrap.has_overlay and scratch.beside_workspace and overlays_can_share(),
        shown_user=shown,
        cgroup_parent=delegated_parent(Path("/proc/self/cgroup").read_text()),
    )
    try:
        build_skeleton(scratch.path, *_user_inside(ground), wishes.extra_binds)
    except BaseException:
        close_ground(ground)
        raise
    return ground


def close_ground(ground: Ground) -> None:
    """Remove the skeleton and close the workspace."""
    ground.scratch.remove()
    os.close(ground.workspace_fd)


def _user_inside(ground: Ground) -> tuple[int, int]:
    if ground.shown_user is not None:
        return ground.shown_user
    run_as = ground.wishes.run_as
    return (run_as, run_as) if run_as is not None else (os.geteuid(), os.getegid())
