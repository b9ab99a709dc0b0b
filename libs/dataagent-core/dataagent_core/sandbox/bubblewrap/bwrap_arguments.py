"""The command line of bubblewrap for one run: a pure function of what was decided and opened.

The root is an empty, read-only folder in memory. On it stand the base, what else is shown, a `/tmp`
of the run's own, and last the workspace at its place, which may lie below `/tmp`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from dataagent_core.sandbox.bubblewrap.look_layer import LookLayer
from dataagent_core.sandbox.bubblewrap.protected_entries import ProtectedEntry
from dataagent_core.sandbox.bubblewrap.system_binds import BindMount
from dataagent_core.sandbox.limits.command_limits import CommandLimits
from dataagent_core.sandbox.paths.path_masks import PathMask
from dataagent_core.sandbox.paths.workspace_location import WorkspaceLocation

# The command is a child of the namespace's first process, which ends with it: then the kernel ends
# everything else, and bubblewrap, waiting outside, leaves no zombie behind.
_FIRST_PROCESS = ("/bin/sh", "-c", '"$@"; exit $?', "sh")


@dataclass(frozen=True, slots=True)
class BwrapDescriptors:
    """What bubblewrap is handed open; it closes each before the command starts."""

    workspace: int
    status: int
    block: int
    seccomp: int
    held: tuple[ProtectedEntry, ...]
    # Of `Bind`s of files: their opener's to close.
    files: tuple[int, ...] = ()

    def all(self) -> tuple[int, ...]:
        """List them for the start of the process."""
        held = (entry.descriptor for entry in self.held)
        return (self.workspace, self.status, self.block, self.seccomp, *held, *self.files)


@dataclass(frozen=True, slots=True)
class SandboxView:
    """What the command finds."""

    place: WorkspaceLocation
    etc_folder: Path
    binds: tuple[BindMount, ...]
    etc: tuple[BindMount, ...]
    env: Mapping[str, str]
    cwd: str
    shares_network: bool
    user: tuple[int, int] | None
    limits: CommandLimits
    # What cannot be opened, by its path inside, and the file that files are covered with.
    masks: tuple[PathMask, ...]
    closed_file: Path
    # Configurations of git that are shown otherwise than they are: descriptors by path.
    git_configs: Mapping[str, int]
    # The layer that takes what a looking command writes; without one its workspace is read-only.
    looks: bool = False
    layer: LookLayer | None = None


def build_bwrap_command(arguments_fd: int, command: Sequence[str]) -> list[str]:
    """Give what follows the program's name; the rest it reads from a descriptor, unseen by `ps`."""
    return ["--args", str(arguments_fd), "--", *_FIRST_PROCESS, *command]


def build_bwrap_arguments(inside: SandboxView, descriptors: BwrapDescriptors) -> list[str]:
    """Put the arguments together; mounts happen in this order."""
    return [
        *_namespaces(inside, descriptors),
        *_base(inside),
        *_tmp(inside),
        *(_looked_at if inside.looks else _workspace)(inside, descriptors),
        *_git_configs(inside),
        *_masks(inside),
        *_kernel(inside),
        *("--remount-ro", "/"),
        *_environment(inside),
        *("--chdir", inside.place.inside(inside.cwd)),
    ]


def _namespaces(inside: SandboxView, descriptors: BwrapDescriptors) -> list[str]:
    args = ["--unshare-all", "--unshare-user", "--disable-userns", "--cap-drop", "ALL"]
    args += ["--die-with-parent", "--new-session", "--as-pid-1", "--hostname", "sandbox"]
    args += ["--json-status-fd", str(descriptors.status), "--block-fd", str(descriptors.block)]
    args += ["--seccomp", str(descriptors.seccomp)]
    if inside.user is not None:
        uid, gid = inside.user
        args += ["--uid", str(uid), "--gid", str(gid)]
    return [*args, *(["--share-net"] if inside.shares_network else [])]


def _base(inside: SandboxView) -> list[str]:
    etc = BindMount(str(inside.etc_folder), "/etc")
    early = (bind for bind in inside.binds if not _is_in_tmp(bind))
    binds = (*early, etc, *inside.etc)
    return [arg for bind in binds for arg in _shown(bind, read_only=inside.looks)]


def _kernel(inside: SandboxView) -> list[str]:
    shm = ("--size", str(inside.limits.shm_bytes), "--tmpfs", "/dev/shm")  # noqa: S108
    # The kernel lets root's number write /proc/sys without any capability: to the whole machine.
    proc = ("--proc", "/proc", "--remount-ro", "/proc")
    return [*proc, "--dev", "/dev", *shm, "--remount-ro", "/dev"]


def _shown(bind: BindMount, *, read_only: bool) -> tuple[str, str, str]:
    way = "--bind" if bind.writable and not read_only else "--ro-bind"
    if bind.file_descriptor is None:
        return way, bind.source, bind.dest
    return f"{way}-fd", str(bind.file_descriptor), bind.dest


def _tmp(inside: SandboxView) -> list[str]:
    # What is shown in there would be covered if it came first.
    binds = (bind for bind in inside.binds if _is_in_tmp(bind))
    late = (arg for bind in binds for arg in _shown(bind, read_only=inside.looks))
    return ["--size", str(inside.limits.tmp_bytes), "--tmpfs", "/tmp", *late]  # noqa: S108


def _is_in_tmp(bind: BindMount) -> bool:
    return bind.dest.startswith("/tmp/")  # noqa: S108


def _workspace(inside: SandboxView, descriptors: BwrapDescriptors) -> list[str]:
    mounts = ["--bind-fd", str(descriptors.workspace), inside.place.path]
    for entry in descriptors.held:
        way = "--ro-bind-fd" if entry.read_only else "--bind-fd"
        mounts += [way, str(entry.descriptor), inside.place.inside(entry.path)]
    return mounts


def _looked_at(inside: SandboxView, descriptors: BwrapDescriptors) -> list[str]:
    workspace, layer = str(descriptors.workspace), inside.layer
    if layer is None:
        return ["--ro-bind-fd", workspace, inside.place.path]
    return [
        *("--overlay-src", f"/proc/self/fd/{workspace}"),
        *("--overlay", str(layer.upper), str(layer.work), inside.place.path),
        # bubblewrap closes only descriptors it binds. This one vanishes beneath the next /dev.
        *("--bind-fd", workspace, "/dev"),
    ]


def _git_configs(inside: SandboxView) -> list[str]:
    shown = inside.git_configs.items()
    return [arg for path, file in shown for arg in ("--ro-bind-data", str(file), path)]


def _masks(inside: SandboxView) -> list[str]:
    mounts: list[str] = []
    for mask in inside.masks:
        path = mask.path
        if mask.is_folder:
            mounts += ["--perms", "0000", "--size", "4096", "--tmpfs", path, "--remount-ro", path]
        else:
            mounts += ["--ro-bind", str(inside.closed_file), path]
    return mounts


def _environment(inside: SandboxView) -> list[str]:
    return [
        "--clearenv",
        *(arg for pair in inside.env.items() for arg in ("--setenv", *pair)),
    ]
