"""The Go of a project, and the modules that are already on this computer."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

from dataagent_core.sandbox.toolchains.toolchain import Toolchain, ToolchainProject


def find_go(project: ToolchainProject) -> Iterator[Toolchain]:
    """Give the Go on the person's PATH, if the project is written in it."""
    found = shutil.which("go", path=project.environ.get("PATH"))
    if found is None or not project.has("go.mod", "go.work"):
        return
    prefix = Path(os.path.realpath(found)).parent.parent
    if not (prefix / "src" / "runtime").is_dir():
        return
    # One that is missing a newer Go would be fetched.
    env = {"GOTOOLCHAIN": "local"}
    downloaded = _modules(project) / "cache" / "download"
    if not downloaded.is_dir():
        yield Toolchain((prefix,), (str(prefix / "bin"),), env)
        return
    # What was downloaded has the form of a module proxy, so nothing need be written beside it.
    proxies = f"file://{downloaded},https://proxy.golang.org"
    yield Toolchain((prefix, downloaded), (str(prefix / "bin"),), {**env, "GOPROXY": proxies})


def _modules(project: ToolchainProject) -> Path:
    environ = project.environ
    if named := environ.get("GOMODCACHE"):
        return Path(named)
    return Path(environ.get("GOPATH") or project.home / "go") / "pkg" / "mod"
