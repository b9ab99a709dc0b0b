"""What the doctor finds in the memories of a person, and what it did about it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class DoctorFinding:
    """How many memories have a defect, which share of all, and a few of their ids."""

    count: int = 0
    rate: float = 0.0
    examples: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class DoctorReport:
    """The defects of what is remembered now."""

    total: int
    # Says what another memory of its scope says.
    duplicate: DoctorFinding
    # Was recalled in the run that it was learned from, and is nobody's own words.
    loop: DoctorFinding
    # Has expired, or is a passing thing that nobody asked for in a long time.
    stale: DoctorFinding
    # Its source does not say it.
    ungrounded: DoctorFinding
    # Holds a secret or a mask.
    secret: DoctorFinding
    # What they rest on cannot be looked at: a deleted conversation, or one held elsewhere.
    unchecked: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class TidyReport:
    """What was put right."""

    merged: int = 0
    expired: int = 0
    # Loops and ungrounded ones: they are kept, with the reason, and not found any more.
    retired: int = 0
    # Secrets: nothing of them is kept.
    forgotten: int = 0
