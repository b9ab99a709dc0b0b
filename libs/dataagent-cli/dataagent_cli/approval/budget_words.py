"""The question at a budget, in the person's language: from its figures, not from its text."""

from collections.abc import Mapping, Sequence
from typing import Any, cast

from dataagent_cli.messages import Messages
from dataagent_core.events import HITLRequestEvent
from dataagent_core.usage.budget import usd_of


def budget_words(request: HITLRequestEvent, say: Messages) -> list[str]:
    """Say how the budgets stand, and what is asked."""
    actions = cast("Sequence[Mapping[str, Any]]", request.action_requests)
    budgets = [one for action in actions for one in action.get("budgets", ())]
    if not budgets:
        return [text for text in (request.context, request.question) if text]
    steps = [
        say("budget_raised", budget=_name(one, say), step=_amount(one, "step", say))
        for one in budgets
    ]
    needed = _amount(budgets[0], "asked", say)
    question = say("budget_question", needed=needed, wanted=say("and").join(steps))
    return [*(_standing(one, say) for one in budgets), question]


def _standing(one: Mapping[str, Any], say: Messages) -> str:
    parts: list[str] = []
    if one["cost_max"] is not None:
        parts.append(f"{one['used_cost'] or 0:.4f} / {one['cost_max']:.4f} USD")
    if one["tokens_max"] is not None:
        parts.append(say("tokens_of", used=one["used_tokens"], limit=one["tokens_max"]))
    return say("budget_stands", budget=_name(one, say), used=", ".join(parts))


def _name(one: Mapping[str, Any], say: Messages) -> str:
    return say(f"budget_name.{one['period']}")


def _amount(one: Mapping[str, Any], what: str, say: Messages) -> str:
    cost, tokens = one[f"{what}_cost_nano"], one[f"{what}_tokens"]
    parts = [f"{usd_of(cost):.4f} USD"] if cost else []
    parts += [say("tokens", count=tokens)] if tokens else []
    return say("and").join(parts)
