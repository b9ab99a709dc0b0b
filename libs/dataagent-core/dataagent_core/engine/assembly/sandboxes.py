"""Makes the sandbox of an agent: where its programs run and its files are.

    unsafe_host_shell   commands on this host, for one person who asked for it
    sandbox "local"     commands in a bubblewrap sandbox that holds the workspace: at its real path
                        for one person, at /workspace on a server
    sandbox of a vendor commands and files on a machine of that vendor, started at its first use

An agent's own `sandbox_type` counts, else that of the settings, else it is local. The caller closes
what is in `closing`.
"""

import asyncio
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from threading import Lock
from weakref import WeakValueDictionary

from dataagent_core.config import Settings
from dataagent_core.config.paths import own_paths
from dataagent_core.config.sandbox_types import LOCAL
from dataagent_core.engine.assembly.agent_resources import Closable
from dataagent_core.engine.config import AgentConfig
from dataagent_core.errors import ConfigurationError, DirectoryError
from dataagent_core.permissions.rule_files.registries import allowed_registries
from dataagent_core.permissions.rule_files.trust import was_refused
from dataagent_core.sandbox.bubblewrap.bwrap_sandbox import BwrapSandbox
from dataagent_core.sandbox.bubblewrap.checked_sandbox import CheckedSandbox
from dataagent_core.sandbox.bubblewrap.self_test import SandboxHealth
from dataagent_core.sandbox.bubblewrap.shown_folders import ShownFolder
from dataagent_core.sandbox.files.metered_root import MeteredRoot
from dataagent_core.sandbox.git.git_directory import (
    find_outside_git_directory,
    lies_in_repository,
    list_git_binds,
)
from dataagent_core.sandbox.git.git_identity import read_person_identity
from dataagent_core.sandbox.host_guard.guarded_sandbox import GuardedSandbox
from dataagent_core.sandbox.host_guard.held_changes import HeldChangeStore
from dataagent_core.sandbox.host_guard.host_guard import HostGuard
from dataagent_core.sandbox.host_shell import UnsafeHostShell
from dataagent_core.sandbox.network.egress import EgressPolicy
from dataagent_core.sandbox.paths.closed_paths import ClosedPaths
from dataagent_core.sandbox.paths.path_masks import FindMasks, find_no_masks
from dataagent_core.sandbox.paths.workspace_location import (
    ROOT_LOCATION,
    SERVER_LOCATION,
    WorkspaceLocation,
    locate_terminal_workspace,
)
from dataagent_core.sandbox.port import Sandbox
from dataagent_core.sandbox.remote.providers import (
    PROVIDERS,
    Provider,
    explain_installation,
    open_machine,
)
from dataagent_core.sandbox.remote.remote_machine import MachineHandle, RemoteMachine
from dataagent_core.sandbox.remote.remote_root import RemoteRoot
from dataagent_core.sandbox.remote.remote_sandbox import RemoteSandbox
from dataagent_core.sandbox.toolchains import NO_TOOLCHAINS, Toolchains, find_toolchains
from dataagent_core.skills.offer import SkillPlace
from dataagent_core.tools.code.code_session import CodeSession
from dataagent_core.tools.code.python_runtime import find_own_runtime

# Starts a machine of a vendor, or connects to the one with an id. Blocks.
OpenMachine = Callable[[Provider, str | None], MachineHandle]


@dataclass(frozen=True, slots=True, kw_only=True)
class SandboxPair:
    """The sandboxes for an agent's commands and Python; without `shell` it runs no commands."""

    shell: Sandbox | None = None
    code: CodeSession | None = None
    # Set if the files are not in the workspace on this host.
    files: RemoteRoot | None = None
    # The path of the workspace for commands.
    place: WorkspaceLocation = ROOT_LOCATION
    # Where commands find the files of skills.
    skill_place: SkillPlace = "none"
    # The package registries commands may reach; without any they have no network.
    registries: tuple[str, ...] = ()
    # The workspace is a part of a repository, whose other files commands do not see.
    lies_in_repository: bool = False
    closing: tuple[Closable, ...] = ()


@dataclass(frozen=True, slots=True)
class Sandboxes:
    """Makes the sandboxes of agents that share settings."""

    settings: Settings
    # Only at the request of a user at their own machine.
    unsafe_host_shell: bool = False
    open_machine: OpenMachine | None = None
    health: SandboxHealth = field(default_factory=SandboxHealth)
    _guards: WeakValueDictionary[Path, HostGuard] = field(
        default_factory=WeakValueDictionary[Path, HostGuard]
    )
    _guards_lock: Lock = field(default_factory=Lock)

    def resolve(self, config: AgentConfig) -> AgentConfig:
        """Choose the sandbox; the result names a vendor, or None for this host.

        An unavailable sandbox is refused here, before anything is made.
        """
        kind = config.sandbox_type or self.settings.sandbox_type
        if kind is None:
            return config
        provider = _provider(kind)
        if self.unsafe_host_shell:
            raise ConfigurationError(
                f"sandbox {kind!r} and the host's own shell exclude each other. Ask for one."
            )
        if provider and self.open_machine is None and (missing := explain_installation(provider)):
            raise ConfigurationError(missing)
        return replace(config, sandbox_type=provider)

    def make_pair(
        self,
        config: AgentConfig,
        workspace: Path,
        metered: MeteredRoot | None = None,
        *,
        find_masks: FindMasks = find_no_masks,
        shown: Sequence[ShownFolder] = (),
    ) -> SandboxPair:
        """Make the sandboxes of a resolved configuration; nothing is started yet.

        `metered` is a workspace with a quota, which also counts what commands write. Commands
        cannot open what `find_masks` finds, and may read the folders in `shown`.
        """
        if config.sandbox_type and (provider := _provider(config.sandbox_type)):
            return self._remote(provider, config)
        workspace = workspace.resolve()
        closed = ClosedPaths.beneath(workspace, own_paths(self.settings))
        if metered is None and () in closed.names:
            raise DirectoryError(
                f"The workspace cannot be {str(workspace)!r}: DataAgent keeps its own settings, "
                "keys and history there. Start in the folder of a project."
            )
        place = SERVER_LOCATION if metered is not None else locate_terminal_workspace(workspace)
        if not config.enable_shell:
            return SandboxPair(place=place)
        if self.unsafe_host_shell:
            shell = UnsafeHostShell(workspace)
            return SandboxPair(
                shell=shell,
                place=WorkspaceLocation(str(workspace)),
                skill_place="host",
                closing=(shell,),
            )
        # Most runs never start a program: what a sandbox needs is found when the first one does.
        find_guard = partial(self._find_guard, workspace, place, closed, is_person=metered is None)
        if metered is None:
            opening = partial(
                self._open_project, workspace, place, closed, find_masks, find_guard, shown=shown
            )
        else:
            opening = partial(
                self._open_metered, metered, place, find_masks, find_guard, shown=shown
            )
        sandbox = CheckedSandbox(config.assistant_id, self.health, opening)
        after = metered.quota.recount if metered is not None else None
        code = CodeSession(sandbox, find_guard=find_guard, after=after)
        return SandboxPair(
            shell=sandbox,
            code=code,
            place=place,
            skill_place="mounted",
            registries=allowed_registries(self.settings.home, workspace) if metered is None else (),
            lies_in_repository=metered is None and lies_in_repository(workspace),
            closing=(code, sandbox),
        )

    def _find_guard(
        self, workspace: Path, place: WorkspaceLocation, closed: ClosedPaths, *, is_person: bool
    ) -> HostGuard:
        """Return the guard of a workspace: one for all agents that work in it at the same time.

        It blocks.
        """
        with self._guards_lock:
            guard = self._guards.get(workspace)
            if guard is None:
                held = HeldChangeStore(self.settings.home, workspace)
                # A server's workspaces are no part of a repository above them.
                outside = find_outside_git_directory(workspace) if is_person else None
                guard = HostGuard(workspace, place, held, closed, outside)
                self._guards[workspace] = guard
            return guard

    async def _open_metered(
        self,
        metered: MeteredRoot,
        place: WorkspaceLocation,
        find_masks: FindMasks,
        find_guard: Callable[[], HostGuard],
        *,
        shown: Sequence[ShownFolder],
    ) -> GuardedSandbox:
        """Open the sandbox of a user's workspace on a server."""
        runtime = await asyncio.to_thread(find_own_runtime)
        # Before the sandbox: what was opened and is cancelled then, nobody would close.
        guard = await asyncio.to_thread(find_guard)
        sandbox = await BwrapSandbox.open(
            metered.path,
            place=place,
            scratch=self.settings.home,
            extra_binds=runtime.binds,
            find_masks=find_masks,
            run_as=metered.owner,
            quota=metered.quota,
            shown=shown,
        )
        return GuardedSandbox(sandbox, guard)

    async def _open_project(
        self,
        workspace: Path,
        place: WorkspaceLocation,
        closed: ClosedPaths,
        find_masks: FindMasks,
        find_guard: Callable[[], HostGuard],
        *,
        shown: Sequence[ShownFolder],
    ) -> GuardedSandbox:
        """Open the sandbox of a terminal's project, with its repository, identity and toolchains.

        They are looked up now.
        """
        home = self.settings.home
        registries = await asyncio.to_thread(allowed_registries, home, workspace)
        runtime = await asyncio.to_thread(find_own_runtime)
        guard = await asyncio.to_thread(find_guard)
        sandbox = await BwrapSandbox.open(
            workspace,
            place=place,
            scratch=home,
            # DataAgent's own files, should they lie in the project.
            closed=["/".join(names) for names in closed.outermost],
            extra_binds=(*runtime.binds, *await asyncio.to_thread(list_git_binds, workspace)),
            git_identity=await asyncio.to_thread(read_person_identity, workspace),
            find_masks=find_masks,
            toolchains=await asyncio.to_thread(self._toolchains, workspace),
            network="hosts" if registries else "none",
            egress=EgressPolicy(hosts=registries),
            shown=shown,
        )
        return GuardedSandbox(sandbox, guard)

    def _toolchains(self, workspace: Path) -> Toolchains:
        if was_refused(self.settings.home, workspace):
            return NO_TOOLCHAINS
        return find_toolchains(workspace, os.environ, [self.settings.home])

    def _remote(self, provider: Provider, config: AgentConfig) -> SandboxPair:
        opening = self.open_machine or open_machine
        machine = RemoteMachine(provider, lambda: opening(provider, config.sandbox_id))
        sandbox = RemoteSandbox(machine)
        return SandboxPair(
            shell=sandbox if config.enable_shell else None,
            files=RemoteRoot(machine),
            skill_place="elsewhere" if config.enable_shell else "none",
            closing=(sandbox,),
        )


def _provider(kind: str) -> Provider | None:
    """Return the vendor of a sandbox; None for this host's own."""
    if kind == LOCAL:
        return None
    for provider in PROVIDERS:
        if provider == kind:
            return provider
    raise ConfigurationError(
        f"There is no sandbox {kind!r}. Set sandbox_type to {', '.join(PROVIDERS)}, or to {LOCAL} "
        "to work on this computer."
    )
