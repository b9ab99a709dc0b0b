"""Detects a call that is repeated again and again (S2 §6.4.4).

The third equal call within a minute (both are settings) is stopped before it runs. The detector
sees calls, not messages, so compaction changes nothing. The agent has one, and each task of a
sub-agent another, so that several may read the same file side by side. A call that is replayed
after a crash has the same key as before and does not count twice.
"""

import json
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from dataagent_core.config.limits import DOOM_LOOP_CALLS, DOOM_LOOP_KEPT_MAX, DOOM_LOOP_WINDOW_S


class DoomLoopIntervention(Enum):
    """What the person may answer."""

    STOP = "stop"
    CONTINUE = "continue"
    CORRECT = "correct"
    SKIP = "skip"


@dataclass(frozen=True, slots=True)
class SeenCall:
    """A call as the detector keeps it; `key` names it within its run."""

    key: str
    fingerprint: str
    at_s: float


def fingerprint(tool: str, args: Mapping[str, Any]) -> str:
    """Write a call so that equal calls are equal, whatever the order of their arguments."""
    return json.dumps([tool, args], sort_keys=True, ensure_ascii=True, default=str)


@dataclass(slots=True, kw_only=True)
class DoomLoopDetector:
    """Remembers the last calls; the caller passes the time."""

    threshold: int = DOOM_LOOP_CALLS
    window_s: float = DOOM_LOOP_WINDOW_S
    _seen: deque[SeenCall] = field(init=False)

    def __post_init__(self) -> None:
        # A loop that is longer than what is kept would never be seen.
        self._seen = deque(maxlen=max(DOOM_LOOP_KEPT_MAX, self.threshold))

    def make_another(self) -> "DoomLoopDetector":
        """Make one with the same settings that has seen nothing."""
        return DoomLoopDetector(threshold=self.threshold, window_s=self.window_s)

    def should_intervene(self, key: str, tool: str, args: Mapping[str, Any], now_s: float) -> bool:
        """Say whether this call, not yet noted, would be one too many."""
        wanted = fingerprint(tool, args)
        equal = sum(
            seen.fingerprint == wanted and seen.key != key and now_s - seen.at_s < self.window_s
            for seen in self._seen
        )
        return equal + 1 >= self.threshold

    def note(self, key: str, tool: str, args: Mapping[str, Any], now_s: float) -> None:
        """Remember a call that runs; noting it again, as a replay does, changes nothing."""
        if all(seen.key != key for seen in self._seen):
            self._seen.append(SeenCall(key, fingerprint(tool, args), now_s))

    def forget(self, tool: str, args: Mapping[str, Any]) -> None:
        """Restart the count for a call that the person let continue."""
        gone = fingerprint(tool, args)
        kept = [seen for seen in self._seen if seen.fingerprint != gone]
        self._seen.clear()
        self._seen.extend(kept)
