"""The folders an agent sees: its workspace as `/`, and a few folders beside it.

The workspace is that of a user, or a directory the caller named.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from dataagent_core.config import Settings
from dataagent_core.config.paths import SKILL_MOUNTS
from dataagent_core.engine.assembly.skill_folders import is_there
from dataagent_core.engine.config import AgentConfig
from dataagent_core.engine.graph import deep
from dataagent_core.errors import DirectoryError
from dataagent_core.memory import MEMORY_PATH
from dataagent_core.sandbox.bubblewrap.shown_folders import ShownFolder
from dataagent_core.sandbox.files.root import Root
from dataagent_core.sandbox.files.root_backend import RootBackend
from dataagent_core.sandbox.files.safe_root import SafeRoot
from dataagent_core.sandbox.files_backend import SandboxedFilesystemBackend
from dataagent_core.sandbox.paths.path_masks import FindDenials
from dataagent_core.sandbox.paths.tool_paths import split_path
from dataagent_core.sandbox.workspaces import UserWorkspaceManager
from dataagent_core.skills import SkillScope
from dataagent_core.tools.files import Mount

_NOTES = "/memories/"
_BESIDE: Final = (_NOTES, *SKILL_MOUNTS, deep.ARTIFACTS)


def is_beside_workspace(path: str) -> bool:
    """Return whether a path is in one of the folders beside the workspace."""
    parts = split_path(path)
    return any(parts[: len(prefix)] == prefix for prefix in map(split_path, _BESIDE))


@dataclass(frozen=True, slots=True)
class AgentFolders:
    """The folders, for our own tools and for deepagents' middleware."""

    workspace: SafeRoot
    # The workspace without the files that rules deny.
    readable: SafeRoot
    beside: dict[str, Mount]
    artifacts: Path
    # The agent's files, if they are on a vendor's machine and not in the workspace.
    remote: Root | None = None
    # The backend of a user's workspace; None if it is a directory the caller named.
    own: SandboxedFilesystemBackend | None = None

    @property
    def files(self) -> Root:
        """What the agent sees as `/`."""
        return self.remote or self.readable

    def backend(self) -> deep.CompositeBackend:
        """Return the same folders as a backend for deepagents."""
        own = self.own if self.remote is None else None
        return deep.CompositeBackend(
            default=own or RootBackend(self.files),
            routes={
                prefix: RootBackend(mount.root)
                for prefix, mount in self.beside.items()
                if prefix != _NOTES  # only our own tools check which names in it may be seen
            },
            artifacts_root=deep.ARTIFACTS.rstrip("/"),
        )


def open_agent_folders(
    workspace: Path,
    closed: Sequence[Path],
    agent_dir: Path,
    skills: Mapping[SkillScope, ShownFolder],
    *,
    own: SandboxedFilesystemBackend | None = None,
    remote: Root | None = None,
    make_finder: Callable[[str], FindDenials],
) -> AgentFolders:
    """Open the folders of an agent; of its own directory it sees only notes.

    A folder of skills that does not exist is left out. `make_finder` says what rules deny to read
    in the folder at a path.
    """
    artifacts = agent_dir / "artifacts"
    artifacts.mkdir(parents=True, exist_ok=True)
    notes = frozenset({Path(MEMORY_PATH).name})
    beside = {
        _NOTES: Mount(root=SafeRoot(agent_dir, links="refuse"), writable=True, names=notes),
        deep.ARTIFACTS: Mount(root=SafeRoot(artifacts, links="refuse")),
    }
    for scope, folder in skills.items():
        if is_there(folder):
            is_of_person = scope is SkillScope.PROJECT and own is None
            opened = SafeRoot(folder.source, links="beneath" if is_of_person else "refuse")
            beside[f"{folder.dest}/"] = Mount(root=opened.with_rules(make_finder(folder.dest)))
    # A project is full of links; those that stay inside it are followed. A workspace that contains
    # DataAgent's home must not give access to it.
    root = own.root if own is not None else SafeRoot(workspace, links="beneath", closed=closed)
    return AgentFolders(root, root.with_rules(make_finder("/")), beside, artifacts, remote, own)


def open_workspace(
    config: AgentConfig, settings: Settings
) -> tuple[Path, SandboxedFilesystemBackend | None]:
    """Find the directory an agent works in, and open it if it is the workspace of its user.

    An agent without a user has a workspace named after its assistant.
    """
    manager, path = config.workspace_manager, config.workspace_path
    if manager is None and path is not None:
        if not path.is_dir():
            raise DirectoryError(
                f"the workspace {str(path)!r} is not a directory. Make it first, or name "
                "another one."
            )
        return path.resolve(), None
    manager = manager or UserWorkspaceManager(
        config.workspace_root or settings.workspaces,
        settings.workspace_default_max_size_bytes,
        default_max_files=settings.workspace_default_max_files,
        tenant_id=config.tenant_id,
    )
    own = SandboxedFilesystemBackend(config.user_id or config.assistant_id, manager)
    return own.root.path, own
