"""Puts right what the doctor found: a nightly job runs it for each person.

Duplicates become one, what has expired goes, secrets are forgotten. What is ungrounded or came out
of memory itself is retired with the reason, never deleted: the person can see why and say no.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from dataagent_core.errors import ConflictError, NotFoundError
from dataagent_core.memory.changes.merge import merge_memories
from dataagent_core.memory.doctor.doctor_report import TidyReport
from dataagent_core.memory.doctor.memory_doctor import Diagnosis
from dataagent_core.memory.erasure.memory_eraser import MemoryEraser
from dataagent_core.memory.memory_results import MemoryOwner
from dataagent_core.memory.memory_store import MemoryStore

# In `Memory.extra`: why a memory was retired by nobody.
REASON_KEY: Final = "retired_because"
# For a person to look at.
_LEFT: Final = "left"
# A secret is gone by then.
_REMOVED: Final = frozenset({"merged", "expired"})


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryTidier:
    """Tidies up in the memories of one tenant."""

    store: MemoryStore
    eraser: MemoryEraser

    async def treat(
        self, found: Sequence[Diagnosis], owner: MemoryOwner, now: datetime
    ) -> TidyReport:
        """Put right what was found, as far as nobody has changed it meanwhile."""
        done = Counter[str]()
        # Removed together: whoever leaves no byte behind writes the whole file anew.
        removed: dict[str, Diagnosis] = {}
        for one in found:
            if one.memory.id in removed:
                continue
            try:
                outcome = await self._treat(one, owner, now)
            except (ConflictError, NotFoundError):
                continue  # somebody changed it: the next night looks again
            done[outcome] += 1
            if outcome in _REMOVED:
                removed[one.memory.id] = one
        await self.store.remove(list(removed))
        del done[_LEFT]
        return TidyReport(**done)

    async def _treat(self, one: Diagnosis, owner: MemoryOwner, now: datetime) -> str:
        match one.defect:
            case "secret":
                await self.eraser.forget(one.memory, owner, now)
                return "forgotten"
            case "duplicate":
                return await self._merge(one, now)
            case "stale":
                return "expired" if one.memory.has_expired(now) else _LEFT
            case "loop" | "ungrounded":
                extra = {**one.memory.extra, REASON_KEY: one.reason}
                await self.store.save(replace(one.memory, retired_at=now, extra=extra))
                return "retired"

    async def _merge(self, one: Diagnosis, now: datetime) -> str:
        known = await self.store.get(one.same_as.id) if one.same_as else None
        if known is None or not known.is_current(now):
            return _LEFT
        # In the words that are there: both say the same.
        same = replace(one.memory, content=known.content)
        await self.store.save(merge_memories(known, same, now))
        return "merged"
