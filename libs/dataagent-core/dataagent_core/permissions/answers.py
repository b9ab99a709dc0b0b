"""What an answer "always" would save: shown to the person first, then added where they say."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, cast

from dataagent_core.permissions.evaluate import evaluate
from dataagent_core.permissions.request import PermissionRequest
from dataagent_core.permissions.rule import Rule, RuleSet, Source
from dataagent_core.permissions.verdict import PermissionVerdict


def rule_for_answer(
    request: PermissionRequest, rules: RuleSet, verdict: PermissionVerdict | None = None
) -> list[Rule]:
    """List the rules that would allow this call from now on; empty where none can.

    A call that is asked about because something in it cannot be known, or because an operator
    wants to be asked, stays asked about: then nothing is offered that would not help.
    """
    verdict = verdict or evaluate(request, rules)
    found: list[Rule] = []
    # Twice: once something may write, what only looks beside it needs a rule of its own.
    for _ in range(2):
        saved = [part.saves for part in verdict.commands if part.action == "ask"]
        if verdict.action != "ask" or None in saved:
            return []
        found = list(dict.fromkeys([*found, *(rule for rule in saved if rule is not None)]))
        verdict = evaluate(request, replace(rules, session=(*rules.session, *found)))
        if verdict.action == "allow":
            return found
    return []


def rules_shown_in(action: Mapping[str, Any], source: Source) -> list[Rule]:
    """Read back the rules a question showed: they are what the answer is about."""
    shown = cast("list[dict[str, Any]]", action.get("saves") or [])
    return [Rule(str(one["tool"]), str(one["resource"]), "allow", source) for one in shown]
