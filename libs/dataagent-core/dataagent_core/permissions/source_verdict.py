"""What the rules of one source say about one resource: the last that fits wins.

A rule that forbids or asks, and may fit once everything is known, makes the call ask.
"""

from collections.abc import Callable
from dataclasses import dataclass

from dataagent_core.permissions.action import stricter
from dataagent_core.permissions.match import Match
from dataagent_core.permissions.rule import Rule

Fits = Callable[[Rule], Match]


@dataclass(frozen=True, slots=True)
class SourceVerdict:
    """The rule that fits, and a stricter one that may."""

    rule: Rule | None
    may_fit: Rule | None


def say(rules: tuple[Rule, ...], fits: Fits) -> SourceVerdict:
    """Look at a source's rules from the last to the first."""
    may_fit: Rule | None = None
    for rule in reversed(rules):
        match fits(rule):
            case Match.YES:
                stands = may_fit is not None and stricter(may_fit.action, rule.action)
                return SourceVerdict(rule, may_fit if stands else None)
            case Match.MAYBE:
                if rule.action != "allow" and may_fit is None:
                    may_fit = rule
            case Match.NO:
                pass
    return SourceVerdict(None, may_fit)
