"""How the sources are put together for one resource.

an operator's deny or ask is final
an installation's rules only tighten; its deny is final
a person's deny is final for the folder and the session
a folder's rules only tighten until the person trusts it; then they count like the person's own
an "always" of the session turns an ask into an allow, never a deny
"""

from typing import NamedTuple

from dataagent_core.permissions.action import Action, stricter
from dataagent_core.permissions.rule import Rule, RuleSet
from dataagent_core.permissions.source_verdict import Fits, say


class Decided(NamedTuple):
    """An action, the rule it came from (none: the default) and why."""

    action: Action
    reason: str
    rule: Rule | None = None


def decide_by_rules(rules: RuleSet, fits: Fits, default: Decided) -> Decided:
    """Decide about one resource."""
    if not rules:
        return default
    operator = say(rules.operator, fits)
    installation = say(rules.installation, fits)
    person = say(rules.person, fits)
    project = say(rules.project, fits)
    session = say(rules.session, fits)

    decided = _by(operator.rule) or default
    decided = _by(person.rule) or decided
    if project.rule is not None and (
        stricter(project.rule.action, decided.action)
        or (rules.project_trusted and decided.action != "deny")
    ):
        decided = _by(project.rule) or decided
    if installation.rule is not None and stricter(installation.rule.action, decided.action):
        decided = _by(installation.rule) or decided
    if decided.action == "ask" and session.rule is not None:
        decided = _by(session.rule) or decided
    if operator.rule is not None and stricter(operator.rule.action, decided.action):
        decided = _by(operator.rule) or decided
    for found in (operator, installation, person, project):
        # What is asked by default anyway is asked because of that rule: no mode answers it.
        if found.may_fit is not None and (decided.action == "allow" or _by_default(decided)):
            decided = Decided(
                "ask", f"it may be what a rule is about: {found.may_fit}", found.may_fit
            )
    return decided


def _by_default(decided: Decided) -> bool:
    return decided.action == "ask" and decided.rule is None


def _by(rule: Rule | None) -> Decided | None:
    return None if rule is None else Decided(rule.action, f"rule: {rule}", rule)
