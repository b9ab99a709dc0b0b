"""Everything a run needs open and decided before bubblewrap starts; closed with the stack."""

import fcntl
import os
import platform
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass

from dataagent_core.sandbox.bash import bash_words, without_bash_settings
from dataagent_core.sandbox.bwrap_args import Descriptors, Inside, bwrap_args, bwrap_command
from dataagent_core.sandbox.bwrap_base import (
    Bind,
    base_binds,
    certificate_binds,
    resolver_binds,
)
from dataagent_core.sandbox.bwrap_ground import Ground
from dataagent_core.sandbox.bwrap_protected import hold, missing
from dataagent_core.sandbox.git_environment import GIT_ENVIRONMENT
from dataagent_core.sandbox.look_layer import LookLayer
from dataagent_core.sandbox.masks import existing_masks
from dataagent_core.sandbox.port import Command, Network
from dataagent_core.sandbox.run_request import RunRequest
from dataagent_core.sandbox.seccomp import seccomp_filter
from dataagent_core.sandbox.toolchains import Toolchains

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
    # A workspace is a mount of its own; its repository may begin above it (`git_directory.py`).
    "GIT_DISCOVERY_ACROSS_FILESYSTEM": "1",
    **GIT_ENVIRONMENT,
}
# Git then leaves the indexes of submodules and worktrees as they are.
_LOOK_ENV = {"GIT_OPTIONAL_LOCKS": "0"}


@dataclass(frozen=True, slots=True)
class Prepared:
    """A run that can begin."""

    args: list[str]
    descriptors: tuple[int, ...]
    stdin: int
    go: int
    missing: list[str]
    layer: LookLayer | None = None


def prepare(ground: Ground, request: RunRequest, status_fd: int, stack: ExitStack) -> Prepared:
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
    descriptors = Descriptors(
        workspace=ground.workspace_fd,
        status=status_fd,
        block=block,
        seccomp=_file(seccomp_filter(platform.machine()), stack),
        held=tuple(hold(ground.workspace_fd, held, stack)),
        files=tuple(
            bind.file_descriptor
            for bind in ground.wishes.extra_binds
            if bind.file_descriptor is not None
        ),
    )
    inside = Inside(
        place=ground.wishes.place,
        etc_folder=ground.scratch.etc,
        binds=(*base_binds(), *_toolchain_binds(ground), *ground.wishes.extra_binds),
        etc=_network_files(request.network),
        env=_environment(request, ground.wishes.toolchains),
        cwd=request.cwd,
        shares_network=request.network == "full",
        user=ground.shown_user,
        limits=ground.wishes.limits,
        masks=(
            *existing_masks(ground.workspace_fd, ground.wishes.closed),
            *ground.wishes.find_masks(ground.workspace_fd),
        ),
        closed_file=ground.scratch.closed_file,
        looks=request.looks is not None,
        layer=layer,
    )
    arguments = _file(b"\0".join(map(os.fsencode, bwrap_args(inside, descriptors))) + b"\0", stack)
    return Prepared(
        args=bwrap_command(arguments, shell_words(request.command)),
        descriptors=(*descriptors.all(), arguments),
        stdin=_file(request.stdin, stack),
        go=go,
        missing=missing(ground.workspace_fd, () if request.looks else ground.wishes.protected),
        layer=layer,
    )


def _environment(request: RunRequest, toolchains: Toolchains) -> dict[str, str]:
    way_out = dict.fromkeys(_PROXY_NAMES if request.network == "hosts" else (), _PROXY)
    own = {**_ENV, **toolchains.env, "PATH": ":".join((*toolchains.path, _ENV["PATH"]))}
    looks = _LOOK_ENV if request.looks else {}
    return without_bash_settings({**own, **looks, **way_out, **request.env})


def _toolchain_binds(ground: Ground) -> list[Bind]:
    """Show the languages of a project; what lies in another folder comes after it."""
    found = ground.wishes.toolchains
    shown = [Bind(os.path.realpath(folder), str(folder)) for folder in sorted(found.folders)]
    empty = str(ground.scratch.empty_file)
    return [*shown, *(Bind(empty, str(hidden)) for hidden in found.hidden)]


def shell_words(command: Command) -> Sequence[str]:
    """Give the words to run: a string is read by bash."""
    return bash_words(command) if isinstance(command, str) else command


def _network_files(network: Network | None) -> tuple[Bind, ...]:
    match network:
        case "none" | None:
            return ()
        case "hosts":
            return certificate_binds()
        case "full":
            return (*certificate_binds(), *resolver_binds())


def _file(data: bytes, stack: ExitStack) -> int:
    """Put bytes into memory that can be read and, sealed, never written again."""
    descriptor = os.memfd_create("dataagent", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    stack.callback(os.close, descriptor)
    with os.fdopen(os.dup(descriptor), "wb") as file:
        file.write(data)
    fcntl.fcntl(descriptor, fcntl.F_ADD_SEALS, _ALL_SEALS)
    os.lseek(descriptor, 0, os.SEEK_SET)
    return descriptor
