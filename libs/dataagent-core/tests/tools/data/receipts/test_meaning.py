"""A figure is certified only where the words around it name its column, row and period."""

from typing import Any

import pyarrow as pa
import pytest

from dataagent_core.tools.data.receipts.figure_trace import trace_figures
from dataagent_core.tools.data.receipts.result_values.result_index import ResultIndex, index_result

ID = "r_ab12cd34ef56"


def index(**columns: list[Any]) -> ResultIndex:
    return index_result(ID, pa.table(columns), truncated=False)


SHOPS = index(
    region=["East", "West"],
    revenue=[1_284_500, 1_046_250],
    profit=[312_600, 228_940],
    returns=[213, 187],
    cancellations=[148, 165],
)
MONTHS = index(
    month=["2025-01", "2025-02", "2025-03", "2025-12"],
    revenue=[412_300, 398_720, 455_910, 624_150],
    profit=[125_150, 116_780, 146_430, 221_280],
)
STORES = index_result(
    ID,
    pa.table({"门店": ["徐汇店", "浦东店"], "退货": [137, 204], "取消": [92, 158]}),
    truncated=False,
)


def states(text: str, result: ResultIndex) -> list[str]:
    """Give the class of each figure, or why it has no source, in their order."""
    answer = trace_figures(text, [result])
    found: list[Any] = [*answer.figures, *answer.unsourced]
    found.sort(key=lambda one: one["start"])
    return [one.get("class") or one["reason"] for one in found]


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("East made a profit of 1,284,500 on revenue of 312,600.", SHOPS),
        ("West recorded 165 returns and 187 cancellations.", SHOPS),
        ("Returns and cancellations in East were 148 and 213, respectively.", SHOPS),
        ("浦东店退货158单\uff0c取消204单。", STORES),
        ("浦东店的退货和取消分别为158单和204单。", STORES),
    ],
)
def test_swapped_measures_of_one_row_are_refused(text: str, result: ResultIndex):
    assert states(text, result) == ["other_column", "other_column"]


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("East made a profit of 312,600 on revenue of 1,284,500.", SHOPS),
        ("West recorded 187 returns and 165 cancellations.", SHOPS),
        ("While West returned 187 orders, it cancelled 165.", SHOPS),
        ("东区 East 的营收为 128.45万元\uff0c利润为 312,600 元。", SHOPS),
        ("浦东店退货204单\uff0c取消158单。", STORES),
        ("The returns: 徐汇店 137, 浦东店 204.", STORES),
    ],
)
def test_the_same_measures_the_right_way_round_are_certified(text: str, result: ResultIndex):
    assert states(text, result) == ["result", "result"]


@pytest.mark.parametrize(
    ("text", "state"),
    [
        (f"Revenue grew 14.3% month on month in March 2025 [{ID}].", "cited"),
        (f"Revenue grew 14.3% month on month in February 2025 [{ID}].", "not_in_cited"),
        (f"Revenue fell 14.3% month on month in March 2025 [{ID}].", "not_in_cited"),
        (f"Profit grew 14.3% month on month in March 2025 [{ID}].", "not_in_cited"),
        (f"3月销售额环比增长14.3% [{ID}]", "cited"),
        (f"2月销售额环比下降3.3% [{ID}]", "cited"),
        (f"3月利润环比增长14.3% [{ID}]", "not_in_cited"),
        # There is no November: December has nothing to be compared with.
        (f"Revenue grew 36.9% month on month in December 2025 [{ID}].", "not_in_cited"),
        (f"It rose by 51.4% [{ID}: revenue@2025-12 / revenue@2025-01 - 1].", "cited"),
        (f"It rose by 51.4% [{ID}: (revenue@2025-12 / revenue@2025-01 - 1) * 100].", "cited"),
        (f"In all 811,020 [{ID}: revenue@2025-01 + revenue@2025-02].", "cited"),
        (f"In March it was 28.0% [{ID}: profit@2025-01 / revenue@2025-01].", "not_in_cited"),
        (f"Profit rose by 51.4% [{ID}: revenue@2025-12 / revenue@2025-01 - 1].", "not_in_cited"),
        (f"In all 824,600 [{ID}: revenue@2025-01 + revenue@2025-01].", "not_in_cited"),
    ],
)
def test_a_change_is_of_the_period_and_the_measure_it_is_said_of(text: str, state: str):
    # What a citation spells out wrongly may still name a row of the sentence.
    wrong = {"not_in_cited", "other_row", "other_column"}
    (found,) = states(text, MONTHS)
    assert found == state or (state in wrong and found in wrong)


@pytest.mark.parametrize(
    "text",
    [
        "East: 312,600",
        "East stands at 312,600 in our books.",
        "The profit was 312,600.",
        "East has a profit rate of 312,600.",
    ],
)
def test_a_value_whose_meaning_is_not_told_is_only_found(text: str):
    assert states(text, SHOPS) == ["value"]


def test_a_row_named_before_the_sentence_is_told():
    assert states("East is ahead. Its profit was 312,600.", SHOPS) == ["result"]


def test_the_only_measure_of_a_result_needs_no_name_unless_another_is_said():
    orders = index(region=["East", "West"], orders=[1_204, 876])
    assert states("East: 1,204", orders) == ["result"]
    assert states("The profit of East is 1,204", orders) == ["value"]
    assert states("East had 1,204 customers", index(region=["East", "West"], n=[1_204, 876])) == [
        "result"
    ]


def test_a_word_that_fits_two_columns_certifies_neither():
    both = index(region=["East", "West"], gross_profit=[5_120, 4_410], net_profit=[3_015, 2_204])
    assert states("East made a profit of 5,120", both) == ["value"]
    assert states("East made a gross profit of 5,120", both) == ["result"]
    assert states("East made a net profit of 5,120", both) == ["other_column"]


def test_a_row_of_two_labels_can_be_cited():
    trade = index(
        country=["Italy", "Italy", "France", "France"],
        year=[2023, 2024, 2023, 2024],
        exports=[676.9, 674.2, 648.5, 639.7],
    )
    text = f"It fell by 1.4% [{ID}: exports@France@2024 / exports@France@2023 - 1]."
    assert states(text, trade) == ["cited"]
    assert states(f"France's exports fell 1.4% in 2024 [{ID}].", trade) == ["cited"]
    assert states(f"Italy's exports fell 1.4% in 2024 [{ID}].", trade) == ["not_in_cited"]


def test_a_row_whose_name_reads_as_a_number_is_no_figure():
    classes = index(**{"class": ["7A", "8B"], "students": [31, 29], "absences": [46, 62]})
    assert states("8B has 62 absences among 29 students.", classes) == ["result", "result"]


@pytest.mark.parametrize(
    ("column", "word"),
    [
        ("sum(revenue)", "revenue"),
        ("round(sum(revenue), 2)", "turnover"),
        ("revenue (USD)", "revenue"),
        ("销售额(万元)", "销售额"),
        ("totalRevenue", "revenue"),
    ],
)
def test_a_column_is_named_by_what_it_measures(column: str, word: str):
    result = index(**{"region": ["East", "West"], column: [5_120, 4_410], "x1": [7_733, 8_844]})
    assert states(f"East: {word} 5,120", result) == ["result"]
    assert states(f"East: {word} 7,733", result) == ["other_column"]


CLUBS = index(
    branch=["Hill", "Hill", "Lake", "Lake"],
    year=[2023, 2024, 2023, 2024],
    loans=[87_450, 95_210, 148_320, 139_760],
    renewals=[15_230, 14_875, 31_450, 34_190],
)
PARCELS = index_result(
    ID,
    pa.table(
        {
            "网点": ["城东网点", "城北网点"],
            "延误件": [1728, 1899],
            "丢失件": [34, 46],
            "投诉量": [152, 173],
        }
    ),
    truncated=False,
)
FACULTIES = index(
    faculty=["Law", "Business", "Engineering"],
    applicants=[5275, 9643, 8420],
    offers=[1408, 2790, 2315],
    enrolled=[893, 1742, 1486],
    dropouts=[71, 239, 163],
)
PARTS = index(part=["Bearing", "Valve"], units=[18_400, 7315], unit_cost=[5.0, 27.8])
FUNDS = index(fund=["Bond", "Equity"], net_flows=[-94_200_000, 312_500_000], fee_pct=[0.28, 0.45])
METERS = index(
    month=[f"2025-0{month}" for month in range(1, 7)],
    consumption_kwh=[841_200, 796_500, 728_900, 654_300, 611_700, 689_400],
    billed_amount=[151_416, 143_370, 131_202, 117_774, 110_106, 124_092],
)


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("Hill: renewals 14,875 (2023).", CLUBS),
        ("城北网点丢失173件。", PARCELS),
        ("Engineering enrolled 256 more students than Business.", FACULTIES),
        ("Applicants and offers in Law were 1,408 and 5,275.", FACULTIES),
        ("Bond saw inflows of $94.2M.", FUNDS),
        ("Equity saw outflows of $312.5M.", FUNDS),
        ("In the first quarter we billed $777,960 in total.", METERS),
        ("In the first quarter we billed $352,000.", METERS),
    ],
)
def test_what_the_words_deny_is_not_certified(text: str, result: ResultIndex):
    assert not {"result", "cited"} & set(states(text, result))


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("Hill: renewals 15,230 (2023) and 14,875 (2024).", CLUBS),
        ("城北网点丢失46件\uff0c延误1,899件。", PARCELS),
        ("In all, 23,338 people applied and 473 dropped out.", FACULTIES),
        ("Applicants and offers in Law were 5,275 and 1,408.", FACULTIES),
        ("Enrolled students ranged from 893 to 1,742.", FACULTIES),
        ("We bought 18,400 bearings at $5 each.", PARTS),
        ("Bond saw outflows of $94.2M.", FUNDS),
        ("In the first quarter we billed $425,988.", METERS),
        ("In the first half of 2025 we used 4,322,000 kWh.", METERS),
    ],
)
def test_what_the_words_say_in_other_forms_is_certified(text: str, result: ResultIndex):
    found = [state for state in states(text, result) if state != "value"]
    assert found
    assert set(found) == {"result"}


def test_a_product_of_two_cells_of_a_row_is_recomputed():
    spelt = f"Bearings cost $92,000 [{ID}: units@Bearing * unit_cost@Bearing]."
    assert states(spelt, PARTS) == ["cited"]
    across = f"Bearings cost $511,520 [{ID}: units@Bearing * unit_cost@Valve]."
    assert states(across, PARTS) == ["not_in_cited"]
