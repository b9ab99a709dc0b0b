"""Prepares one run of bubblewrap: opens files, decides binds and environment, builds the arguments.

Everything opened is closed with the exit stack. The root is an empty, read-only folder in memory.
On it are mounted the base, what else is shown, a `/tmp` of the run's own, and last the workspace at
its location, which may be below `/tmp`.

The environment restricts which programs a repository's git settings can start: it precedes git's
files and follows a command's own `-c`; a bare repository in a folder is not used unless named. A
read-only command runs no hook; what the environment cannot express is removed by
`sandbox/git/git_config_filter.py`.
"""

import fcntl
import os
import platform
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from dataagent_core.sandbox.bubblewrap.look_layer import LookLayer
from dataagent_core.sandbox.bubblewrap.protected_entries import (
    ProtectedEntry,
    list_missing_names,
    open_protected_entries,
    read_entry,
)
from dataagent_core.sandbox.bubblewrap.sandbox_base import SandboxBase
from dataagent_core.sandbox.bubblewrap.shown_folders import open_shown_folders
from dataagent_core.sandbox.bubblewrap.system_binds import (
    BindMount,
    list_certificate_binds,
    list_resolver_binds,
    list_system_binds,
)
from dataagent_core.sandbox.git.git_config_filter import filter_git_config
from dataagent_core.sandbox.limits.command_limits import CommandLimits
from dataagent_core.sandbox.paths.path_masks import PathMask, find_existing_masks
from dataagent_core.sandbox.paths.workspace_location import WorkspaceLocation
from dataagent_core.sandbox.port import Command, Network
from dataagent_core.sandbox.processes.bash_command import build_bash_command, drop_bash_settings
from dataagent_core.sandbox.processes.run_request import RunRequest
from dataagent_core.sandbox.seccomp.seccomp_filter import build_seccomp_filter
from dataagent_core.sandbox.toolchains import Toolchains

# The command is a child of the namespace's first process, which ends with it: then the kernel ends
# everything else, and bubblewrap, waiting outside, leaves no zombie behind.
_FIRST_PROCESS = ("/bin/sh", "-c", '"$@"; exit $?', "sh")
_GIT_SETTINGS: Final = {
    "safe.bareRepository": "explicit",
    "core.fsmonitor": "false",
    "core.pager": "cat",
    "log.showSignature": "false",
    "protocol.ext.allow": "never",
    # It would end with the command, and take worktrees for gone that the sandbox does not show.
    "gc.auto": "0",
    "gc.worktreePruneExpire": "never",
}
_ALL_SEALS = fcntl.F_SEAL_WRITE | fcntl.F_SEAL_GROW | fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_SEAL
_PROXY = "http://127.0.0.1:3128"
_PROXY_NAMES = ("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy")
_ENV = {
    "PATH": "/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin",
    "HOME": "/tmp",  # noqa: S108 - the sandbox's own
    "TMPDIR": "/tmp",  # noqa: S108
    "USER": "agent",
    "LANG": "C.UTF-8",
    "TERM": "dumb",
    # A workspace is a mount of its own; its repository may begin above it
    # (`sandbox/git/git_directory.py`).
    "GIT_DISCOVERY_ACROSS_FILESYSTEM": "1",
}
_GIT_CONFIG = ".git/config"


@dataclass(frozen=True, slots=True)
class PreparedRun:
    """A run that can begin."""

    args: list[str]
    descriptors: tuple[int, ...]
    stdin: int
    go: int
    missing: list[str]
    # The folders that can be written.
    growing_fds: tuple[int, ...]
    # What rules deny, as it was covered.
    denied: frozenset[PathMask] = frozenset()
    layer: LookLayer | None = None


def prepare_run(
    base: SandboxBase, request: RunRequest, status_fd: int, stack: ExitStack
) -> PreparedRun:
    """Open what bubblewrap is given, and build its command line."""
    block, go = os.pipe()
    stack.callback(os.close, block)
    stack.callback(os.close, go)
    layer = None
    if request.looks in {"memory", "disk"}:
        mode = os.fstat(base.workspace_fd).st_mode
        folder = base.scratch.memory() if request.looks == "memory" else base.scratch.path
        layer = LookLayer(folder, mode, base.options.run_as, stack)
    held = () if request.looks else (*base.options.protected, *base.options.closed)
    denied = tuple(base.options.find_masks(base.workspace_fd))
    pinned = () if request.looks else [folder for mask in denied for folder in mask.pinned]
    shown = open_shown_folders(base.options.shown, stack)
    extra = (*base.options.extra_binds, *shown.binds)
    descriptors = BwrapDescriptors(
        workspace=base.workspace_fd,
        status=status_fd,
        block=block,
        seccomp=_seal_in_memory(build_seccomp_filter(platform.machine()), stack),
        held=tuple(open_protected_entries(base.workspace_fd, held, stack, pinned)),
        files=tuple(bind.file_descriptor for bind in extra if bind.file_descriptor is not None),
    )
    inside = SandboxView(
        place=base.options.place,
        etc_folder=base.etc,
        binds=(*list_system_binds(), *base.languages, *extra),
        etc=_list_network_binds(request.network),
        env=_build_environment(request, base.options.toolchains),
        cwd=request.cwd,
        shares_network=request.network == "full",
        user=base.shown_user,
        limits=base.options.limits,
        masks=(
            *(
                mask._replace(path=base.options.place.inside(mask.path))
                for mask in (
                    *find_existing_masks(base.workspace_fd, base.options.closed),
                    *denied,
                )
            ),
            *shown.masks,
            *base.options.covered,
        ),
        closed_file=base.scratch.closed_file,
        git_configs=_write_git_configs(base, stack, looks=request.looks is not None),
        looks=request.looks is not None,
        layer=layer,
    )
    arguments = _seal_in_memory(
        b"\0".join(map(os.fsencode, build_bwrap_arguments(inside, descriptors))) + b"\0", stack
    )
    return PreparedRun(
        args=build_bwrap_command(arguments, build_shell_command(request.command)),
        descriptors=(*descriptors.all(), *inside.git_configs.values(), arguments),
        stdin=_seal_in_memory(request.stdin, stack),
        go=go,
        missing=list_missing_names(
            base.workspace_fd, () if request.looks else base.options.protected
        ),
        growing_fds=_list_growing_folders(base, layer, stack)
        if request.looks != "read-only"
        else (),
        denied=frozenset((*denied, *shown.masks)),
        layer=layer,
    )


@dataclass(frozen=True, slots=True)
class BwrapDescriptors:
    """What bubblewrap is handed open; it closes each before the command starts."""

    workspace: int
    status: int
    block: int
    seccomp: int
    held: tuple[ProtectedEntry, ...]
    # Files of `BindMount`s; whoever opened them closes them.
    files: tuple[int, ...] = ()

    def all(self) -> tuple[int, ...]:
        """List them for the start of the process."""
        held = (entry.descriptor for entry in self.held)
        return (self.workspace, self.status, self.block, self.seccomp, *held, *self.files)


@dataclass(frozen=True, slots=True)
class SandboxView:
    """What the command sees inside the sandbox."""

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
    # Git configurations that are shown with changes: descriptors by path.
    git_configs: Mapping[str, int]
    # The layer that takes what a look writes; without one the workspace is read-only.
    looks: bool = False
    layer: LookLayer | None = None


def _list_growing_folders(
    base: SandboxBase, layer: LookLayer | None, stack: ExitStack
) -> tuple[int, ...]:
    if layer is not None:
        return (layer.descriptor,)
    binds = (bind for bind in base.options.extra_binds if bind.writable)
    # A single file needs no watching: the kernel bounds its size.
    shown = (_open_bind_folder(bind, stack) for bind in binds if Path(bind.source).is_dir())
    return (base.workspace_fd, *shown)


def _open_bind_folder(bind: BindMount, stack: ExitStack) -> int:
    # Whoever opened the bind closes it as soon as the program runs.
    if bind.file_descriptor is not None:
        descriptor = os.dup(bind.file_descriptor)
    else:
        descriptor = os.open(bind.source, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
    stack.callback(os.close, descriptor)
    return descriptor


def _build_environment(request: RunRequest, toolchains: Toolchains) -> dict[str, str]:
    way_out = dict.fromkeys(_PROXY_NAMES if request.network == "hosts" else (), _PROXY)
    git = build_git_environment(looks=request.looks is not None)
    own = {**_ENV, **git, **toolchains.env, "PATH": ":".join((*toolchains.path, _ENV["PATH"]))}
    return drop_bash_settings({**own, **way_out, **request.env})


def build_git_environment(*, looks: bool) -> dict[str, str]:
    """Give git's variables for a command or a look."""
    settings = _GIT_SETTINGS | ({"core.hooksPath": "/dev/null"} if looks else {})
    found = {"GIT_CONFIG_COUNT": str(len(settings)), "GIT_PAGER": "cat"}
    if looks:
        # The indexes of submodules and worktrees stay as they are.
        found["GIT_OPTIONAL_LOCKS"] = "0"
    for number, (key, value) in enumerate(settings.items()):
        found[f"GIT_CONFIG_KEY_{number}"] = key
        found[f"GIT_CONFIG_VALUE_{number}"] = value
    return found


def _write_git_configs(base: SandboxBase, stack: ExitStack, *, looks: bool) -> dict[str, int]:
    """Write the configurations that are shown with something left out, by their path inside."""
    files = {base.options.place.inside(_GIT_CONFIG): read_entry(base.workspace_fd, _GIT_CONFIG)}
    for bind in base.options.extra_binds:
        folder, _, name = bind.source.rpartition("/")
        if name == "config" and not bind.writable and os.path.exists(f"{folder}/HEAD"):  # noqa: PTH110
            files[bind.dest] = Path(bind.source).read_bytes()
    shown = {
        path: filter_git_config(config, looks=looks) for path, config in files.items() if config
    }
    return {
        path: _seal_in_memory(config, stack) for path, config in shown.items() if config is not None
    }


def build_shell_command(command: Command) -> Sequence[str]:
    """Give the words to run: a string is read by bash."""
    return build_bash_command(command) if isinstance(command, str) else command


def _list_network_binds(network: Network | None) -> tuple[BindMount, ...]:
    match network:
        case "none" | None:
            return ()
        case "hosts":
            return list_certificate_binds()
        case "full":
            return (*list_certificate_binds(), *list_resolver_binds())


def _seal_in_memory(data: bytes, stack: ExitStack) -> int:
    """Put bytes into memory that can be read and, sealed, never written again."""
    descriptor = os.memfd_create("dataagent", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    stack.callback(os.close, descriptor)
    with os.fdopen(os.dup(descriptor), "wb") as file:
        file.write(data)
    fcntl.fcntl(descriptor, fcntl.F_ADD_SEALS, _ALL_SEALS)
    os.lseek(descriptor, 0, os.SEEK_SET)
    return descriptor


def build_bwrap_command(arguments_fd: int, command: Sequence[str]) -> list[str]:
    """Give what follows the program's name; the rest it reads from a descriptor, unseen by `ps`."""
    return ["--args", str(arguments_fd), "--", *_FIRST_PROCESS, *command]


def build_bwrap_arguments(inside: SandboxView, descriptors: BwrapDescriptors) -> list[str]:
    """Put the arguments together; mounts happen in this order."""
    return [
        *_build_namespace_arguments(inside, descriptors),
        *_mount_base(inside),
        *_mount_tmp(inside),
        *(_mount_look_layer if inside.looks else _mount_workspace)(inside, descriptors),
        *_mount_git_configs(inside),
        *_mount_masks(inside),
        *_mount_kernel_files(inside),
        *("--remount-ro", "/"),
        *_build_environment_arguments(inside),
        *("--chdir", inside.place.inside(inside.cwd)),
    ]


def _build_namespace_arguments(inside: SandboxView, descriptors: BwrapDescriptors) -> list[str]:
    args = ["--unshare-all", "--unshare-user", "--disable-userns", "--cap-drop", "ALL"]
    args += ["--die-with-parent", "--new-session", "--as-pid-1", "--hostname", "sandbox"]
    args += ["--json-status-fd", str(descriptors.status), "--block-fd", str(descriptors.block)]
    args += ["--seccomp", str(descriptors.seccomp)]
    if inside.user is not None:
        uid, gid = inside.user
        args += ["--uid", str(uid), "--gid", str(gid)]
    return [*args, *(["--share-net"] if inside.shares_network else [])]


def _mount_base(inside: SandboxView) -> list[str]:
    etc = BindMount(str(inside.etc_folder), "/etc")
    early = (bind for bind in inside.binds if not _is_in_tmp(bind))
    binds = (*early, etc, *inside.etc)
    return [arg for bind in binds for arg in _build_bind_arguments(bind, read_only=inside.looks)]


def _mount_tmp(inside: SandboxView) -> list[str]:
    # What is shown in there would be covered if it came first.
    binds = (bind for bind in inside.binds if _is_in_tmp(bind))
    late = (arg for bind in binds for arg in _build_bind_arguments(bind, read_only=inside.looks))
    return ["--size", str(inside.limits.tmp_bytes), "--tmpfs", "/tmp", *late]  # noqa: S108


def _is_in_tmp(bind: BindMount) -> bool:
    return bind.dest.startswith("/tmp/")  # noqa: S108


def _mount_workspace(inside: SandboxView, descriptors: BwrapDescriptors) -> list[str]:
    mounts = ["--bind-fd", str(descriptors.workspace), inside.place.path]
    for entry in descriptors.held:
        way = "--ro-bind-fd" if entry.read_only else "--bind-fd"
        mounts += [way, str(entry.descriptor), inside.place.inside(entry.path)]
    return mounts


def _mount_look_layer(inside: SandboxView, descriptors: BwrapDescriptors) -> list[str]:
    workspace, layer = str(descriptors.workspace), inside.layer
    if layer is None:
        return ["--ro-bind-fd", workspace, inside.place.path]
    return [
        *("--overlay-src", f"/proc/self/fd/{workspace}"),
        *("--overlay", str(layer.upper), str(layer.work), inside.place.path),
        # bubblewrap closes only descriptors it binds. This one vanishes beneath the next /dev.
        *("--bind-fd", workspace, "/dev"),
    ]


def _mount_git_configs(inside: SandboxView) -> list[str]:
    shown = inside.git_configs.items()
    return [arg for path, file in shown for arg in ("--ro-bind-data", str(file), path)]


def _mount_masks(inside: SandboxView) -> list[str]:
    mounts: list[str] = []
    for mask in inside.masks:
        path = mask.path
        if mask.is_folder:
            mounts += ["--perms", "0000", "--size", "4096", "--tmpfs", path, "--remount-ro", path]
        else:
            mounts += ["--ro-bind", str(inside.closed_file), path]
    return mounts


def _mount_kernel_files(inside: SandboxView) -> list[str]:
    shm = ("--size", str(inside.limits.shm_bytes), "--tmpfs", "/dev/shm")  # noqa: S108
    # The kernel lets root's number write /proc/sys without any capability: to the whole machine.
    proc = ("--proc", "/proc", "--remount-ro", "/proc")
    return [*proc, "--dev", "/dev", *shm, "--remount-ro", "/dev"]


def _build_bind_arguments(bind: BindMount, *, read_only: bool) -> tuple[str, str, str]:
    way = "--bind" if bind.writable and not read_only else "--ro-bind"
    if bind.file_descriptor is None:
        return way, bind.source, bind.dest
    return f"{way}-fd", str(bind.file_descriptor), bind.dest


def _build_environment_arguments(inside: SandboxView) -> list[str]:
    return [
        "--clearenv",
        *(arg for pair in inside.env.items() for arg in ("--setenv", *pair)),
    ]
