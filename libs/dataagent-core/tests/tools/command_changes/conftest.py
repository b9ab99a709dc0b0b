"""A workspace, its shadow beside it, and a watch over both."""

from pathlib import Path

import pytest

from dataagent_core.sandbox.files.safe_root import SafeRoot
from dataagent_core.tools.command_changes import CommandWatch
from dataagent_core.tools.command_changes.workspace_shadow import WorkspaceShadow


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    folder = tmp_path / "workspace"
    folder.mkdir()
    return folder


@pytest.fixture
def shadows(tmp_path: Path) -> Path:
    return tmp_path / "home" / "shadows"


@pytest.fixture
def root(workspace: Path, tmp_path: Path) -> SafeRoot:
    return SafeRoot(workspace, links="beneath", closed=[tmp_path / "home"])


@pytest.fixture
def shadow(root: SafeRoot, shadows: Path) -> WorkspaceShadow:
    return WorkspaceShadow(root, shadows)


@pytest.fixture
def watch(root: SafeRoot, shadows: Path) -> CommandWatch:
    return CommandWatch(root, shadows)
