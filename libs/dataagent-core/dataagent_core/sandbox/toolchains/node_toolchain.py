"""The Node of a project: nvm's, or the one on the person's PATH."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

from dataagent_core.sandbox.toolchains.toolchain import Toolchain, ToolchainProject
from dataagent_core.sandbox.toolchains.toolchain_versions import (
    find_installed_version,
    read_named_version,
)

_VERSION_FILES = (".nvmrc", ".node-version")


def find_node(project: ToolchainProject) -> Iterator[Toolchain]:
    """Give the Node that the project asks for."""
    named = [read_named_version(project.folder / name) for name in _VERSION_FILES]
    if not project.has("package.json", *_VERSION_FILES):
        return
    version = next((one for one in named if one), None)
    nvm = Path(project.environ.get("NVM_DIR") or project.home / ".nvm")
    found = shutil.which("node", path=project.environ.get("PATH"))
    prefix = (
        find_installed_version(nvm / "versions" / "node", version)
        if version or found is None
        else None
    )
    if prefix is None and found is not None:
        prefix = Path(os.path.realpath(found)).parent.parent
    if prefix is not None and (prefix / "lib" / "node_modules" / "npm").is_dir():
        yield Toolchain(folders=(prefix,), path=(str(prefix / "bin"),))
