"""Prepares one run of bubblewrap: opens files, decides binds and environment.

Everything opened is closed with the exit stack. The environment restricts which programs a
repository's git settings can start: it precedes git's files and follows a command's own `-c`; a
bare repository in a folder is not used unless named. A read-only command runs no hook; what the
environment cannot express is removed by `sandbox/git/git_config_filter.py`.
"""

import fcntl
import os
import platform
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from dataagent_core.sandbox.bubblewrap.bwrap_arguments import (
    BwrapDescriptors,
    SandboxView,
    build_bwrap_arguments,
    build_bwrap_command,
)
from dataagent_core.sandbox.bubblewrap.look_layer import LookLayer
from dataagent_core.sandbox.bubblewrap.protected_entries import (
    list_missing_names,
    open_protected_entries,
    read_entry,
)
from dataagent_core.sandbox.bubblewrap.sandbox_base import SandboxBase
from dataagent_core.sandbox.bubblewrap.system_binds import (
    BindMount,
    list_certificate_binds,
    list_resolver_binds,
    list_system_binds,
)
from dataagent_core.sandbox.git.git_config_filter import filter_git_config
from dataagent_core.sandbox.paths.path_masks import PathMask, find_existing_masks
from dataagent_core.sandbox.port import Command, Network
from dataagent_core.sandbox.processes.bash_command import build_bash_command, drop_bash_settings
from dataagent_core.sandbox.processes.run_request import RunRequest
from dataagent_core.sandbox.seccomp.seccomp_filter import build_seccomp_filter
from dataagent_core.sandbox.toolchains import Toolchains

_SETTINGS: Final = {
    "safe.bareRepository": "explicit",
    "core.fsmonitor": "false",
    "core.pager": "cat",
    "log.showSignature": "false",
    "protocol.ext.allow": "never",
    # It would end with the command, and take worktrees for gone that the sandbox does not show.
    "gc.auto": "0",
    "gc.worktreePruneExpire": "never",
}


def build_git_environment(*, looks: bool) -> dict[str, str]:
    """Give the variables for a command, or for one that only looks."""
    settings = _SETTINGS | ({"core.hooksPath": "/dev/null"} if looks else {})
    found = {"GIT_CONFIG_COUNT": str(len(settings)), "GIT_PAGER": "cat"}
    if looks:
        # The indexes of submodules and worktrees stay as they are.
        found["GIT_OPTIONAL_LOCKS"] = "0"
    for number, (key, value) in enumerate(settings.items()):
        found[f"GIT_CONFIG_KEY_{number}"] = key
        found[f"GIT_CONFIG_VALUE_{number}"] = value
    return found


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
    grows: tuple[int, ...]
    # What rules deny, as it was covered.
    denied: frozenset[PathMask] = frozenset()
    layer: LookLayer | None = None


def prepare_run(
    ground: SandboxBase, request: RunRequest, status_fd: int, stack: ExitStack
) -> PreparedRun:
    """Open what is handed over and put the command line together."""
    block, go = os.pipe()
    stack.callback(os.close, block)
    stack.callback(os.close, go)
    layer = None
    if request.looks in {"memory", "disk"}:
        mode = os.fstat(ground.workspace_fd).st_mode
        place = ground.scratch.memory() if request.looks == "memory" else ground.scratch.path
        layer = LookLayer(place, mode, ground.wishes.run_as, stack)
    held = () if request.looks else (*ground.wishes.protected, *ground.wishes.closed)
    denied = tuple(ground.wishes.find_masks(ground.workspace_fd))
    pinned = () if request.looks else [folder for mask in denied for folder in mask.pinned]
    descriptors = BwrapDescriptors(
        workspace=ground.workspace_fd,
        status=status_fd,
        block=block,
        seccomp=_file(build_seccomp_filter(platform.machine()), stack),
        held=tuple(open_protected_entries(ground.workspace_fd, held, stack, pinned)),
        files=tuple(
            bind.file_descriptor
            for bind in ground.wishes.extra_binds
            if bind.file_descriptor is not None
        ),
    )
    inside = SandboxView(
        place=ground.wishes.place,
        etc_folder=ground.etc,
        binds=(*list_system_binds(), *ground.languages, *ground.wishes.extra_binds),
        etc=_network_files(request.network),
        env=_environment(request, ground.wishes.toolchains),
        cwd=request.cwd,
        shares_network=request.network == "full",
        user=ground.shown_user,
        limits=ground.wishes.limits,
        masks=(
            *(
                mask._replace(path=ground.wishes.place.inside(mask.path))
                for mask in (
                    *find_existing_masks(ground.workspace_fd, ground.wishes.closed),
                    *denied,
                )
            ),
            *ground.wishes.covered,
        ),
        closed_file=ground.scratch.closed_file,
        git_configs=_git_configs(ground, stack, looks=request.looks is not None),
        looks=request.looks is not None,
        layer=layer,
    )
    arguments = _file(
        b"\0".join(map(os.fsencode, build_bwrap_arguments(inside, descriptors))) + b"\0", stack
    )
    return PreparedRun(
        args=build_bwrap_command(arguments, build_shell_command(request.command)),
        descriptors=(*descriptors.all(), *inside.git_configs.values(), arguments),
        stdin=_file(request.stdin, stack),
        go=go,
        missing=list_missing_names(
            ground.workspace_fd, () if request.looks else ground.wishes.protected
        ),
        grows=_grows(ground, layer, stack) if request.looks != "read-only" else (),
        denied=frozenset(denied),
        layer=layer,
    )


def _grows(ground: SandboxBase, layer: LookLayer | None, stack: ExitStack) -> tuple[int, ...]:
    if layer is not None:
        return (layer.descriptor,)
    binds = (bind for bind in ground.wishes.extra_binds if bind.writable)
    # A single file needs no watching: the kernel bounds its size.
    shown = (_folder(bind, stack) for bind in binds if Path(bind.source).is_dir())
    return (ground.workspace_fd, *shown)


def _folder(bind: BindMount, stack: ExitStack) -> int:
    # Whoever opened the bind closes it as soon as the program runs.
    if bind.file_descriptor is not None:
        descriptor = os.dup(bind.file_descriptor)
    else:
        descriptor = os.open(bind.source, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
    stack.callback(os.close, descriptor)
    return descriptor


def _environment(request: RunRequest, toolchains: Toolchains) -> dict[str, str]:
    way_out = dict.fromkeys(_PROXY_NAMES if request.network == "hosts" else (), _PROXY)
    git = build_git_environment(looks=request.looks is not None)
    own = {**_ENV, **git, **toolchains.env, "PATH": ":".join((*toolchains.path, _ENV["PATH"]))}
    return drop_bash_settings({**own, **way_out, **request.env})


def _git_configs(ground: SandboxBase, stack: ExitStack, *, looks: bool) -> dict[str, int]:
    """Write the configurations that are shown with something left out, by their path inside."""
    files = {ground.wishes.place.inside(_GIT_CONFIG): read_entry(ground.workspace_fd, _GIT_CONFIG)}
    for bind in ground.wishes.extra_binds:
        folder, _, name = bind.source.rpartition("/")
        if name == "config" and not bind.writable and os.path.exists(f"{folder}/HEAD"):  # noqa: PTH110
            files[bind.dest] = Path(bind.source).read_bytes()
    shown = {
        path: filter_git_config(config, looks=looks) for path, config in files.items() if config
    }
    return {path: _file(config, stack) for path, config in shown.items() if config is not None}


def build_shell_command(command: Command) -> Sequence[str]:
    """Give the words to run: a string is read by bash."""
    return build_bash_command(command) if isinstance(command, str) else command


def _network_files(network: Network | None) -> tuple[BindMount, ...]:
    match network:
        case "none" | None:
            return ()
        case "hosts":
            return list_certificate_binds()
        case "full":
            return (*list_certificate_binds(), *list_resolver_binds())


def _file(data: bytes, stack: ExitStack) -> int:
    """Put bytes into memory that can be read and, sealed, never written again."""
    descriptor = os.memfd_create("dataagent", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    stack.callback(os.close, descriptor)
    with os.fdopen(os.dup(descriptor), "wb") as file:
        file.write(data)
    fcntl.fcntl(descriptor, fcntl.F_ADD_SEALS, _ALL_SEALS)
    os.lseek(descriptor, 0, os.SEEK_SET)
    return descriptor
