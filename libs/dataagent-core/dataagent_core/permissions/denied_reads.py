"""The paths that rules deny to read, for every tool and every program.

The judge reads the path that a call names; a file can be reached in many other ways. So whatever
opens files asks here too, about the path it really reached. Only a deny is held so: what is asked
about a person may allow.
"""

import re
from collections.abc import Callable
from functools import lru_cache

from dataagent_core.config.limits import PERMISSION_RULE_SETS_CACHED_MAX
from dataagent_core.permissions.decide_tool import decide_tool, rules_about
from dataagent_core.permissions.match import Match
from dataagent_core.permissions.patterns import fits_path
from dataagent_core.permissions.rule import RuleSet

# Says whether a path from the workspace's root is denied.
IsDenied = Callable[[str], bool]

_TOOL = "read_file"
_WILD = re.compile(r"[*?\\]")
# A name that no rule names.
_ANY = "\x01"


class DeniedReads:
    """What one set of rules denies."""

    def __init__(self, rules: RuleSet) -> None:
        self._about = rules_about(_TOOL, rules)
        self._patterns = [rule.resource for rule in self._about.all() if rule.action == "deny"]
        self._has_exceptions = any(rule.action == "allow" for rule in self._about.all())

    def __bool__(self) -> bool:
        return bool(self._patterns)

    @property
    def starts(self) -> list[str]:
        """List the outermost folders that hold everything denied; empty is the workspace."""
        return _outermost({_literal_start(pattern) for pattern in self._patterns})

    def holds(self, path: str) -> bool:
        """Say whether a path is denied."""
        if not any(fits_path(pattern, path) is Match.YES for pattern in self._patterns):
            return False
        return decide_tool(_TOOL, path, self._about, is_path=True).action == "deny"

    def holds_below(self, folder: str) -> bool:
        """Say whether a folder is denied, and with it whatever it may hold."""
        return not self._has_exceptions and self.holds(folder)

    def hangs_on(self, folder: str, path: str) -> bool:
        """Say whether a denied path might be read if a folder above it had another name."""
        inner = path[len(folder) :]
        moved = (f"/{_ANY}{inner}", f"/{_ANY}/{_ANY}{inner}")
        return self._has_exceptions or not all(map(self.holds, moved))


@lru_cache(maxsize=PERMISSION_RULE_SETS_CACHED_MAX)
def denied_reads(rules: RuleSet) -> DeniedReads:
    """Give what rules deny to read."""
    return DeniedReads(rules)


def _literal_start(pattern: str) -> str:
    """Give the folder that everything a pattern fits lies in, empty for the workspace itself."""
    names = pattern.strip("/").split("/")
    literal = next((n for n, name in enumerate(names) if _WILD.search(name)), len(names))
    return "/".join(names[:literal])


def _outermost(starts: set[str]) -> list[str]:
    kept: list[str] = []
    for start in sorted(starts):
        if not any(not outer or f"{start}/".startswith(f"{outer}/") for outer in kept):
            kept.append(start)
    return kept
