"""`BwrapSandbox`: commands in Linux namespaces of their own, through bubblewrap.

How it is built, what holds and what does not: docs/sandbox.md. A command ends with the thread that
started it, so the event loop's thread must live as long as the command.
"""

import asyncio
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Self, Unpack
from uuid import uuid4

from dataagent_core.config.limits import (
    LOOK_BYTES_MAX,
    SANDBOX_LAST_WORDS_BYTES,
    SANDBOX_LINE_BYTES_MAX,
)
from dataagent_core.errors import ConflictError, SandboxUnavailableError
from dataagent_core.sandbox.bubblewrap.bwrap_process import BwrapProcess
from dataagent_core.sandbox.bubblewrap.bwrap_run import BwrapRun
from dataagent_core.sandbox.bubblewrap.protected_entries import PROTECTED_NAMES
from dataagent_core.sandbox.bubblewrap.sandbox_base import (
    SandboxBase,
    SandboxOptions,
    close_sandbox_base,
    open_sandbox_base,
)
from dataagent_core.sandbox.bubblewrap.shown_folders import ShownFolder
from dataagent_core.sandbox.bubblewrap.system_binds import BindMount
from dataagent_core.sandbox.files.workspace_quota import WorkspaceQuota
from dataagent_core.sandbox.git.git_identity import NO_GIT_IDENTITY, GitIdentity
from dataagent_core.sandbox.limits.command_limits import CommandLimits, narrow_limits
from dataagent_core.sandbox.network.egress import EgressPolicy
from dataagent_core.sandbox.paths.path_masks import FindMasks, PathMask, find_no_masks
from dataagent_core.sandbox.paths.workspace_location import SERVER_LOCATION, WorkspaceLocation
from dataagent_core.sandbox.port import Command, CommandResult, LookResult, Network, RunOptions
from dataagent_core.sandbox.processes.completion import run_to_completion
from dataagent_core.sandbox.processes.output_capture import OutputCapture
from dataagent_core.sandbox.processes.run_request import LookWay, RunRequest, check_network
from dataagent_core.sandbox.toolchains import NO_TOOLCHAINS, Toolchains

# What programs and shells print about a file beyond its limit.
_TOO_LARGE = (b"File too large", b"File size limit exceeded")


class BwrapSandbox:
    """Runs commands that see one workspace and a read-only base, and nothing else of the host."""

    def __init__(
        self,
        base: SandboxBase,
        network: Network,
        egress: EgressPolicy,
        quota: WorkspaceQuota | None = None,
    ) -> None:
        self._base = base
        self._quota = quota
        self._network: Network = network
        self._egress = egress
        self._running: set[BwrapRun] = set()
        self._closed = False
        # How a look is run, the best way first; one that does not work here is not tried again.
        self._look_ways: list[LookWay] = [
            *(("memory", "disk") if base.bwrap.has_overlay else ()),
            "read-only",
        ]
        self.id = f"bwrap-{uuid4().hex[:12]}"

    @classmethod
    async def open(
        cls,
        workspace: Path,
        *,
        place: WorkspaceLocation = SERVER_LOCATION,
        limits: CommandLimits | None = None,
        network: Network = "none",
        egress: EgressPolicy | None = None,
        scratch: Path | None = None,
        extra_binds: Sequence[BindMount] = (),
        protected: Sequence[str] = PROTECTED_NAMES,
        closed: Sequence[str] = (),
        run_as: int | None = None,
        git_identity: GitIdentity = NO_GIT_IDENTITY,
        toolchains: Toolchains = NO_TOOLCHAINS,
        find_masks: FindMasks = find_no_masks,
        covered: Sequence[PathMask] = (),
        shown: Sequence[ShownFolder] = (),
        quota: WorkspaceQuota | None = None,
    ) -> Self:
        """Open a workspace, which commands find at `place`.

        `closed` are paths from its root that commands do not find, `covered` paths of
        `extra_binds` that they cannot open; `run_as` is the user commands run as when we are root.
        """
        options = SandboxOptions(
            limits=limits or CommandLimits(),
            place=place,
            scratch=scratch,
            extra_binds=tuple(extra_binds),
            protected=tuple(protected),
            closed=tuple(closed),
            run_as=run_as,
            git_identity=git_identity,
            toolchains=toolchains,
            find_masks=find_masks,
            covered=tuple(covered),
            shown=tuple(shown),
        )
        base = await asyncio.to_thread(open_sandbox_base, workspace, options)
        return cls(base, network, egress or EgressPolicy(), quota)

    async def run(self, command: Command, **options: Unpack[RunOptions]) -> CommandResult:
        """Run a command to its end, its time-out or a limit."""
        request = RunRequest(command, **options)
        run = await self._begin(request, None)
        try:
            return await run.supervise(request.timeout_s)
        finally:
            await self._end(run)

    async def look(
        self, command: Command, *, timeout_s: float, env: Mapping[str, str]
    ) -> LookResult:
        """Run a command that can change nothing, and say what it tried to write."""
        request = RunRequest(command, timeout_s=timeout_s, env=env, network="none")
        *overlays, last = self._look_ways
        for way in overlays:
            try:
                return await self._run_look(replace(request, looks=way))
            except SandboxUnavailableError:
                # Not every file system can hold the layer of an overlay.
                if way in self._look_ways:
                    self._look_ways.remove(way)
        return await self._run_look(replace(request, looks=last))

    async def _run_look(self, request: RunRequest) -> LookResult:
        run = await self._begin(request, None)
        try:
            done = await run.supervise(request.timeout_s)
            refused = _find_refused_writes(done, request.looks)
            return LookResult(done, refused or await run.list_writes())
        finally:
            await self._end(run)

    async def start(
        self,
        command: Sequence[str],
        *,
        env: Mapping[str, str] | None = None,
        network: Network | None = None,
        cwd: str = "/",
        line_bytes_max: int = SANDBOX_LINE_BYTES_MAX,
    ) -> BwrapProcess:
        """Start a program that is used through its standard input and output."""
        request = RunRequest(command, cwd=cwd, env=env or {}, network=network)
        process = BwrapProcess(self._end, line_bytes_max)
        await process.begin(
            lambda on_output, stdin: self._begin(replace(request, on_output=on_output), stdin)
        )
        return process

    async def aclose(self) -> None:
        """End every command and remove what the sandbox keeps on disk."""
        if self._closed:
            return
        self._closed = True
        await asyncio.gather(*(self._end(run) for run in list(self._running)))
        await asyncio.to_thread(close_sandbox_base, self._base)

    async def _begin(self, request: RunRequest, stdin: int | None) -> BwrapRun:
        request = replace(request, network=check_network(request.network, self._network))
        if self._closed:
            raise ConflictError("This sandbox is closed. Open another one for the workspace.")
        limits = self._base.options.limits
        if request.looks is not None:
            # The kernel copies a file as a whole into the layer before it can be written.
            limits = replace(limits, disk_growth_bytes=LOOK_BYTES_MAX, file_bytes=LOOK_BYTES_MAX)
        elif self._quota is not None:
            limits = narrow_limits(limits, await self._quota.read_usage())
        if stdin is not None:
            # Its output has no total limit; its lines are bounded where they are read.
            limits = replace(
                limits,
                output_kept_bytes=SANDBOX_LAST_WORDS_BYTES,
                output_total_bytes=sys.maxsize,
            )
        options = replace(self._base.options, limits=limits)
        run = BwrapRun(
            replace(self._base, options=options), OutputCapture(limits, request.on_output)
        )
        self._running.add(run)
        try:
            await run.begin(request, self._egress, stdin)
        except BaseException:
            self._running.discard(run)
            raise
        return run

    async def _end(self, run: BwrapRun) -> None:
        self._running.discard(run)
        await run.close()
        if self._quota is not None and not run.looks:
            await run_to_completion(self._quota.recount())


def _find_refused_writes(done: CommandResult, looks: LookWay | None) -> tuple[str, ...]:
    """Find in a program's output that it tried to write, where nothing else shows it."""
    if looks != "read-only":
        too_large = any(words in done.stderr.data for words in _TOO_LARGE)
        return ("a file too large for a look",) if too_large else ()
    output = done.stdout.data + done.stderr.data
    return ("a file of a read-only workspace",) if b"Read-only file system" in output else ()
