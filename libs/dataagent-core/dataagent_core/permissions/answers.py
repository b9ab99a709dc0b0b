"""What an answer "always" would save: shown to the person first, then added to the session."""

from dataagent_core.permissions.evaluate import evaluate
from dataagent_core.permissions.request import PermissionRequest
from dataagent_core.permissions.rule import Rule, RuleSet


def rule_for_answer(request: PermissionRequest, rules: RuleSet) -> list[Rule]:
    """List the rules that would allow this call from now on; empty where none can.

    A call that is asked about because something in it cannot be known stays asked about.
    """
    verdict = evaluate(request, rules)
    asked = [part for part in verdict.commands if part.action == "ask"]
    if verdict.action != "ask" or any(part.saves is None for part in asked):
        return []
    return list(dict.fromkeys(part.saves for part in asked if part.saves is not None))
