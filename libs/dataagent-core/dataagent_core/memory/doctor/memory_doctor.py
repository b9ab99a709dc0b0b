"""Examines what is remembered of a person now: duplicates, loops, stale, ungrounded, secret.

Sources are read again: a memory that its conversation does not say is ungrounded, however it came
in. One whose conversation was deleted, or held elsewhere, cannot be looked at: it is counted apart.
"""

import asyncio
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Final, Literal

from dataagent_core.config.limits.memory import MEMORY_DOCTOR_EXAMPLES_MAX, MEMORY_STALE_DAYS
from dataagent_core.memory.doctor.doctor_report import DoctorFinding, DoctorReport
from dataagent_core.memory.hygiene.check_memory import check_memory
from dataagent_core.memory.hygiene.refusal import MemoryRefusedError, RefusalRule
from dataagent_core.memory.hygiene.secret_rule import find_mask, holds_secret
from dataagent_core.memory.hygiene.source_reader import SourceReader
from dataagent_core.memory.memory import Memory, MemoryMetadata
from dataagent_core.memory.text_digest import digest_text

Defect = Literal["duplicate", "loop", "stale", "ungrounded", "secret"]
_DEFECTS: Final[dict[RefusalRule, Defect]] = {
    "recalled": "loop",
    "instructions": "loop",
    "ungrounded": "ungrounded",
    "not_theirs": "ungrounded",
    "command": "ungrounded",
    "personal": "secret",
    "secret": "secret",
    "masked": "secret",
}


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """A defect of a memory, and why it is one."""

    memory: Memory
    defect: Defect
    reason: str
    # The one that a duplicate is one of.
    same_as: Memory | None = None


@dataclass(slots=True)
class Examination:
    """What was found so far."""

    total: int = 0
    found: list[Diagnosis] = field(default_factory=list[Diagnosis])
    unchecked: int = 0

    def report(self) -> DoctorReport:
        """Count what was found."""
        return DoctorReport(
            total=self.total,
            duplicate=self._count("duplicate"),
            loop=self._count("loop"),
            stale=self._count("stale"),
            ungrounded=self._count("ungrounded"),
            secret=self._count("secret"),
            unchecked=self.unchecked,
        )

    def _count(self, defect: Defect) -> DoctorFinding:
        ids = [one.memory.id for one in self.found if one.defect == defect]
        return DoctorFinding(
            count=len(ids),
            rate=len(ids) / self.total if self.total else 0.0,
            examples=tuple(ids[:MEMORY_DOCTOR_EXAMPLES_MAX]),
        )


async def examine(
    memories: Sequence[Memory], sources: SourceReader | None, now: datetime
) -> Examination:
    """Examine the memories that a person has, past ones left out."""
    examination = Examination(total=len(memories), found=list(find_duplicates(memories)))
    for memory in memories:
        diagnosis = _find_secret(memory) or _find_stale(memory, now)
        if diagnosis is None and sources is not None and memory.source.kind != "manual":
            diagnosis = await _check_source(memory, sources, examination)
        if diagnosis is not None:
            examination.found.append(diagnosis)
    return examination


def find_duplicates(memories: Sequence[Memory]) -> list[Diagnosis]:
    """Find memories that say what another one of their scope says; the oldest is none."""
    groups: dict[tuple[object, ...], list[Memory]] = defaultdict(list)
    for memory in memories:
        if memory.type != "context":
            # Two messages may say the same; of what they say, one memory is enough.
            digest = digest_text(memory.content)
            groups[memory.scope, memory.type, memory.is_tainted, digest].append(memory)
    return [
        Diagnosis(one, "duplicate", f"It says what the memory {group[0].id} says.", group[0])
        for group in (sorted(each, key=lambda one: one.recorded_at) for each in groups.values())
        for one in group[1:]
    ]


def _find_secret(memory: Memory) -> Diagnosis | None:
    kept = (memory.content, memory.source.quote, memory.subject)
    if any(holds_secret(text) or find_mask(text) for text in kept):
        return Diagnosis(memory, "secret", "It holds what looks like a secret, or a mask of one.")
    return None


def _find_stale(memory: Memory, now: datetime) -> Diagnosis | None:
    if memory.has_expired(now):
        return Diagnosis(memory, "stale", "Its time is over.")
    last = max(memory.updated_at, memory.last_accessed_at or memory.updated_at)
    is_passing = memory.type == "context" and memory.source.kind != "manual"
    if is_passing and now - last > timedelta(days=MEMORY_STALE_DAYS):
        reason = f"Nobody has asked for it in {MEMORY_STALE_DAYS} days."
        return Diagnosis(memory, "stale", reason)
    return None


async def _check_source(
    memory: Memory, sources: SourceReader, examination: Examination
) -> Diagnosis | None:
    source = await sources.read(memory.source, memory.scope)
    if source is None:
        examination.unchecked += 1
        return None
    metadata = MemoryMetadata(
        scope=memory.scope, type=memory.type, source=memory.source, extra=memory.extra
    )
    try:
        metadata = replace(metadata, subject="")
        checked = await asyncio.to_thread(check_memory, memory.content, metadata, source, ())
    except MemoryRefusedError as error:
        defect = _DEFECTS.get(error.rule)
        return Diagnosis(memory, defect, str(error)) if defect else None
    if checked.is_tainted and not memory.is_tainted:
        return Diagnosis(memory, "ungrounded", "They are words of others, kept as the person's.")
    return None
