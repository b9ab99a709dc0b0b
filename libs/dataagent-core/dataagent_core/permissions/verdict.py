"""What was decided about a call, and why: for the gate, for `explain`, and for the log."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from dataagent_core.permissions.action import Action, stricter
from dataagent_core.permissions.rule import Rule


class PartVerdict(NamedTuple):
    """The verdict on one part of a call: a simple command, a file it opens, a doubt.

    `subject` is that part, written out only when somebody wants to read it. `covering` makes the
    rule that "always" would add for it, also only then. `doubtful`: it is asked about because
    nobody can tell what it would do, not because that is the default.
    """

    subject: object
    action: Action
    reason: str
    rule: Rule | None = None
    covering: Callable[[], Rule | None] | None = None
    doubtful: bool = False
    # It changes something, or runs a program: it is no mere look.
    acts: bool = False

    @property
    def part(self) -> str:
        """The part in words."""
        return str(self.subject)

    @property
    def saves(self) -> Rule | None:
        """The rule that "always" would add, if one can cover this part."""
        return None if self.covering is None else self.covering()


@dataclass(frozen=True, slots=True)
class PermissionVerdict:
    """The verdict on a call: that of its strictest part."""

    action: Action
    reason: str
    rule: Rule | None
    commands: tuple[PartVerdict, ...]

    @property
    def only_looks(self) -> bool:
        """Say whether a command line is allowed because nothing in it does more than look."""
        return self.action == "allow" and not any(part.acts for part in self.commands)


def strictest(parts: list[PartVerdict]) -> PermissionVerdict:
    """Put the parts together; the first of the strictest gives the reason."""
    worst = parts[0]
    for part in parts[1:]:
        if stricter(part.action, worst.action):
            worst = part
    return PermissionVerdict(worst.action, worst.reason, worst.rule, tuple(parts))
