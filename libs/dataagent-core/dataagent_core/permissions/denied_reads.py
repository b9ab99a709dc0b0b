"""The paths that rules deny to read, for every tool and every program.

A permission decision sees the path that a call names, but a file can be reached in other ways. So
code that opens files checks the path it really reached here. Only denials are enforced this way: a
person may allow what is asked about.
"""

import re
from functools import lru_cache

from dataagent_core.config.limits import PERMISSION_RULE_SETS_CACHED_MAX
from dataagent_core.permissions.patterns import PatternMatch, fits_path, normalize_pattern
from dataagent_core.permissions.rules import RuleSet, decide_resource, select_rules

_TOOL = "read_file"
_WILD = re.compile(r"[*?\\]")
# A name that is in no rule.
_ANY = "\x01"


class _Pattern:
    """A pattern with its start folder and its end, which are compared first because it is fast."""

    def __init__(self, pattern: str) -> None:
        self._pattern = pattern
        names = normalize_pattern(pattern).strip("/").split("/")
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
        self._about = select_rules(_TOOL, rules)
        denied = (rule.resource for rule in self._about.all() if rule.action == "deny")
        self._patterns = [_Pattern(pattern) for pattern in denied]
        self._has_exceptions = any(rule.action == "allow" for rule in self._about.all())

    def __bool__(self) -> bool:
        return bool(self._patterns)

    @property
    def starts(self) -> list[str]:
        """List the outermost folders that hold everything denied; empty is the workspace."""
        return _select_outermost({pattern.start for pattern in self._patterns})

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


def _select_outermost(starts: set[str]) -> list[str]:
    kept: list[str] = []
    for start in sorted(starts):
        if not any(not outer or f"{start}/".startswith(f"{outer}/") for outer in kept):
            kept.append(start)
    return kept
