"""What an agent sees of the file system: its workspace as `/`, and a few folders beside it."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from dataagent_core.engine import deep
from dataagent_core.memory import MEMORY_PATH
from dataagent_core.sandbox.files_backend import SandboxedFilesystemBackend
from dataagent_core.sandbox.metered_root import MeteredRoot
from dataagent_core.sandbox.quota import WorkspaceQuota
from dataagent_core.sandbox.root import Root
from dataagent_core.sandbox.safe_open import SafeRoot
from dataagent_core.sandbox.safe_paths import parts_of
from dataagent_core.tools.files import Mount, Mounts
from dataagent_core.tools.workspace_history.watch import CallWatch

_NOTES = "/memories/"
_BESIDE: Final = (_NOTES, deep.ASSISTANT_SKILLS, deep.PROJECT_SKILLS, deep.ARTIFACTS)


def is_beside(path: str) -> bool:
    """Say whether a path of an agent is in none of its workspace's folders but beside them."""
    parts = parts_of(path)
    return any(parts[: len(prefix)] == prefix for prefix in map(parts_of, _BESIDE))


@dataclass(frozen=True, slots=True)
class Places:
    """The folders, for our own tools and for deepagents' middleware."""

    workspace: SafeRoot
    beside: dict[str, Mount]
    artifacts: Path
    # The agent's files, where they are on a machine elsewhere and not in the workspace.
    remote: Root | None = None

    @property
    def files(self) -> Root:
        """Give what the agent sees as `/`."""
        return self.remote or self.workspace

    def mounts(self) -> Mounts:
        """Show the folders to our own tools."""
        return Mounts(self.files, self.beside)

    def watch(self, shadows: Path) -> CallWatch | None:
        """Watch what calls change, to take it back; not on a machine elsewhere."""
        return CallWatch(self.workspace, shadows) if self.remote is None else None

    def backend(self) -> deep.CompositeBackend:
        """Show the same folders to deepagents."""
        return deep.composite_backend(
            SandboxedFilesystemBackend(self.files),
            {
                prefix: SandboxedFilesystemBackend(mount.root)
                for prefix, mount in self.beside.items()
                if prefix != _NOTES  # only our own tools know which names in it may be seen
            },
        )


def metered_root(
    workspace: Path, quota: WorkspaceQuota | None, owner: int | None
) -> SafeRoot | None:
    """Open a server's workspace, whose writes are counted; `None` where nobody counts."""
    return None if quota is None else MeteredRoot(workspace, quota, owner)


def open_places(
    workspace: Path,
    home: Path,
    agent_dir: Path,
    project_skills: Path | None,
    *,
    root: SafeRoot | None = None,
    remote: Root | None = None,
) -> Places:
    """Open the folders of an agent. Of its own directory it sees its notes and skills only."""
    artifacts = agent_dir / "artifacts"
    skills = agent_dir / "skills"
    for folder in (artifacts, skills):
        folder.mkdir(parents=True, exist_ok=True)
    notes = frozenset({Path(MEMORY_PATH).name})
    beside = {
        _NOTES: Mount(root=SafeRoot(agent_dir, links="refuse"), writable=True, names=notes),
        deep.ASSISTANT_SKILLS: Mount(root=SafeRoot(skills, links="refuse")),
        deep.ARTIFACTS: Mount(root=SafeRoot(artifacts, links="refuse")),
    }
    if project_skills is not None:
        links = "beneath" if root is None else "refuse"
        beside[deep.PROJECT_SKILLS] = Mount(root=SafeRoot(project_skills, links=links))
    if root is not None:
        return Places(root, beside, artifacts, remote)
    # One person's project is full of links; those that stay inside it are followed. A workspace
    # that holds our own home must not be a way into it.
    own = SafeRoot(workspace, links="beneath", closed=[home])
    return Places(own, beside, artifacts, remote)
