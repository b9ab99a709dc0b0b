"""A thing worth remembering that was found in what a person said."""

from dataclasses import dataclass
from datetime import datetime

from dataagent_core.memory.memory import MemoryType


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposedMemory:
    """Proposed to `MemoryService`, which decides whether it is kept."""

    type: MemoryType
    # A sentence that is understood alone.
    content: str
    # The words of the text it rests on: a part of the text, letter by letter.
    quote: str
    # What it is about, such as `i live in`; empty where that cannot be said.
    subject: str = ""
    confidence: float = 1.0
    valid_from: datetime | None = None
