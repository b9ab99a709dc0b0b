"""Starts a server's program in a sandbox: its own prefix, its own home, and what was declared.

Its home (`server_homes.py`) is the sandbox's workspace: what it writes there counts as growth of
the disk.
"""

import asyncio
import os
from collections.abc import Mapping
from contextlib import ExitStack, suppress
from dataclasses import replace

from dataagent_core.config.limits.mcp import MCP_MESSAGE_BYTES_MAX
from dataagent_core.errors import MCPServerError, SandboxUnavailableError
from dataagent_core.mcp.config import MCPServerConfig
from dataagent_core.mcp.owner import Owner
from dataagent_core.mcp.transports.program import environment
from dataagent_core.mcp.transports.program.command import check_allowed, check_ours, find_program
from dataagent_core.mcp.transports.program.program_binds import (
    list_denied_paths,
    open_declared_binds,
    open_program_binds,
    why_not_shown,
)
from dataagent_core.mcp.transports.program.program_files import (
    ProgramFiles,
    ProgramFileTracer,
    script_folders,
)
from dataagent_core.mcp.transports.program.program_policy import ProgramPolicy
from dataagent_core.mcp.transports.program.running_program import ProgramEnd
from dataagent_core.mcp.transports.program.server_homes import home_of, limits_in
from dataagent_core.sandbox.bubblewrap.bwrap_process import BwrapProcess
from dataagent_core.sandbox.bubblewrap.bwrap_sandbox import BwrapSandbox
from dataagent_core.sandbox.bubblewrap.system_binds import BindMount
from dataagent_core.sandbox.paths.workspace_location import WorkspaceLocation
from dataagent_core.sandbox.port import Network

_REACH: dict[Network, int] = {"none": 0, "hosts": 1, "full": 2}


class SandboxedProgram:
    """A `Program` with the sandbox that was made for it."""

    def __init__(self, process: BwrapProcess, sandbox: BwrapSandbox) -> None:
        self._process = process
        self._sandbox = sandbox
        self.send = process.send
        self.read_line = process.read_line
        self.close_input = process.close_input
        self.ask_to_end = process.ask_to_end

    async def ended(self) -> ProgramEnd:
        """Wait for its end."""
        try:
            completed = await self._process.ended()
        except SandboxUnavailableError as error:
            # Nobody saw its exit code: it never began, or bubblewrap itself was killed.
            return ProgramEnd(exit_code=None, last_words=str(error))
        return ProgramEnd(
            exit_code=completed.exit_code,
            last_words=completed.stderr.data.decode(errors="replace"),
            is_overlong=self._process.is_overlong,
            killed_reason=completed.killed_reason,
        )

    async def close(self) -> None:
        """End it with everything inside, and remove the sandbox; its home stays."""
        try:
            # How it ended is for `ended` to say.
            with suppress(SandboxUnavailableError):
                await self._process.kill()
        finally:
            await self._sandbox.aclose()


async def start_sandboxed(
    owner: Owner, config: MCPServerConfig, place: ProgramPolicy, environ: Mapping[str, str]
) -> SandboxedProgram:
    """Start a program; nothing is left when that fails."""
    network = network_of(config, place)
    with ExitStack() as held:
        program, needed, binds = await asyncio.to_thread(_shown, config, place, environ, held)
        covered = await asyncio.to_thread(list_denied_paths, binds, place.denied)
        home = await asyncio.to_thread(home_of, owner, config.name, place)
        limits = await asyncio.to_thread(limits_in, home, config.name, place.limits)
        try:
            sandbox = await BwrapSandbox.open(
                home / environment.HOME.strip("/"),
                place=WorkspaceLocation(environment.HOME),
                limits=limits,
                network=network,
                egress=replace(place.egress, hosts=tuple(config.hosts)),
                scratch=home.parent,
                extra_binds=binds,
                covered=covered,
                protected=(),
                run_as=place.run_as,
            )
        except SandboxUnavailableError as error:
            raise _no_sandbox(config.name, error) from error
        try:
            process = await sandbox.start(
                [program, *config.args],
                env=environment.inside(config, environ, needed.path),
                line_bytes_max=MCP_MESSAGE_BYTES_MAX,
            )
        except BaseException as error:
            await sandbox.aclose()
            if isinstance(error, SandboxUnavailableError):
                raise _no_sandbox(config.name, error) from error
            raise
    return SandboxedProgram(process, sandbox)


def network_of(config: MCPServerConfig, place: ProgramPolicy) -> Network:
    """Give the network a program gets: what it asks for, if its place allows as much."""
    wanted = config.network or place.network
    if _REACH[wanted] > _REACH[place.network_most]:
        raise MCPServerError(
            config.name,
            f"may not have the network {wanted!r}: here at most {place.network_most!r} is allowed. "
            "The person who runs DataAgent can allow more.",
        )
    return wanted


def _shown(
    config: MCPServerConfig, place: ProgramPolicy, environ: Mapping[str, str], held: ExitStack
) -> tuple[str, ProgramFiles, list[BindMount]]:
    program = find_program(config, environ)
    check_allowed(config, program, place.commands, environ)
    if place.commands is None and place.path_roots is not None:
        check_ours(config, program, environ)
    tracer = ProgramFileTracer(environ, [*place.kept_away, place.folder])
    tracer.program(program)
    declared = open_declared_binds(config, place, held)
    shown = {**tracer.needed.shown, **_scripts(config, place, tracer)}
    for bind in declared:
        shown.pop(bind.dest, None)
    # What lies in another one comes after it, or would be covered by it.
    binds = sorted([*open_program_binds(shown, held), *declared], key=lambda bind: bind.dest)
    return program, tracer.needed, binds


def _scripts(
    config: MCPServerConfig, place: ProgramPolicy, tracer: ProgramFileTracer
) -> dict[str, str]:
    """Find the scripts among the arguments; what may not be shown is silently not."""
    shown: dict[str, str] = {}
    for argument in config.args:
        for path in script_folders(argument):
            real = os.path.realpath(path)
            if why_not_shown(path, real, place) is None and not tracer.is_too_broad(real):
                shown[path] = real
                break
    return shown


def _no_sandbox(server: str, error: SandboxUnavailableError) -> MCPServerError:
    return MCPServerError(server, f"is not started outside a sandbox, and there is none: {error}")
