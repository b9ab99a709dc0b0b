"""`dataagent usage`, `dataagent context`, and a reached budget without a person to ask."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from dataagent_cli.approval.agent_question import answer_from, option_labels
from dataagent_cli.approval.budget_words import budget_words
from dataagent_cli.messages import Messages
from dataagent_core.events import HITLRequestEvent
from dataagent_core.usage import Amount, Budget, BudgetKey, BudgetRefusal
from dataagent_core.usage.budget import shortage
from dataagent_core.usage.budget_request import request_for

Command = Callable[..., tuple[int, str, str]]
USAGE = {"input_tokens": 1000, "output_tokens": 10, "cached_read_tokens": 250}


@pytest.mark.requirement("F7-9")
def test_usage_adds_up_what_was_used(command: Command, endpoint: Any) -> None:
    assert command("usage")[1:] == ("", "no model was used yet.\n")
    with endpoint({"text": "hi", "usage": USAGE}):
        assert command("run", "hello", "--session", "one")[0] == 0
        assert command("run", "hello", "--session", "two")[0] == 0
    month = json.loads(command("usage", "--json")[1])
    (day,) = month["usage"]
    assert (day["calls"], day["input_tokens"], day["cached_share"]) == (2, 2000, 0.25)
    assert (day["cost"], day["unpriced_calls"]) == (None, 2)
    assert month["total"]["total_tokens"] == 2020
    today = json.loads(command("usage", "--day", "--json")[1])
    assert [row["name"] for row in today["usage"]] == ["one", "two"]
    (run,) = json.loads(command("usage", "--session", "one", "--json")[1])["usage"]
    assert run["calls"] == 1
    code, shown, _ = command("usage", "--month")
    assert code == 0
    assert "unknown" in shown
    assert "25%" in shown
    code, _, told = command("usage", "--day", "--month")
    assert code != 0
    assert "--day, --month and --session" in told


@pytest.mark.requirement("F7-6")
def test_a_run_that_nobody_can_ask_about_waits_at_its_budget(
    command: Command, endpoint: Any, environment: dict[str, str]
) -> None:
    environment["DATAAGENT_DAY_TOKENS_MAX"] = "10"
    with endpoint({"text": "hi", "usage": USAGE}) as served:
        code, _, _ = command("run", "hello", "--session", "one")
        assert code == 3
        assert served.requests == ()
        _, _, shown = command("usage")
        assert "budget of today: 0 / 10 tokens" in shown
        environment["DATAAGENT_DAY_TOKENS_MAX"] = "1000000"
        code, out, _ = command("run", "--resume", "one")
    assert (code, out.strip()) == (0, "hi")
    budgets = json.loads(command("usage", "--json")[1])["budgets"]
    assert [(b["period"], b["used_tokens"]) for b in budgets] == [("day", 1010)]


@pytest.mark.requirement("F7-9")
def test_context_shows_how_the_window_was_spent(command: Command, endpoint: Any) -> None:
    with endpoint({"text": "hi", "usage": USAGE}):
        command("run", "hello", "--session", "one")
    report = json.loads(command("context", "one", "--json")[1])
    assert report["tools"] > 0
    assert report["reported_tokens"] == 1000
    assert report["cached_share"] == 0.25
    code, shown, told = command("context", "one")
    assert code == 0
    assert "instructions" in shown
    assert "25% of them cached" in told
    assert command("context", "missing")[0] != 0


@pytest.mark.parametrize(
    ("typed", "decision"),
    [
        ("1", {"type": "approve"}),
        ("y", {"type": "approve"}),
        ("approve", {"type": "approve"}),
        ("2", {"type": "reject"}),
        ("n", {"type": "reject"}),
        ("", None),
        ("maybe", None),
    ],
)
def test_a_budget_is_raised_or_not(typed: str, decision: dict[str, str] | None) -> None:
    request = HITLRequestEvent(interrupt_id="i", kind="budget", question="Raise it?")
    assert answer_from(typed, request, option_labels(request)) == decision


def test_the_question_at_a_budget_is_put_in_the_persons_language() -> None:
    key = BudgetKey("user", "local", "day")
    budget = Budget(key=key, cost_nano_max=2_000_000_000, tokens_max=5_000)
    short = shortage(budget, Amount(4_000, 1_500_000_000), Amount(2_000, 1_000_000_000))
    assert short is not None
    asked = request_for(BudgetRefusal((short,)))
    request = HITLRequestEvent(interrupt_id="i", **asked)
    assert budget_words(request, Messages("en")) == [
        "the budget of today: 1.5000 / 2.0000 USD, 4,000 / 5,000 tokens used",
        (
            "The next model call may use up to 1.0000 USD and 2,000 tokens, which does not fit. For "
            "this run, raise the budget of today by 0.5000 USD and 1,250 tokens?"
        ),
    ]
    assert budget_words(request, Messages("zh")) == [
        "今日预算:已用 1.5000 / 2.0000 USD, 4,000 / 5,000 token",
        (
            "下一次模型调用最多可能使用 1.0000 USD和2,000 token,超出预算。"
            "是否为本次运行提高今日预算 0.5000 USD和1,250 token?"
        ),
    ]


def test_usage_of_a_session_that_is_not_there_is_an_error(command: Command) -> None:
    code, _, told = command("usage", "--session", "nope")
    assert code != 0
    assert "'nope'" in told


def test_a_limit_of_money_that_cannot_hold_is_said(
    command: Command, endpoint: Any, environment: dict[str, str]
) -> None:
    environment["DATAAGENT_MONTH_COST_MAX"] = "3"
    with endpoint({"text": "hi", "usage": USAGE}):
        assert command("run", "hello", "--session", "one")[0] == 0
    assert "calls of unknown price: 1." in command("usage")[2]
    environment["DATAAGENT_MONTH_TOKENS_MAX"] = "100000"
    assert "calls of unknown price" not in command("usage")[2]
