"""Starts a server's program in a sandbox with its own prefix, its own home, and the declared paths.

Its home (`server_homes.py`) is the sandbox's workspace: what it writes there counts as growth of
the disk. Each mounted path is opened once and compared with where it was meant to be, so that
replacing it by a link between check and mount has no effect.
"""

import asyncio
import os
import stat
from collections.abc import Iterable, Mapping
from contextlib import ExitStack, suppress
from dataclasses import replace
from pathlib import Path

from dataagent_core.config.limits.mcp import MCP_MESSAGE_BYTES_MAX
from dataagent_core.errors import MCPServerError, SandboxUnavailableError
from dataagent_core.mcp.config import MCPServerConfig
from dataagent_core.mcp.owner import Owner
from dataagent_core.mcp.transports.program import environment
from dataagent_core.mcp.transports.program.command import check_allowed, check_ours, find_program
from dataagent_core.mcp.transports.program.program_files import (
    ProgramFiles,
    ProgramFileTracer,
    is_beneath,
    script_folders,
)
from dataagent_core.mcp.transports.program.program_policy import ProgramPolicy
from dataagent_core.mcp.transports.program.running_program import ProgramEnd
from dataagent_core.mcp.transports.program.server_homes import home_of, limits_in
from dataagent_core.sandbox.bubblewrap.bwrap_process import BwrapProcess
from dataagent_core.sandbox.bubblewrap.bwrap_sandbox import BwrapSandbox
from dataagent_core.sandbox.bubblewrap.system_binds import BindMount
from dataagent_core.sandbox.paths.path_masks import DeniedFolder, PathMask
from dataagent_core.sandbox.paths.workspace_location import WorkspaceLocation
from dataagent_core.sandbox.port import Network

# Paths of the kernel and the system: no server needs them, and each gives access to everything.
_NEVER = ("/proc", "/sys", "/dev", "/etc", "/run", "/var/run")


def open_declared_binds(
    config: MCPServerConfig, policy: ProgramPolicy, held: ExitStack
) -> list[BindMount]:
    """Open the declared paths; a path that may not be mounted is refused."""
    wanted = dict.fromkeys(config.read_paths, False)
    wanted |= dict.fromkeys(config.write_paths, True)
    binds: list[BindMount] = []
    for given, writable in wanted.items():
        path = os.path.normpath(Path(given).expanduser() if policy.path_roots is None else given)
        # Resolved once: the checked path is the one that is opened.
        real = os.path.realpath(path)
        if problem := why_not_mountable(path, real, policy):
            raise MCPServerError(
                config.name, f"may not have the path {given!r}: {problem}. Declare another one."
            )
        try:
            binds.append(open_bind(real, path, held, writable=writable))
        except OSError as error:
            raise MCPServerError(
                config.name,
                f"cannot have the path {given!r}: {error.strerror or error}. "
                "Declare folders and files that exist.",
            ) from error
    return binds


def why_not_mountable(path: str, real: str, policy: ProgramPolicy) -> str | None:
    """Return why a path may not be mounted, or None; checked as given and as resolved."""
    if not Path(path).is_absolute():
        return "it is not absolute"
    kept_away = [os.path.realpath(away) for away in (*policy.kept_away, policy.folder)]
    for shown in {path, real}:
        for away in (*_NEVER, *kept_away):
            if is_beneath(shown, [away]) or is_beneath(away, [shown]):
                return f"{shown!r} is, holds or lies in {away!r}, which no server is shown"
    if policy.path_roots is not None:
        roots = [os.path.realpath(root) for root in policy.path_roots]
        if not is_beneath(real, roots):
            return f"here only paths in {', '.join(roots) or 'no folder'} are allowed"
    return None


def list_denied_paths(binds: Iterable[BindMount], denied: Iterable[DeniedFolder]) -> list[PathMask]:
    """List the mounted paths that rules deny to read, by their path inside. Blocks."""
    shown = list(binds)
    covered: list[PathMask] = []
    for folder in denied:
        real = os.path.realpath(folder.path)
        descriptor = os.open(real, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            masks = folder.find(descriptor)
        finally:
            os.close(descriptor)
        for mask in masks:
            host = real + mask.path
            for bind in shown:
                if is_beneath(host, [bind.source]):
                    inside = bind.dest + host[len(bind.source) :]
                    covered.append(PathMask(inside, mask.is_folder, mask.identity))
                elif is_beneath(bind.source, [host]):
                    is_folder = Path(bind.source).is_dir()
                    covered.append(PathMask(bind.dest, is_folder, mask.identity))
    return covered


def open_bind(source: str, dest: str, held: ExitStack, *, writable: bool = False) -> BindMount:
    """Open a folder or file to be mounted; raises if it is no longer the one at `source`."""
    descriptor = os.open(source, os.O_PATH | os.O_NOFOLLOW | os.O_CLOEXEC)
    held.callback(os.close, descriptor)
    if os.readlink(f"/proc/self/fd/{descriptor}") != source:  # noqa: PTH115 - not a real path
        raise OSError(0, "it was replaced while it was opened")
    mode = os.fstat(descriptor).st_mode
    if not stat.S_ISDIR(mode) and not stat.S_ISREG(mode):
        raise OSError(0, "it is neither a folder nor a file")
    return BindMount(source, dest, descriptor, writable=writable)


def open_program_binds(shown: Mapping[str, str], held: ExitStack) -> list[BindMount]:
    """Open a program's files read-only; those inside another mount are left out."""
    binds: list[BindMount] = []
    for dest, source in sorted(shown.items()):
        above = next((bind for bind in binds if is_beneath(dest, [bind.dest])), None)
        if above is None or source != above.source + dest[len(above.dest) :]:
            binds.append(open_bind(source, dest, held))
    return binds


_REACH: dict[Network, int] = {"none": 0, "hosts": 1, "full": 2}


class SandboxedProgram:
    """A `RunningProgram` with its own sandbox."""

    def __init__(self, process: BwrapProcess, sandbox: BwrapSandbox) -> None:
        self._process = process
        self._sandbox = sandbox
        self.send = process.send
        self.read_line = process.read_line
        self.close_input = process.close_input
        self.ask_to_end = process.ask_to_end

    async def ended(self) -> ProgramEnd:
        try:
            completed = await self._process.ended()
        except SandboxUnavailableError as error:
            # The exit code is unknown: it never started, or bubblewrap was killed.
            return ProgramEnd(exit_code=None, last_words=str(error))
        return ProgramEnd(
            exit_code=completed.exit_code,
            last_words=completed.stderr.data.decode(errors="replace"),
            is_overlong=self._process.is_overlong,
            killed_reason=completed.killed_reason,
        )

    async def close(self) -> None:
        """Kill everything inside and remove the sandbox; its home stays."""
        try:
            # `ended` reports how it ended.
            with suppress(SandboxUnavailableError):
                await self._process.kill()
        finally:
            await self._sandbox.aclose()


async def start_sandboxed(
    owner: Owner, config: MCPServerConfig, policy: ProgramPolicy, environ: Mapping[str, str]
) -> SandboxedProgram:
    """Start a program; a failure leaves nothing behind."""
    network = network_of(config, policy)
    with ExitStack() as held:
        program, needed, binds = await asyncio.to_thread(_open_files, config, policy, environ, held)
        covered = await asyncio.to_thread(list_denied_paths, binds, policy.denied)
        home = await asyncio.to_thread(home_of, owner, config.name, policy)
        limits = await asyncio.to_thread(limits_in, home, config.name, policy.limits)
        try:
            sandbox = await BwrapSandbox.open(
                home / environment.HOME.strip("/"),
                place=WorkspaceLocation(environment.HOME),
                limits=limits,
                network=network,
                egress=replace(policy.egress, hosts=tuple(config.hosts)),
                scratch=home.parent,
                extra_binds=binds,
                covered=covered,
                protected=(),
                run_as=policy.run_as,
            )
        except SandboxUnavailableError as error:
            raise _no_sandbox_error(config.name, error) from error
        try:
            process = await sandbox.start(
                [program, *config.args],
                env=environment.inside(config, environ, needed.path),
                line_bytes_max=MCP_MESSAGE_BYTES_MAX,
            )
        except BaseException as error:
            await sandbox.aclose()
            if isinstance(error, SandboxUnavailableError):
                raise _no_sandbox_error(config.name, error) from error
            raise
    return SandboxedProgram(process, sandbox)


def network_of(config: MCPServerConfig, policy: ProgramPolicy) -> Network:
    """Return the network of a program: the configured one, if the policy allows it."""
    wanted = config.network or policy.network
    if _REACH[wanted] > _REACH[policy.network_most]:
        raise MCPServerError(
            config.name,
            f"may not have the network {wanted!r}: here at most {policy.network_most!r} is "
            "allowed. The person who runs DataAgent can allow more.",
        )
    return wanted


def _open_files(
    config: MCPServerConfig, policy: ProgramPolicy, environ: Mapping[str, str], held: ExitStack
) -> tuple[str, ProgramFiles, list[BindMount]]:
    program = find_program(config, environ)
    check_allowed(config, program, policy.commands, environ)
    if policy.commands is None and policy.path_roots is not None:
        check_ours(config, program, environ)
    tracer = ProgramFileTracer(environ, [*policy.kept_away, policy.folder])
    tracer.program(program)
    declared = open_declared_binds(config, policy, held)
    shown = {**tracer.needed.shown, **_find_scripts(config, policy, tracer)}
    for bind in declared:
        shown.pop(bind.dest, None)
    # A mount inside another one comes after it, or would be covered by it.
    binds = sorted([*open_program_binds(shown, held), *declared], key=lambda bind: bind.dest)
    return program, tracer.needed, binds


def _find_scripts(
    config: MCPServerConfig, policy: ProgramPolicy, tracer: ProgramFileTracer
) -> dict[str, str]:
    """Find the scripts among the arguments; those that may not be mounted are left out."""
    shown: dict[str, str] = {}
    for argument in config.args:
        for path in script_folders(argument):
            real = os.path.realpath(path)
            if why_not_mountable(path, real, policy) is None and not tracer.is_too_broad(real):
                shown[path] = real
                break
    return shown


def _no_sandbox_error(server: str, error: SandboxUnavailableError) -> MCPServerError:
    return MCPServerError(server, f"is not started outside a sandbox, and there is none: {error}")
