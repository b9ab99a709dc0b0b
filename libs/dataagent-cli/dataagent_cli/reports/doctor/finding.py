"""What a check found."""

from dataclasses import dataclass
from typing import Literal

Status = Literal["ok", "note", "problem"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of `dataagent doctor`; only a problem makes it fail."""

    check: str
    status: Status
    detail: str
    fix: str | None = None
