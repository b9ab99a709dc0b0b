r"""Fitting patterns to tools, hosts and paths of which a part may be unknown.

What the wildcards mean is `glob.py`'s; patterns for commands are `word_patterns.py`'s.
"""

import posixpath
import re
from functools import lru_cache

from dataagent_core.config.limits import PERMISSION_PATTERNS_CACHED_MAX
from dataagent_core.permissions.glob import fits_separated, fits_text
from dataagent_core.permissions.match import Match
from dataagent_core.permissions.shell.word import UNKNOWN

_WILD = re.compile(r"[*?\\]")


def fits_name(pattern: str, name: str) -> Match:
    """Fit a pattern to a tool or a host."""
    if UNKNOWN in name and not is_everything(pattern):
        return Match.MAYBE
    return Match.YES if fits_text(pattern, name) else Match.NO


def fits_path(pattern: str, path: str) -> Match:
    """Fit a pattern to a path as `normal_path` writes it; a relative one begins at the root."""
    if is_everything(pattern):
        return Match.YES
    if UNKNOWN in path:
        # What is unknown may hold `..` and lead anywhere.
        return Match.MAYBE
    return Match.YES if fits_separated(normal_pattern(pattern), path) else Match.NO


@lru_cache(maxsize=PERMISSION_PATTERNS_CACHED_MAX)
def normal_pattern(pattern: str) -> str:
    """Write a pattern for paths from the root, in one spelling; `/src/` is the whole folder."""
    names = [name for name in pattern.split("/") if name not in {"", "."}]
    if names and pattern.endswith("/"):
        names.append("**")
    floats = names[:1] == ["**"] and not pattern.startswith("/")
    return ("" if floats else "/") + "/".join(names)


def normal_path(path: str, cwd: str = "/") -> str:
    """Write a path absolute from the root, without `.`, `..` and doubled slashes."""
    if UNKNOWN in path:
        return path if path.startswith(("/", UNKNOWN)) else posixpath.join(cwd, path)
    return "/" + posixpath.normpath(posixpath.join("/", cwd, path)).lstrip("/")


def is_everything(pattern: str) -> bool:
    """Say whether a pattern fits all there is."""
    return pattern in {"*", "**", "/**"}


def escaped(text: str) -> str:
    """Write a text as the pattern that fits only it."""
    return _WILD.sub(lambda found: "\\" + found[0], text)
