"""Halves, quarters and years that a sentence names."""

import pytest

from dataagent_core.tools.data.receipts.periods.period_spans import MonthSpan, find_month_span


@pytest.mark.parametrize(
    ("text", "months", "year"),
    [
        ("in the first half of 2025 we billed", range(1, 7), 2025),
        ("the second quarter was weak", range(4, 7), None),
        ("in q3 2024", range(7, 10), 2024),
        ("2025年上半年", range(1, 7), 2025),
        ("第四季度", range(10, 13), None),
        ("over the whole year", range(1, 13), None),
    ],
)
def test_a_span_is_read_with_its_year(text: str, months: range, year: int | None):
    assert find_month_span(text) == MonthSpan(frozenset(months), year)


@pytest.mark.parametrize("text", ["in march 2025", "q1 against q2", "half of the orders"])
def test_one_month_two_spans_and_a_share_are_no_span(text: str):
    assert find_month_span(text) is None
