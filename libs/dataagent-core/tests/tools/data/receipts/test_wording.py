"""Ways to say a figure: next periods, units, what things are worth, heads with a scale."""

from typing import Any

import pyarrow as pa
import pytest

from dataagent_core.tools.data.receipts.figure_trace import trace_figures
from dataagent_core.tools.data.receipts.result_values.result_index import ResultIndex, index_result

ID = "r_ab12cd34ef56"


def index(**columns: list[Any]) -> ResultIndex:
    return index_result(ID, pa.table(columns), truncated=False)


MONTHS = index(month=["2025-03", "2025-04", "2025-05"], revenue=[4529, 4473, 4698])
QUARTERS = index(
    quarter=["2024Q1", "2024Q2", "2024Q3", "2024Q4"],
    orders=[1264, 1389, 1317, 1872],
    returns=[83, 95, 88, 159],
)
WEEKS = index(week=["2025-W12", "2025-W13"], signups=[3980, 5230], crashes=[405, 264])
TEAMS = index(
    team=["Billing", "Technical"],
    calls_missed=[1905, 3418],
    calls_answered=[42180, 36740],
    avg_handle_sec=[318, 542],
)
SITES = index(site=["Dublin", "Lisbon"], racks=[840, 415], power_kw=[6720, 2905])
LOANS = index(branch=["North", "South"], loans_issued=[2315, 1276], loan_amount=[129640, 71456])
PORTS = index(
    port=["Aldmere", "Aldmere", "Kessel", "Kessel"],
    year=[2023, 2024, 2023, 2024],
    ships=[2610, 2745, 1480, 1395],
)
SALES = index(大区=["华北", "华东"], 成交额=[186450000, 312780000], 订单数=[642900, 1042600])
BANK = index(
    季度=["2024Q1", "2024Q2"], 存款余额=[1864, 1918], 贷款余额=[1427, 1483], 不良率=[0.0138, 0.0134]
)


def states(text: str, result: ResultIndex) -> list[str]:
    answer = trace_figures(text.replace("[r1", f"[{ID}"), [result])
    found: list[Any] = [*answer.figures, *answer.unsourced]
    ordered = sorted(found, key=lambda one: one["start"])
    return [one.get("class") or one["reason"] for one in ordered]


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("Revenue was 4,473 in April and 4,698 the month after.", MONTHS),
        ("4月收入4,473元,次月为4,698元。", index(月份=["2025-04", "2025-05"], 收入=[4473, 4698])),
        ("Orders came to 1,317 in the third quarter.", QUARTERS),
        ("In the first half we had 2,653 orders.", QUARTERS),
        ("In week 13 there were 5,230 signups and 264 crashes.", WEEKS),
        ("The Technical team missed 3,418 calls, the Billing team 1,905.", TEAMS),
        ("Technical handles a call in 9.0 minutes, Billing in 5.3.", TEAMS),
        ("Dublin draws 6.72 MW.", SITES),
        ("North issued 2,315 loans worth $129,640.", LOANS),
        ("In 2024 Aldmere received 2,745 ships. Kessel received 1,395 ships.", PORTS),
        ("Orders rose to 1,872 in Q4, 555 more than in Q3.", QUARTERS),
        ("| 大区 | 成交额(亿元) |\n|---|--:|\n| 华北 | 1.86 |\n| 华东 | 3.13 |", SALES),
        (
            "| | 2024Q1 | 2024Q4 | Change |\n|---|--:|--:|--:|\n| Orders | 1,264 | 1,872 | +608 |",
            QUARTERS,
        ),
        ("华东GMV3.13亿元。", index(大区=["华北", "华东"], gmv=[186450000, 312780000])),
    ],
)
def test_a_careful_reader_would_certify_it(text: str, result: ResultIndex):
    assert set(states(text, result)) == {"result"}


@pytest.mark.parametrize(
    ("text", "result", "wrong"),
    [
        # The year of the sentence before stays.
        ("In 2024 Aldmere received 2,745 ships. Kessel received 1,480 ships.", PORTS, "other_row"),
        # An amount less a rate is no difference.
        ("二季度不良率下降,存款余额1,483元。", BANK, "other_column"),
        ("Orders fell by 555 in Q4.", QUARTERS, "not_found"),
        ("Revenue was 4,473 in April and 4,529 the month after.", MONTHS, "other_row"),
        ("| 大区 | 成交额(亿元) |\n|---|--:|\n| 华北 | 3.13 |", SALES, "other_row"),
    ],
)
def test_what_is_of_another_row_or_column_is_not(text: str, result: ResultIndex, wrong: str):
    assert states(text, result)[-1] == wrong


def test_a_unit_decides_nothing_where_the_words_say_something_else():
    assert states("Customers of Technical waited 9.0 minutes.", TEAMS) == ["value"]


def test_the_two_figures_that_a_cited_ratio_is_of_are_named_by_it():
    text = "North collected 2,315 of 129,640 (1.8% [r1: loans_issued@North / loan_amount@North])."
    assert states(text, LOANS)[:2] == ["cited", "cited"]
