"""Counting: messages once, histories by what is new, corrected by what the provider counted."""

from typing import Any

import pytest
from histories import IMAGE, number
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage
from langchain_core.tools import tool

from dataagent_core.context.report import ContextReport, calibrate, density
from dataagent_core.context.token_counter import (
    RunningTotals,
    TokenCounter,
    message_tokens,
    tools_tokens,
)


class Noting(TokenCounter):
    """Counts, and notes what it was asked to count."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[str | None] = []

    def __call__(self, message: BaseMessage) -> int:
        self.asked.append(message.id)
        return super().__call__(message)


def said(count: int) -> list[BaseMessage]:
    return number([HumanMessage(content=f"message {n}") for n in range(count)])


def answer(reported: int, text: str = "ok") -> AIMessage:
    usage: Any = {"input_tokens": reported, "output_tokens": 1, "total_tokens": reported + 1}
    return AIMessage(content=text, id="answer", usage_metadata=usage)


@pytest.mark.requirement("F7-1")
def test_a_turn_counts_only_what_is_new_in_it() -> None:
    count = Noting()
    totals = RunningTotals(count)
    messages = said(2_000)
    first = totals.of(messages, 0)
    count.asked.clear()
    grown = [*messages, HumanMessage(content="one more", id="new")]
    second = totals.of(grown, 0)
    assert count.asked == ["new"]
    assert second.tokens == first.tokens + message_tokens(grown[-1])


def test_another_view_or_another_history_is_counted_anew() -> None:
    count = Noting()
    totals = RunningTotals(count)
    totals.of(said(5), 0)
    count.asked.clear()
    totals.of(said(5), 1)
    totals.of(said(3), 1)
    totals.of([HumanMessage(content="x", id="other")], 0)
    assert len(count.asked) == 5 + 3 + 1


def test_results_are_told_apart() -> None:
    messages = number([HumanMessage(content="a" * 40), ToolMessage("b" * 400, tool_call_id="c")])
    totals = RunningTotals(TokenCounter()).of(messages, 0)
    assert (totals.history, totals.results) == (14, 105)


def test_a_shortened_copy_is_not_taken_for_the_message() -> None:
    count = TokenCounter()
    call = {"name": "write_file", "args": {"content": "x" * 4_000}, "id": "c"}
    whole = AIMessage(content="", id="m", tool_calls=[call])
    short = whole.model_copy(update={"tool_calls": [{**call, "args": {}}]})
    assert count(whole) > 1_000
    assert count(short) < 20
    assert count(whole) > 1_000


def test_an_image_costs_the_same_whatever_its_bytes() -> None:
    large = {"type": "image_url", "image_url": {"url": "data:," + "A" * 1_000_000}}
    costs = [message_tokens(HumanMessage(content=[block])) for block in (IMAGE, large)]
    assert costs[0] == costs[1] == 1_604


def test_a_tools_schema_counts() -> None:
    @tool
    def look(path: str) -> str:
        """Look at a file."""
        return path

    assert 30 < tools_tokens([look]) < 100
    assert tools_tokens([look, {"type": "web_search"}]) > tools_tokens([look])


NOW = ContextReport(history=1_000, window_tokens=10_000)


@pytest.mark.requirement("F7-1")
def test_what_was_sent_costs_what_the_provider_counted() -> None:
    last = ContextReport(history=900, reported_tokens=1_300)
    messages = [*said(2), answer(1_300), HumanMessage(content="a" * 400, id="new")]
    assert calibrate(NOW, last, messages, None, message_tokens) == 1_300 + 5 + 104


def test_tools_that_were_added_since_are_added() -> None:
    last = ContextReport(history=900, tools=100, reported_tokens=1_300)
    now = ContextReport(history=1_000, tools=600)
    assert calibrate(now, last, [answer(1_300)], None, message_tokens) == 1_300 + 5 + 500


def test_a_number_from_before_the_view_changed_only_says_how_dense_it_is() -> None:
    last = ContextReport(history=1_000, reported_tokens=1_500)
    messages = [answer(1_500)]
    assert calibrate(NOW, last, messages, "answer", message_tokens) == 1_500


@pytest.mark.parametrize(("reported", "believed"), [(0, 500), (10**9, 6_000)])
def test_a_number_that_cannot_be_true_is_held_near_the_estimate(
    reported: int, believed: int
) -> None:
    last = ContextReport(history=900, reported_tokens=reported or 1)
    messages = [answer(reported)]
    assert calibrate(NOW, last, messages, None, message_tokens) == believed


@pytest.mark.parametrize(("reported", "dense"), [(None, 1.0), (10, 1.0), (150, 1.5), (900, 2.0)])
def test_a_history_is_never_taken_for_thinner_than_estimated(
    reported: int | None, dense: float
) -> None:
    assert density(ContextReport(history=100, reported_tokens=reported)) == dense
