"""The sandbox of one person's own project: with their repository, their name, their languages."""

import asyncio
import os
from dataclasses import dataclass
from pathlib import Path

from dataagent_core.permissions.rule_files.registries import allowed_registries
from dataagent_core.permissions.rule_files.trust import was_refused
from dataagent_core.sandbox.bwrap import BwrapSandbox
from dataagent_core.sandbox.bwrap_base import Bind
from dataagent_core.sandbox.closed_places import ClosedPlaces
from dataagent_core.sandbox.egress import Egress
from dataagent_core.sandbox.git_directory import git_binds, lies_in_repository
from dataagent_core.sandbox.git_identity import person_identity
from dataagent_core.sandbox.masks import FindMasks, no_masks
from dataagent_core.sandbox.toolchains import NO_TOOLCHAINS, Toolchains, find_toolchains
from dataagent_core.sandbox.workspace_place import WorkspacePlace


@dataclass(frozen=True, slots=True)
class PersonSandbox:
    """A project, the place programs find it at, and the home that holds the person's answers."""

    workspace: Path
    place: WorkspacePlace
    home: Path
    binds: tuple[Bind, ...]
    # DataAgent's own files, should they lie in the project.
    closed: ClosedPlaces
    find_masks: FindMasks = no_masks

    @property
    def registries(self) -> tuple[str, ...]:
        """Give the package registries that the person allowed here."""
        return allowed_registries(self.home, self.workspace)

    @property
    def lies_in_repository(self) -> bool:
        """Say whether the project is a part of a repository, whose other files are not shown."""
        return lies_in_repository(self.workspace)

    async def open(self) -> BwrapSandbox:
        """Open it; what the project needs is looked for now."""
        registries = await asyncio.to_thread(lambda: self.registries)
        return await BwrapSandbox.open(
            self.workspace,
            place=self.place,
            scratch=self.home,
            closed=["/".join(names) for names in self.closed.names],
            extra_binds=(*self.binds, *await asyncio.to_thread(git_binds, self.workspace)),
            git_identity=await asyncio.to_thread(person_identity, self.workspace),
            find_masks=self.find_masks,
            toolchains=await asyncio.to_thread(self._toolchains),
            network="hosts" if registries else "none",
            egress=Egress(hosts=registries),
        )

    def _toolchains(self) -> Toolchains:
        if was_refused(self.home, self.workspace):
            return NO_TOOLCHAINS
        return find_toolchains(self.workspace, os.environ, [self.home])
