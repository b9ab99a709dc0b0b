"""What a search skips: the patterns of `.gitignore` files and three well-known folders.

A folder that the caller names is searched even if a rule skips it; the rules inside it still hold.
Only `.gitignore` files beneath the root count. `pathspec` translates the lines; it lets a pattern
for a folder match everything beneath, whereas git asks folder by folder, so the expressions are
tightened here to match git.
"""

import re
from dataclasses import dataclass

from pathspec import GitIgnoreSpec

from dataagent_core.config.limits import IGNORE_FILE_BYTES_MAX
from dataagent_core.errors import DataAgentError
from dataagent_core.sandbox.files.file_node import NodeKind
from dataagent_core.sandbox.files.root import Root
from dataagent_core.sandbox.paths.tool_paths import PathParts, format_path

_ITSELF_OR_BENEATH = "(?:(?P<ps_d>/)|$)"
_FOLDER_OR_BENEATH = "(?P<ps_d>/)"


@dataclass(frozen=True, slots=True)
class IgnoreFile:
    """The lines of a file, the last first, each with what it says: ignore, or do not."""

    lines: list[tuple[re.Pattern[str], bool]]

    def verdict(self, path: str) -> bool | None:
        """Judge a path relative to the file's folder, a folder with a slash at its end."""
        for pattern, ignore in self.lines:
            if pattern.search(path):
                return ignore
        return None


def read_ignore_file(text: str) -> IgnoreFile:
    """Read the lines; one that makes no sense is passed over, as git does."""
    lines: list[tuple[re.Pattern[str], bool]] = []
    for line in reversed(text.splitlines()):
        try:
            [pattern] = GitIgnoreSpec.from_lines([line]).patterns
        except ValueError:
            continue
        if pattern.regex is not None and pattern.include is not None:
            lines.append((_tighten(pattern.regex.pattern), pattern.include))
    return IgnoreFile(lines)


def _tighten(expression: str) -> re.Pattern[str]:
    exact = expression.replace(_ITSELF_OR_BENEATH, "/?$").replace(_FOLDER_OR_BENEATH, "/$")
    return re.compile(exact)


DEFAULT_EXCLUDES = (".git", "node_modules", "__pycache__")


class IgnoreRules:
    """The rules for one search below `base`. Each file of rules is read once."""

    def __init__(self, root: Root, base: PathParts) -> None:
        self._root = root
        self._base = base
        self._files: dict[PathParts, IgnoreFile | None] = {}
        self._hidden: dict[PathParts, bool] = {}
        # Where the rules that count begin: at the root, or at the base if that is itself ignored.
        self._top = 0
        if any(self.passes_over(base[:n], "dir") for n in range(1, len(base) + 1)):
            self._top = len(base)

    def passes_over(self, parts: PathParts, kind: NodeKind) -> bool:
        """Judge one file or folder whose own folder is not passed over."""
        if parts[-1] in DEFAULT_EXCLUDES:
            return True
        slash = "/" if kind == "dir" else ""
        for depth in range(len(parts) - 1, self._top - 1, -1):
            file = self._file(parts[:depth])
            verdict = file.verdict("/".join(parts[depth:]) + slash) if file else None
            if verdict is not None:
                return verdict
        return False

    def hides(self, parts: PathParts) -> bool:
        """Judge a file together with every folder between it and the base."""
        return self._hides_folder(parts[:-1]) or self.passes_over(parts, "file")

    def _hides_folder(self, parts: PathParts) -> bool:
        if len(parts) <= len(self._base):
            return False
        known = self._hidden.get(parts)
        if known is None:
            known = self._hides_folder(parts[:-1]) or self.passes_over(parts, "dir")
            self._hidden[parts] = known
        return known

    def _file(self, folder: PathParts) -> IgnoreFile | None:
        if folder not in self._files:
            self._files[folder] = self._read(format_path((*folder, ".gitignore")))
        return self._files[folder]

    def _read(self, path: str) -> IgnoreFile | None:
        try:
            data = self._root.read_bytes(path, IGNORE_FILE_BYTES_MAX)
        except DataAgentError:
            return None
        return read_ignore_file(data.decode("utf-8", "replace"))
