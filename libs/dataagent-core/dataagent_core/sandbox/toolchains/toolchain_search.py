"""All languages of one project. It blocks: it looks at folders and starts nothing."""

import os
from collections.abc import Iterable, Mapping
from itertools import chain
from pathlib import Path

from dataagent_core.sandbox.bubblewrap.system_binds import BASE_ROOTS
from dataagent_core.sandbox.toolchains.credential_files import find_credentials
from dataagent_core.sandbox.toolchains.go_toolchain import find_go
from dataagent_core.sandbox.toolchains.node_toolchain import find_node
from dataagent_core.sandbox.toolchains.python_toolchain import find_python
from dataagent_core.sandbox.toolchains.rust_toolchain import find_rust
from dataagent_core.sandbox.toolchains.toolchain import (
    Toolchain,
    ToolchainProject,
    Toolchains,
    join_toolchains,
)

_LANGUAGES = (find_python, find_node, find_go, find_rust)
_SMALL_DEPTH = 2


def find_toolchains(
    workspace: Path, environ: Mapping[str, str], kept_away: Iterable[Path]
) -> Toolchains:
    """Find what the project in a folder needs; nothing that holds one of `kept_away`."""
    home = Path(environ.get("HOME") or Path.home())
    project = ToolchainProject(workspace, home, environ)
    closed = [home, workspace, *kept_away]
    found = chain.from_iterable(find(project) for find in _LANGUAGES)
    chains = [_narrowed(one, workspace) for one in found if not _is_too_broad(one, closed)]
    return join_toolchains(
        chains, find_credentials(chain.from_iterable(one.folders for one in chains))
    )


def _is_too_broad(found: Toolchain, closed: list[Path]) -> bool:
    """Say whether a folder would show far more than a language."""
    reals = [Path(os.path.realpath(path)) for path in closed]
    return any(
        len(folder.parts) <= _SMALL_DEPTH
        or any(kept.is_relative_to(folder) for kept in (*closed, *reals))
        for named in found.folders
        for folder in (named, Path(os.path.realpath(named)))
        if not _is_base(folder)
    )


def _narrowed(found: Toolchain, workspace: Path) -> Toolchain:
    """Leave out what the sandbox shows anyway: of the base, and of the workspace."""
    folders = [
        folder
        for folder in found.folders
        if not _is_base(folder) and not folder.is_relative_to(workspace)
    ]
    return Toolchain(tuple(folders), found.path, found.env)


def _is_base(folder: Path) -> bool:
    return any(folder.is_relative_to(root) for root in BASE_ROOTS)
