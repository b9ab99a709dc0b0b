"""The question at a budget, written in the person's language from its figures."""

from collections.abc import Mapping, Sequence
from typing import Any, cast

from dataagent_cli.messages import Messages
from dataagent_core.events import HITLRequestEvent
from dataagent_core.usage.budget import usd_of


def budget_words(request: HITLRequestEvent, say: Messages) -> list[str]:
    """Describe the use of each budget, and ask the question."""
    actions = cast("Sequence[Mapping[str, Any]]", request.action_requests)
    budgets = [budget for action in actions for budget in action.get("budgets", ())]
    if not budgets:
        return [text for text in (request.context, request.question) if text]
    steps = [
        say("budget_raised", budget=_budget_name(budget, say), step=_amount(budget, "step", say))
        for budget in budgets
    ]
    needed = _amount(budgets[0], "asked", say)
    question = say("budget_question", needed=needed, wanted=say("and").join(steps))
    return [*(_describe_usage(budget, say) for budget in budgets), question]


def _describe_usage(budget: Mapping[str, Any], say: Messages) -> str:
    parts: list[str] = []
    if budget["cost_max"] is not None:
        parts.append(f"{budget['used_cost'] or 0:.4f} / {budget['cost_max']:.4f} USD")
    if budget["tokens_max"] is not None:
        parts.append(say("tokens_of", used=budget["used_tokens"], limit=budget["tokens_max"]))
    return say("budget_stands", budget=_budget_name(budget, say), used=", ".join(parts))


def _budget_name(budget: Mapping[str, Any], say: Messages) -> str:
    return say(f"budget_name.{budget['period']}")


def _amount(budget: Mapping[str, Any], what: str, say: Messages) -> str:
    cost, tokens = budget[f"{what}_cost_nano"], budget[f"{what}_tokens"]
    parts = [f"{usd_of(cost):.4f} USD"] if cost else []
    parts += [say("tokens", count=tokens)] if tokens else []
    return say("and").join(parts)
