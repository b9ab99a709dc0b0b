"""Finds the host files a program needs to start: its links, its interpreter, their prefixes.

A program in `<prefix>/bin` comes with `<prefix>` (a venv, a Node, a Java); a venv with the Python
it was made from; a script with what its first line names; a file below `node_modules` with all of
that folder. A prefix that would show too much (a home, `~/.local`) shows the file alone. What the
sandbox's base shows anyway is left out.

Whose program may be traced is not decided here: its links lead wherever its author wants
(`command.py`).
"""

import os
import shutil
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from dataagent_core.config.limits.mcp import MCP_PROGRAM_LINKS_MAX

_BASE = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
_PROGRAM_FOLDERS = frozenset({"bin", "sbin", "shims"})
# Programs that start another one beside themselves.
_BESIDE = {"uvx": ("uv",), "uv": ("uvx",), "bunx": ("bun",)}
_FIRST_LINE_BYTES_MAX = 512
_SCRIPTS = frozenset({".py", ".pyz", ".js", ".mjs", ".cjs", ".ts", ".jar", ".rb", ".sh"})
_PROJECT_MARKS = ("pyproject.toml", "package.json", "deno.json", "Gemfile", "pom.xml")
_SMALL_DEPTH = 2


@dataclass(slots=True)
class ProgramFiles:
    """Paths of the host to mount at the same place, and folders for the PATH inside."""

    # From the path inside to the resolved path.
    shown: dict[str, str] = field(default_factory=dict[str, str])
    path: list[str] = field(default_factory=list[str])


class ProgramFileTracer:
    """Collects everything a program needs."""

    def __init__(self, environ: Mapping[str, str], kept_away: Iterable[Path]) -> None:
        self._path = environ.get("PATH", os.defpath)
        home = Path(environ.get("HOME", "/root"))
        away = [home / ".local" / "share", home / ".config", *kept_away]
        self._too_broad = {str(above) for path in away for above in (path, *path.parents)}
        self._seen: set[str] = set()
        self.needed = ProgramFiles()

    def program(self, path: str) -> None:
        """Add a program with all it needs."""
        while path not in self._seen and len(self._seen) < MCP_PROGRAM_LINKS_MAX:
            self._seen.add(path)
            self._add_file(path)
            folder = str(Path(path).parent)
            if folder not in self.needed.path:
                self.needed.path.append(folder)
            for name in _BESIDE.get(Path(path).name, ()):
                beside = Path(path).with_name(name)
                if beside.exists():
                    self.program(str(beside))
            if not Path(path).is_symlink():
                break
            path = os.path.normpath(Path(path).parent / Path(path).readlink())
        interpreter = self._find_interpreter(path)
        if interpreter is not None:
            self.program(interpreter)

    def _add_file(self, path: str) -> None:
        prefix = _prefix_of(path)
        if prefix is None or self.is_too_broad(prefix):
            self._show(path)
            return
        self._show(prefix)
        base = _base_of_venv(Path(prefix))
        if base is not None:
            self.program(base)

    def _show(self, path: str) -> None:
        for shown in (path, os.path.realpath(path)):
            if not is_beneath(shown, _BASE):
                self.needed.shown[shown] = os.path.realpath(path)

    def is_too_broad(self, prefix: str) -> bool:
        """Return whether a folder holds far more than a program's own files."""
        return prefix in self._too_broad or len(Path(prefix).parts) <= _SMALL_DEPTH

    def _find_interpreter(self, path: str) -> str | None:
        words = _read_shebang(path)
        if not words:
            return None
        if Path(words[0]).name != "env":
            return words[0] if Path(words[0]).is_absolute() else None
        called = [word for word in words[1:] if not word.startswith("-") and "=" not in word]
        return shutil.which(called[0], path=self._path) if called else None


def is_beneath(path: str, roots: Iterable[str]) -> bool:
    """Return whether a path is one of the roots or lies in one."""
    return any(path == root or path.startswith(f"{root.rstrip('/')}/") for root in roots)


def _prefix_of(path: str) -> str | None:
    parts = Path(path).parts
    if "node_modules" in parts:
        return str(Path(*parts[: parts.index("node_modules") + 1]))
    folder = Path(path).parent
    return str(folder.parent) if folder.name in _PROGRAM_FOLDERS else None


def script_folders(argument: str) -> list[str]:
    """Return the paths to mount for a script among the arguments: its project, or the file.

    The caller decides which one the policy allows.
    """
    path = Path(os.path.normpath(argument))
    if not path.is_absolute() or path.suffix not in _SCRIPTS or not path.is_file():
        return []
    project = next((above for above in path.parents if _is_project(above)), path.parent)
    return [str(project), str(path)]


def _is_project(folder: Path) -> bool:
    return any((folder / mark).is_file() for mark in _PROJECT_MARKS)


def _base_of_venv(prefix: Path) -> str | None:
    try:
        lines = (prefix / "pyvenv.cfg").read_text("utf-8", "replace").splitlines()
    except OSError:
        return None
    for line in lines:
        key, _, value = line.partition("=")
        if key.strip() == "home":
            python = Path(value.strip(), "python3")
            return str(python) if python.exists() else None
    return None


def _read_shebang(path: str) -> Sequence[str]:
    try:
        with Path(path).open("rb") as file:
            head = file.read(_FIRST_LINE_BYTES_MAX)
    except OSError:
        return ()
    if not head.startswith(b"#!"):
        return ()
    return os.fsdecode(head[2:].split(b"\n", 1)[0]).split()
