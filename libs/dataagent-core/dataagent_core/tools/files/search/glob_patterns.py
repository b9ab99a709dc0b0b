"""Glob patterns: `*`, `?`, `[seq]`, `[!seq]`, `**/` and `{a,b}` (S2 §7.2.4).

A pattern without a slash is compared with file names at any depth, one with a slash with the path
from the folder that is searched. Names that begin with a dot are like any other.
"""

from collections.abc import Callable

from wcmatch import glob as wcglob

from dataagent_core.config.limits import GLOB_BRACES_MAX, GLOB_PATTERN_CHARS_MAX
from dataagent_core.errors import ValidationError
from dataagent_core.sandbox.paths.tool_paths import PathParts

_FLAGS = wcglob.GLOBSTAR | wcglob.BRACE | wcglob.DOTGLOB | wcglob.FORCEUNIX | wcglob.CASE


def compile_glob(pattern: str) -> Callable[[PathParts], bool]:
    """Compile a pattern into a test of paths relative to the searched folder."""
    anchored = pattern.startswith("/")
    inner = pattern.lstrip("/")
    if not inner or "\0" in inner or ".." in inner.split("/"):
        raise ValidationError(
            f"{pattern!r:.200} is no glob pattern for files below a folder. Use for example "
            "*.py or src/**/*.ts, without '..'."
        )
    if len(pattern) > GLOB_PATTERN_CHARS_MAX:
        raise ValidationError(
            f"The glob pattern has more than {GLOB_PATTERN_CHARS_MAX} characters."
        )
    wanted = inner if "/" in inner or anchored else f"**/{inner}"
    try:
        matcher = wcglob.compile(wanted, flags=_FLAGS, limit=GLOB_BRACES_MAX)
    except Exception as error:
        raise ValidationError(f"{pattern!r} is no glob pattern: {error}.") from error
    return lambda parts: bool(matcher.match("/".join(parts)))
