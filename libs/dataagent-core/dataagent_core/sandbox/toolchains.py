"""Toolchains of a project's languages: found on this computer, mounted read-only in the sandbox.

A folder is mounted only if it is an installation and holds neither a home nor our own folder. Files
in it that may hold a token or a password are hidden. Finding them blocks; nothing is started.
"""

import os
import re
import shutil
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain, islice
from pathlib import Path
from typing import Final

from dataagent_core.sandbox.bubblewrap.system_binds import BASE_ROOTS

_VERSION = re.compile(r"v?(\d+(?:\.\d+)*)", re.ASCII)
_VERSION_FILE_BYTES_MAX = 200
# At the top of a folder, where their names mean this and nothing else.
_TOP_CREDENTIAL_FILES: Final = ("credentials", "config.toml", "config.json", "etc/npmrc", "npmrc")
# Wherever they lie.
_CREDENTIAL_FILES: Final = frozenset(
    {
        *("pip.conf", "pip.ini", ".npmrc", ".yarnrc", ".yarnrc.yml", ".netrc", "_netrc", ".pypirc"),
        *(".env", ".condarc", "condarc", ".git-credentials", "credentials.toml"),
    }
)
_NPM_BUILT_IN_CONFIG: Final = "lib/node_modules/npm/npmrc"
_SEARCH_DEPTH_MAX: Final = 4
_SEARCHED_ENTRIES_MAX: Final = 50_000
_SMALL_DEPTH = 2
_NODE_VERSION_FILES = (".nvmrc", ".node-version")
_PYTHON_PROJECT_FILES = ("pyproject.toml", "setup.py", "setup.cfg", "requirements.txt", "Pipfile")
_PROJECT_ENTRIES_MAX = 1_000
_PYVENV_BYTES_MAX = 10_000
# Of cargo's own folder only what holds no credentials and no configuration.
_SHOWN = ("bin", "registry", "git")


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


def find_toolchains(
    workspace: Path, environ: Mapping[str, str], kept_away: Iterable[Path]
) -> Toolchains:
    """Find what the project in a folder needs; nothing that holds one of `kept_away`."""
    home = Path(environ.get("HOME") or Path.home())
    project = ToolchainProject(workspace, home, environ)
    closed = [home, workspace, *kept_away]
    found = chain.from_iterable(find(project) for find in _LANGUAGES)
    chains = [
        _drop_visible_folders(one, workspace) for one in found if not _is_too_broad(one, closed)
    ]
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


def _drop_visible_folders(found: Toolchain, workspace: Path) -> Toolchain:
    """Leave out what the sandbox shows anyway: of the base, and of the workspace."""
    folders = [
        folder
        for folder in found.folders
        if not _is_base(folder) and not folder.is_relative_to(workspace)
    ]
    return Toolchain(tuple(folders), found.path, found.env)


def _is_base(folder: Path) -> bool:
    return any(folder.is_relative_to(root) for root in BASE_ROOTS)


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


def find_python(project: ToolchainProject) -> Iterator[Toolchain]:
    """Give each Python the project stands on."""
    for home in _list_venv_homes(project.folder):
        prefix = home.parent
        if is_python(prefix):
            yield Toolchain(folders=_resolve_both(prefix))
    chosen = _find_chosen_python(project)
    if chosen is not None and is_python(chosen):
        yield Toolchain(folders=_resolve_both(chosen), path=(str(chosen / "bin"),))


def is_python(prefix: Path) -> bool:
    """Say whether a folder is a Python installation, and nothing that merely says so."""
    has_library = any(prefix.glob("lib/python3*/os.py"))
    return has_library and any(prefix.glob("bin/python3*"))


def _list_venv_homes(folder: Path) -> Iterator[Path]:
    try:
        entries = list(islice(folder.iterdir(), _PROJECT_ENTRIES_MAX))
    except OSError:
        return
    for entry in entries:
        try:
            with (entry / "pyvenv.cfg").open("rb") as opened:
                lines = os.fsdecode(opened.read(_PYVENV_BYTES_MAX)).splitlines()
        except OSError:
            continue
        for line in lines:
            key, _, value = line.partition("=")
            if key.strip() == "home" and value.strip().startswith("/"):
                yield Path(os.path.normpath(value.strip()))


def _find_chosen_python(project: ToolchainProject) -> Path | None:
    """Find the Python that `python3` means for the person in this project."""
    named = read_named_version(project.folder / ".python-version")
    if named is None and not project.has(*_PYTHON_PROJECT_FILES):
        return None
    root = Path(project.environ.get("PYENV_ROOT") or project.home / ".pyenv")
    found = shutil.which("python3", path=project.environ.get("PATH"))
    if named is None and (found is None or Path(found).parent != root / "shims"):
        return Path(os.path.realpath(found)).parent.parent if found else None
    return find_installed_version(root / "versions", named or read_named_version(root / "version"))


def _resolve_both(prefix: Path) -> tuple[Path, ...]:
    """Name a folder as the project does, and as it really is: links lead to both."""
    return tuple(dict.fromkeys((prefix, Path(os.path.realpath(prefix)))))


def find_node(project: ToolchainProject) -> Iterator[Toolchain]:
    """Give the Node that the project asks for."""
    named = [read_named_version(project.folder / name) for name in _NODE_VERSION_FILES]
    if not project.has("package.json", *_NODE_VERSION_FILES):
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
    downloaded = _find_go_modules(project) / "cache" / "download"
    if not downloaded.is_dir():
        yield Toolchain((prefix,), (str(prefix / "bin"),), env)
        return
    # What was downloaded has the form of a module proxy, so nothing need be written beside it.
    proxies = f"file://{downloaded},https://proxy.golang.org"
    yield Toolchain((prefix, downloaded), (str(prefix / "bin"),), {**env, "GOPROXY": proxies})


def _find_go_modules(project: ToolchainProject) -> Path:
    environ = project.environ
    if named := environ.get("GOMODCACHE"):
        return Path(named)
    return Path(environ.get("GOPATH") or project.home / "go") / "pkg" / "mod"


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


_LANGUAGES = (find_python, find_node, find_go, find_rust)


def read_named_version(file: Path) -> str | None:
    """Read the version a file begins with; None for aliases (`lts/*`) and anything else."""
    try:
        with file.open("rb") as opened:
            text = opened.read(_VERSION_FILE_BYTES_MAX).decode("utf-8", "replace")
    except OSError:
        return None
    words = text.split()
    match = _VERSION.fullmatch(words[0]) if words else None
    return match.group(1) if match else None


def find_installed_version(versions: Path, wanted: str | None) -> Path | None:
    """Give the newest folder of a version in a folder of versions; of any, where none is named."""
    try:
        names = [entry.name for entry in versions.iterdir() if entry.is_dir()]
    except OSError:
        return None
    fitting = [(numbers, name) for name in names if (numbers := _parse_version(name, wanted))]
    return versions / max(fitting)[1] if fitting else None


def _parse_version(name: str, wanted: str | None) -> tuple[int, ...]:
    match = _VERSION.fullmatch(name)
    if match is None:
        return ()
    version = match.group(1)
    fits = wanted is None or version == wanted or version.startswith(f"{wanted}.")
    return tuple(map(int, version.split("."))) if fits else ()


def find_credentials(folders: Iterable[Path]) -> Iterator[Path]:
    """List what is there of them. It blocks."""
    for folder in folders:
        named = (folder / name for name in (*_TOP_CREDENTIAL_FILES, _NPM_BUILT_IN_CONFIG))
        found = (*(path for path in named if path.is_file()), *_find_credentials_below(folder))
        yield from dict.fromkeys(real for path in found if (real := _resolve_inside(path, folder)))


def _resolve_inside(path: Path, folder: Path) -> Path | None:
    """Give the file itself, for a link cannot be covered; None if it is not in the folder."""
    inside = os.path.relpath(os.path.realpath(path), os.path.realpath(folder))
    return None if inside.startswith("..") else folder / inside


def _find_credentials_below(folder: Path) -> Iterator[Path]:
    """Find them by name, not too far down: further are the files of packages."""
    waiting, left = [(str(folder), 0)], _SEARCHED_ENTRIES_MAX
    while waiting and left > 0:
        path, deep = waiting.pop(0)
        try:
            with os.scandir(path) as entries:
                found = list(entries)
        except OSError:
            continue  # a file, or nothing that this person reads
        left -= len(found)
        for entry in found:
            if entry.name in _CREDENTIAL_FILES and entry.is_file():
                yield Path(entry.path)
            elif deep < _SEARCH_DEPTH_MAX and entry.is_dir(follow_symlinks=False):
                waiting.append((entry.path, deep + 1))
