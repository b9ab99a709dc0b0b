"""The refusal of a memory: by which rule, for which value, and what to do instead."""

from typing import Literal

from dataagent_core.errors import ValidationError

RefusalRule = Literal[
    # What it says is not in its source.
    "ungrounded",
    # Its source cannot be read.
    "unchecked",
    # It was recalled from memory in the same run.
    "recalled",
    # It repeats a system prompt, a skill, a tool's description or a project's instructions.
    "instructions",
    "secret",
    # It is a mask, in the place of a value that may not be seen.
    "masked",
    # Personal data that a tool returned.
    "personal",
    # Words of others as a preference or a decision of the person.
    "not_theirs",
    # Words of others that tell an agent what to do.
    "command",
]


class MemoryRefusedError(ValidationError):
    """A memory that is not clean; `rule` names what it breaks."""

    def __init__(self, rule: RefusalRule, message: str) -> None:
        super().__init__(message)
        self.rule: RefusalRule = rule
