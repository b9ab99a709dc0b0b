"""The paths that rules deny to read, for every tool and every program.

The judge reads the path that a call names; a file can be reached in many other ways. So whatever
opens files asks here too, about the path it really reached. Only a deny is held so: what is asked
about a person may allow.
"""

import re
from functools import lru_cache

from dataagent_core.config.limits import PERMISSION_RULE_SETS_CACHED_MAX
from dataagent_core.permissions.patterns import PatternMatch, fits_path, normal_pattern
from dataagent_core.permissions.rules import RuleSet, decide_resource, rules_about

_TOOL = "read_file"
_WILD = re.compile(r"[*?\\]")
# A name that no rule names.
_ANY = "\x01"


class _Pattern:
    """A pattern, and what of it is quickly compared: the folder it begins in, and its end."""

    def __init__(self, pattern: str) -> None:
        self._pattern = pattern
        names = normal_pattern(pattern).strip("/").split("/")
        literal = next((n for n, name in enumerate(names) if _WILD.search(name)), len(names))
        self.start = "/".join(names[:literal])
        self._inside = f"/{self.start}/" if self.start else "/"
        self._end = "" if "\\" in names[-1] else _WILD.split(names[-1])[-1]

    def fits(self, path: str) -> bool:
        if not path.endswith(self._end) or not f"{path}/".startswith(self._inside):
            return False
        return fits_path(self._pattern, path) is PatternMatch.YES


class DeniedReads:
    """What one set of rules denies."""

    def __init__(self, rules: RuleSet) -> None:
        self._about = rules_about(_TOOL, rules)
        denied = (rule.resource for rule in self._about.all() if rule.action == "deny")
        self._patterns = [_Pattern(pattern) for pattern in denied]
        self._has_exceptions = any(rule.action == "allow" for rule in self._about.all())

    def __bool__(self) -> bool:
        return bool(self._patterns)

    @property
    def starts(self) -> list[str]:
        """List the outermost folders that hold everything denied; empty is the workspace."""
        return _outermost({pattern.start for pattern in self._patterns})

    def holds(self, path: str) -> bool:
        """Say whether a path is denied."""
        if not any(pattern.fits(path) for pattern in self._patterns):
            return False
        return decide_resource(_TOOL, path, self._about).action == "deny"

    def holds_below(self, folder: str) -> bool:
        """Say whether a folder is denied, and with it whatever it may hold."""
        return not self._has_exceptions and self.holds(folder)

    def hangs_on(self, folder: str, path: str) -> bool:
        """Say whether a denied path might be read if a folder above it had another name."""
        inner = path[len(folder) :]
        moved = (f"/{_ANY}{inner}", f"/{_ANY}/{_ANY}{inner}")
        return self._has_exceptions or not all(map(self.holds, moved))


# What rules deny to read; the rules of a run seldom change.
denied_reads = lru_cache(maxsize=PERMISSION_RULE_SETS_CACHED_MAX)(DeniedReads)


def _outermost(starts: set[str]) -> list[str]:
    kept: list[str] = []
    for start in sorted(starts):
        if not any(not outer or f"{start}/".startswith(f"{outer}/") for outer in kept):
            kept.append(start)
    return kept
