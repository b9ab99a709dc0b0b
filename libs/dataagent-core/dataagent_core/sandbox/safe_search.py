"""Plain searches beneath a root, for whoever has no need of the agent's own `glob` and `grep`."""

from collections.abc import Iterator

from wcmatch import glob as wcglob

from dataagent_core.errors import DataAgentError
from dataagent_core.sandbox.root import Root
from dataagent_core.sandbox.safe_paths import parts_of, shown_path

_FLAGS = wcglob.GLOBSTAR | wcglob.BRACE | wcglob.DOTGLOB | wcglob.FORCEUNIX | wcglob.CASE


def files_matching(root: Root, path: str, pattern: str) -> Iterator[str]:
    """Give the paths of files below a folder; a pattern without a slash is for names only."""
    below = len(parts_of(path))
    wanted = pattern.lstrip("/") if "/" in pattern else f"**/{pattern}"
    for parts in root.walk(path, lambda _parts, _kind: True).files:
        if wcglob.globmatch("/".join(parts[below:]), wanted, flags=_FLAGS):
            yield shown_path(parts)


def lines_holding(root: Root, path: str, pattern: str, text: str) -> Iterator[tuple[str, int, str]]:
    """Give path, number and text of every line that holds a text."""
    for file in files_matching(root, path, pattern):
        try:
            content = root.read_bytes(file)
        except DataAgentError:
            continue  # gone, too large, or not to be opened
        if b"\0" in content:
            continue
        for number, line in enumerate(content.decode("utf-8", "replace").splitlines(), 1):
            if text in line:
                yield file, number, line
