"""What was found: values, put together from the languages of a project."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final


@dataclass(frozen=True, slots=True)
class Toolchain:
    """One language: folders to show where they are, folders for the PATH, and variables."""

    folders: tuple[Path, ...] = ()
    path: tuple[str, ...] = ()
    env: Mapping[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True, slots=True)
class Toolchains:
    """All languages of a project; `hidden` are files in the folders that are not shown."""

    folders: tuple[Path, ...] = ()
    path: tuple[str, ...] = ()
    env: Mapping[str, str] = field(default_factory=dict[str, str])
    hidden: tuple[Path, ...] = ()


NO_TOOLCHAINS: Final = Toolchains()


@dataclass(frozen=True, slots=True)
class ToolchainProject:
    """Where to look: the project, the person's home, and their environment."""

    folder: Path
    home: Path
    environ: Mapping[str, str]

    def has(self, *names: str) -> bool:
        """Say whether one of these files is at its top."""
        return any((self.folder / name).is_file() for name in names)


def join_toolchains(found: Iterable[Toolchain], hidden: Iterable[Path]) -> Toolchains:
    """Put the languages together, each folder once."""
    chains = list(found)
    env = {name: value for chain in chains for name, value in chain.env.items()}
    return Toolchains(
        folders=tuple(dict.fromkeys(folder for chain in chains for folder in chain.folders)),
        path=tuple(dict.fromkeys(entry for chain in chains for entry in chain.path)),
        env=env,
        hidden=tuple(hidden),
    )
