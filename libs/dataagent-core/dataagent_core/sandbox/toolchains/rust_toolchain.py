"""The Rust of a project: rustup's toolchains, and the crates that are already on this computer."""

from collections.abc import Iterator
from pathlib import Path

from dataagent_core.sandbox.toolchains.toolchain import Toolchain, ToolchainProject

# Of cargo's own folder only what holds no credentials and no configuration.
_SHOWN = ("bin", "registry", "git")


def find_rust(project: ToolchainProject) -> Iterator[Toolchain]:
    """Give cargo and rustup, if the project is written in Rust."""
    if not project.has("Cargo.toml"):
        return
    cargo = Path(project.environ.get("CARGO_HOME") or project.home / ".cargo")
    rustup = Path(project.environ.get("RUSTUP_HOME") or project.home / ".rustup")
    if not (cargo / "bin" / "cargo").exists():
        return
    shown = [cargo / name for name in _SHOWN]
    folders = tuple(folder for folder in (*shown, rustup / "toolchains") if folder.is_dir())
    files = tuple(file for file in (rustup / "settings.toml",) if file.is_file())
    env = {"CARGO_HOME": str(cargo), "RUSTUP_HOME": str(rustup)}
    yield Toolchain((*folders, *files), (str(cargo / "bin"),), env)
