"""What a search passes over: what `.gitignore` files name, and three folders everybody means.

A folder the caller names is searched even where a rule would pass it over; the rules inside it
still hold. Only `.gitignore` files beneath the root count: nothing outside decides what is seen.
"""

from dataagent_core.config.limits import IGNORE_FILE_BYTES_MAX
from dataagent_core.errors import DataAgentError
from dataagent_core.sandbox.root import Root
from dataagent_core.sandbox.safe_node import Kind
from dataagent_core.sandbox.safe_paths import Parts, shown_path
from dataagent_core.tools.files.search.ignore_file import IgnoreFile, read_ignore_file

DEFAULT_EXCLUDES = (".git", "node_modules", "__pycache__")


class IgnoreRules:
    """The rules for one search below `base`. Each file of rules is read once."""

    def __init__(self, root: Root, base: Parts) -> None:
        self._root = root
        self._base = base
        self._files: dict[Parts, IgnoreFile | None] = {}
        self._hidden: dict[Parts, bool] = {}
        # Where the rules that count begin: at the root, or at the base if that is itself ignored.
        self._top = 0
        if any(self.passes_over(base[:n], "dir") for n in range(1, len(base) + 1)):
            self._top = len(base)

    def passes_over(self, parts: Parts, kind: Kind) -> bool:
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

    def hides(self, parts: Parts) -> bool:
        """Judge a file together with every folder between it and the base."""
        return self._hides_folder(parts[:-1]) or self.passes_over(parts, "file")

    def _hides_folder(self, parts: Parts) -> bool:
        if len(parts) <= len(self._base):
            return False
        known = self._hidden.get(parts)
        if known is None:
            known = self._hides_folder(parts[:-1]) or self.passes_over(parts, "dir")
            self._hidden[parts] = known
        return known

    def _file(self, folder: Parts) -> IgnoreFile | None:
        if folder not in self._files:
            self._files[folder] = self._read(shown_path((*folder, ".gitignore")))
        return self._files[folder]

    def _read(self, path: str) -> IgnoreFile | None:
        try:
            data = self._root.read_bytes(path, IGNORE_FILE_BYTES_MAX)
        except DataAgentError:
            return None
        return read_ignore_file(data.decode("utf-8", "replace"))
