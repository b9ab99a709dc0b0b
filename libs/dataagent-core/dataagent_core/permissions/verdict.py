"""What was decided about a call, and why: for the gate, for `explain`, and for the log."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from dataagent_core.permissions.action import Action, stricter
from dataagent_core.permissions.layer import Basis, basis_of_all
from dataagent_core.permissions.rule import Rule


class PartVerdict(NamedTuple):
    """The verdict on one part of a call: a simple command, a file it opens, a doubt.

    `subject` is that part, written out only when somebody wants to read it. `covering` makes the
    rule that "always" would add for it, also only then. `doubtful`: it is asked about because
    nobody can tell what it would do, not because that is the default. `basis`: what an allowed
    part of a command line stands on (`layer.py`); None where that makes no difference.
    `hands_code`: it gives code to an interpreter, and no rule can see what that does.
    """

    subject: object
    action: Action
    reason: str
    rule: Rule | None = None
    covering: Callable[[], Rule | None] | None = None
    doubtful: bool = False
    basis: Basis | None = None
    hands_code: bool = False

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
    def is_by_rules(self) -> bool:
        """Say whether rules speak of every part, so that nothing stands on a default."""
        return bool(self.commands) and all(part.rule is not None for part in self.commands)

    @property
    def basis(self) -> Basis:
        """What a command line that is allowed stands on, and so where it may run."""
        return basis_of_all({part.basis for part in self.commands if part.basis is not None})


def strictest(parts: list[PartVerdict]) -> PermissionVerdict:
    """Put the parts together; the first of the strictest gives the reason."""
    worst = parts[0]
    for part in parts[1:]:
        if stricter(part.action, worst.action):
            worst = part
    return PermissionVerdict(worst.action, worst.reason, worst.rule, tuple(parts))
