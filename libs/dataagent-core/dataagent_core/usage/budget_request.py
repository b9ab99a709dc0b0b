"""The human request of a run whose call does not fit into its budgets, and its effect. Pure.

Request and answer are in the log; what was approved is read from there, so it survives a crash and
is never added twice.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from dataagent_core.usage.budget import Amount, BudgetRefusal, Shortage, usd_of

NAME = "budget"
# The answer of the program when nothing has to be raised any more.
ROOM_AGAIN = "there is room again"


def request_for(refused: BudgetRefusal) -> dict[str, Any]:
    """Make the request: the budgets, what is used of them, and what is requested."""
    raised = "; ".join(
        f"{one.budget.key.in_words} by {_format_amount(one.step)}" for one in refused.shortages
    )
    needed = next((_format_amount(one.asked) for one in refused.shortages), "more")
    return {
        "kind": "budget",
        "question": f"The next model call may use up to {needed}, which does not fit. "
        f"Raise {raised} for this run?",
        "context": f"{refused}.",
        "action_requests": [
            {
                "name": NAME,
                "args": {"raise": raised},
                "description": str(refused),
                "budgets": [_shortage_json(one) for one in refused.shortages],
            }
        ],
    }


def steps_in(action_requests: Sequence[Mapping[str, Any]]) -> dict[str, Amount]:
    """Read from a request what an approval adds, by budget."""
    return {
        str(budget["key"]): Amount(int(budget["step_tokens"]), int(budget["step_cost_nano"]))
        for action in action_requests
        for budget in action.get("budgets", ())
    }


def read_allowance(
    decision: Mapping[str, Any], action_requests: Sequence[Mapping[str, Any]]
) -> dict[str, Amount]:
    """Read from an answer what a run may use beyond its budgets."""
    if decision.get("type") != "approve" or not is_of_person(decision):
        return {}
    return steps_in(action_requests)


def is_of_person(decision: Mapping[str, Any]) -> bool:
    """Return whether a person, and not the program, gave this answer."""
    return decision.get("answer") != ROOM_AGAIN


def read_requested_amount(action_requests: Sequence[Mapping[str, Any]]) -> Amount:
    """Read from a request what its call may use."""
    budgets = [budget for action in action_requests for budget in action.get("budgets", ())]
    if not budgets:
        return Amount()
    return Amount(int(budgets[0]["asked_tokens"]), budgets[0]["asked_cost_nano"])


def _shortage_json(one: Shortage) -> dict[str, Any]:
    key = one.budget.key
    return {
        "key": str(key),
        "scope": key.scope,
        "scope_id": key.scope_id,
        "period": key.period,
        "used_tokens": one.used.tokens,
        "used_cost": usd_of(one.used.cost_nano),
        "reserved_tokens": one.reserved.tokens,
        "reserved_cost": usd_of(one.reserved.cost_nano),
        "tokens_max": one.budget.tokens_max,
        "cost_max": usd_of(one.budget.cost_nano_max),
        "asked_tokens": one.asked.tokens,
        "asked_cost_nano": one.asked.cost_nano,
        "step_tokens": one.step.tokens,
        "step_cost_nano": one.step.cost_nano or 0,
    }


def _format_amount(step: Amount) -> str:
    parts: list[str] = []
    if step.cost_nano:
        parts.append(f"{usd_of(step.cost_nano):.4f} USD")
    if step.tokens:
        parts.append(f"{step.tokens:,} tokens")
    return " and ".join(parts)
