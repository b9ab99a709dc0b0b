"""Where figures come from: what proves them, and what does not."""

import json
from datetime import date
from decimal import Decimal
from typing import Any

import pyarrow as pa
import pytest

from dataagent_core.config.limits.data import RECEIPT_FIGURES_MAX
from dataagent_core.tools.data.receipts.figure_trace import trace_figures
from dataagent_core.tools.data.receipts.result_values.result_index import ResultIndex, index_result
from dataagent_core.tools.data.receipts.trace_values import ToolOutput, TraceResult

SALES = "r_ab12cd34ef56"
OTHER = "r_00000000000a"


def sales(*, truncated: bool = False) -> ResultIndex:
    table = pa.table(
        {
            "region": ["East", "West", "North", "华东"],
            "orders": pa.array([120, 80, 95, 77], pa.int64()),
            "revenue": pa.array(
                [Decimal("12345.67"), Decimal("8010.50"), Decimal("9999.99"), None],
                pa.decimal128(18, 2),
            ),
            "margin_rate": [0.4512, 0.3308, 0.2741, 0.1904],
        }
    )
    return index_result(SALES, table, truncated=truncated)


def single(**columns: Any) -> ResultIndex:
    table = pa.table({name: [value] for name, value in columns.items()})
    return index_result(OTHER, table, truncated=False)


def found(answer: TraceResult) -> list[tuple[str, str, str]]:
    return [(f["text"], f["derivation"], f["detail"]) for f in answer.figures]  # type: ignore[index, call-overload]


def missing(answer: TraceResult) -> list[tuple[str, str]]:
    return [(f["text"], f["reason"]) for f in answer.unsourced]  # type: ignore[index, call-overload]


@pytest.mark.parametrize(
    ("text", "derivation", "detail"),
    [
        ("East had 120 orders.", "cell", "orders, row 1"),
        ("| region | revenue |\n|---|---|\n| West | 8,010.50 |", "cell", "revenue, row 2"),
        ("- **West**: $8.01K", "cell", "revenue, row 2"),
        ("West 的销售额为 8010.5 元", "cell", "revenue, row 2"),
        ("华东有 77 单", "cell", "orders, row 4"),
        ("120 orders came from East", "cell", "orders, row 1"),
        ("East's margin rate is 45.1%", "cell", "margin_rate, row 1"),
        ("All in all, 372 orders in total.", "sum", "sum(orders)"),
        ("订单合计 372", "sum", "sum(orders)"),
        ("| region | revenue |\n|---|---|\n| Total | 30,356.16 |", "sum", "sum(revenue)"),
        ("Total revenue was 3.04万", "sum", "sum(revenue)"),
        ("On average there were 93 orders", "mean", "mean(orders)"),
        ("平均销售额为 10,118.72 元", "mean", "mean(revenue)"),
        ("The highest revenue was 12,345.67.", "max", "max(revenue)"),
        ("订单最少的是华东\uff0c只有 77 单", "min", "min(orders)"),
        ("There are 4 regions.", "count", "count(rows)"),
        ("East exceeds West by 40 orders", "difference", "orders, row 1 - row 2"),
        ("East 比 West 多 4,335.17 元", "difference", "revenue, row 1 - row 2"),
        ("共372单", "sum", "sum(orders)"),
        ("The sample is small (n=4).", "count", "count(rows)"),
        (
            "In East, revenue minus orders is a difference of 12,225.67",
            "difference",
            "revenue - orders, row 1",
        ),
    ],
)
def test_a_figure_is_traced_to_what_it_is(text: str, derivation: str, detail: str):
    answer = trace_figures(text, [sales()])
    assert [(d, e) for _, d, e in found(answer)] == [(derivation, detail)]
    assert answer.unsourced == []


@pytest.mark.parametrize(
    "text",
    [
        "East had 121 orders.",
        "| region | revenue |\n|---|---|\n| West | 8,010.60 |",
        "订单合计 373",
        "The highest revenue was 12,345.66.",
        "There are 5 regions.",
        "East exceeds West by 41 orders",
        "Growth was 43.2%",
        "East has 32.3% of all orders",
        "East had 12.0万 orders",
        "There are 4.00 regions.",
        "The difference between revenue and orders is 9,999.99",
        "共有 372 个 region",
    ],
)
def test_a_wrong_figure_is_without_a_source(text: str):
    answer = trace_figures(text, [sales()])
    assert answer.figures == []
    assert len(answer.unsourced) == 1


@pytest.mark.parametrize(
    "text",
    [
        "East 80, West 120",
        "| region | orders |\n|---|---|\n| East | 80 |\n| West | 120 |",
        "East: 80; West: 120",
        "80 in East, 120 in West",
        "East是80\uff0cWest是120",
    ],
)
def test_figures_of_swapped_rows_are_caught(text: str):
    assert missing(trace_figures(text, [sales()])) == [
        (number, "other_row") for number in (("80", "120"))
    ]


def test_the_same_words_the_right_way_round_are_proven():
    for text in ("East 120, West 80", "120 in East, 80 in West", "East是120\uff0cWest是80"):
        assert [d for _, d, _ in found(trace_figures(text, [sales()]))] == ["cell", "cell"]


def test_two_rows_named_at_once_are_not_confused():
    answer = trace_figures("East and West had 120 and 80 orders respectively.", [sales()])
    assert [d for _, d, _ in found(answer)] == ["cell", "cell"]


@pytest.mark.parametrize(
    "text",
    [
        "All in all, 372 orders in total.",
        "On average there were 93 orders",
        "The highest revenue was 12,345.67.",
        "There are 4 regions.",
        f"East has 32.3% [{SALES}: orders@East / sum(orders)] of the orders",
    ],
)
def test_a_truncated_result_proves_no_total(text: str):
    answer = trace_figures(text, [sales(truncated=True)])
    assert answer.figures == []
    assert len(answer.unsourced) == 1


def test_a_truncated_result_still_proves_its_cells():
    assert found(trace_figures("East had 120 orders.", [sales(truncated=True)]))


@pytest.mark.parametrize(
    "text",
    [
        f"East has 32.3% [{SALES}: orders@East / sum(orders)] of the orders",
        f"East占总订单的 32.3% [{SALES}]",
        f"East is 50.0% [{SALES}: orders@East / orders@West - 1] above West",
        f"West is 33.3% below East [{SALES}: (orders@West - orders@East) / orders@East]",
        f"East has 1.5x as many orders as West [{SALES}: orders@East / orders@West]",
        f"each order brings 102.88 [{SALES}: revenue@East / orders@East]",
        f"81.6 per order [{SALES}: sum(revenue) / sum(orders)]",
    ],
)
def test_a_ratio_is_recomputed_where_the_result_is_cited(text: str):
    answer = trace_figures(text, [sales()])
    assert [d for _, d, _ in found(answer)] == ["ratio"]
    assert answer.figures[0]["class"] == "cited"  # type: ignore[index, call-overload]


@pytest.mark.parametrize(
    "text",
    [
        f"East has 32.4% [{SALES}: orders@East / sum(orders)] of the orders",
        f"the ratio is 0.97% [{SALES}: orders@East / revenue@West]",
        f"the ratio is 129.0% [{SALES}: orders@East / mean(orders)]",
        f"it is 12.3% [{SALES}: orders@Nowhere / sum(orders)]",
        f"it is 12.3% [{SALES}: drop table x]",
        f"it is 12.3% [{SALES}]",
    ],
)
def test_a_ratio_that_is_another_or_not_allowed_is_no_proof(text: str):
    assert missing(trace_figures(text, [sales()])) == [
        (text.split("% [", maxsplit=1)[0].rsplit(maxsplit=1)[-1] + "%", "not_in_cited")
    ]


def test_a_figure_of_another_result_than_the_cited_one_is_no_proof():
    results = [single(refunds=31_415), sales()]
    assert found(trace_figures("Refunds: 31,415", results))
    assert missing(trace_figures(f"Refunds: 31,415 [{SALES}]", results)) == [
        ("31,415", "not_in_cited")
    ]
    unknown = trace_figures("Refunds: 31,415 [r_ffffffffffff]", results)
    assert missing(unknown) == [("31,415", "cited_unknown")]


def test_a_difference_is_of_the_rows_and_columns_it_names():
    days = pa.table({"day": ["Mon", "Tue"], "visits": [1_000, 1_040]})
    other = index_result(OTHER, days, truncated=False)
    # 40 is what the visits of two days differ by, and nothing of East and North.
    text = "East exceeds North in orders by 40"
    assert found(trace_figures(text, [other, sales()])) == []
    assert found(trace_figures("Tue exceeds Mon by 40", [other, sales()])) == [
        ("40", "difference", "visits, row 2 - row 1")
    ]


def test_a_change_is_from_what_it_is_compared_with():
    right = f"East has 50.0% more orders than West [{SALES}]"
    wrong = f"East has 33.3% more orders than West [{SALES}]"
    assert len(found(trace_figures(right, [sales()]))) == 1
    assert missing(trace_figures(wrong, [sales()])) == [("33.3%", "not_in_cited")]


def test_a_rough_figure_of_no_named_row_is_not_looked_for_in_a_long_result():
    long = pa.table({"city": [f"c{n}" for n in range(40)], "rate": [n + 0.5 for n in range(40)]})
    answer = trace_figures("The rate was 27.5%.", [index_result(OTHER, long, truncated=False)])
    assert missing(answer) == [("27.5%", "not_found")]
    short = index_result(OTHER, long.slice(20, 10), truncated=False)
    assert len(found(trace_figures("The rate was 27.5%.", [short]))) == 1


def test_a_citation_below_a_table_is_for_the_whole_table():
    table = "| region | orders |\n|---|---|\n| East | 120 |\n| West | 31,415 |\nSource: "
    results = [single(refunds=31_415), sales()]
    answer = trace_figures(f"{table}[{SALES}]", results)
    assert [text for text, _, _ in found(answer)] == ["120"]
    assert [text for text, _ in missing(answer)] == ["31,415"]


def test_the_output_of_a_program_is_a_weaker_class():
    output = ToolOutput(tool_name="code_executor", tool_call_id="c", text="slope 0.734512\n12,400")
    answer = trace_figures("The slope is 0.735, over 12,400 points; 0.736 is wrong.", [], [output])
    assert [f["class"] for f in answer.figures] == ["output", "output"]  # type: ignore[index, call-overload]
    assert found(answer)[0][2] == "seen in the output of code_executor"
    assert missing(answer) == [("0.736", "not_found")]


def test_line_numbers_of_a_file_are_not_its_numbers():
    output = ToolOutput(
        tool_name="read_file", tool_call_id="c", text="   123\tnothing\n   124\tmore"
    )
    assert trace_figures("It is 123.", [sales()], [output]).figures == []


def test_without_results_and_numbers_nothing_is_said():
    assert trace_figures("There are 12 of 345 [r_ab12cd34ef56].", []) == TraceResult()


def test_a_result_of_one_row_proves_small_numbers():
    assert found(trace_figures("There are 7 open tickets.", [single(open_tickets=7)]))
    assert missing(trace_figures("There are 8 open tickets.", [single(open_tickets=7)]))


def test_a_small_number_alone_is_not_proven_by_a_column_of_small_numbers():
    table = pa.table({"shop": [f"s{n}" for n in range(30)], "stars": [n % 6 for n in range(30)]})
    answer = trace_figures("The rating is 4.", [index_result(SALES, table, truncated=False)])
    assert answer.figures == []


def test_dates_and_years_name_rows():
    days = [date(2024, month, 1) for month in (1, 2, 3)]
    table = pa.table({"month": days, "sold": [310, 420, 530]})
    index = index_result(SALES, table, truncated=False)
    assert found(trace_figures("In February 2024 we sold 420, in March 530.", [index]))
    assert (
        len(trace_figures("2024年2月卖出 530 件\uff0c2024年3月卖出 420 件", [index]).unsourced) == 2
    )


def test_units_in_a_columns_name_are_minded():
    table = pa.table({"地区": ["华东", "华南"], "销售额(万元)": [1234.5, 876.25]})
    index = index_result(SALES, table, truncated=False)
    assert found(trace_figures("华东销售额 1,234.5万元", [index]))
    assert missing(trace_figures("华东销售额 1,234.6万元", [index]))


def test_nulls_infinities_and_large_numbers_are_handled():
    table = pa.table(
        {
            "name": ["a1", "b2", "c3"],
            "big": pa.array([2**62, 2**62, 2**62], pa.int64()),
            "odd": [float("inf"), float("nan"), 2.5],
            "empty": pa.array([None, None, None], pa.float64()),
        }
    )
    index = index_result(SALES, table, truncated=False)
    assert found(trace_figures(f"The total is {3 * 2**62}", [index])) == [
        (str(3 * 2**62), "sum", "sum(big)")
    ]
    assert found(trace_figures("c3: 2.5", [index]))


def test_what_was_not_checked_is_said_and_not_guessed():
    answer = trace_figures("The total is 9,999,123.", [sales()], unchecked=["r_000000000001"])
    assert missing(answer) == [("9,999,123", "not_checked")]
    assert missing(trace_figures("East had 120.", [sales()], seconds_max=0)) == [
        ("120", "not_checked")
    ]


def test_what_is_said_is_json_and_bounded():
    text = "; ".join(f"value {n}.5" for n in range(10_000, 10_000 + 2 * RECEIPT_FIGURES_MAX))
    answer = trace_figures(text, [sales()])
    json.dumps([answer.figures, answer.unsourced])
    assert len(answer.figures) + len(answer.unsourced) == RECEIPT_FIGURES_MAX


def test_a_million_rows_are_scanned_in_bounded_time():
    rows = 1_000_000
    table = pa.table(
        {
            "id": pa.array(range(rows), pa.int64()),
            "amount": pa.array((n * 7919 % 1_000_003 + 0.25 for n in range(rows)), pa.float64()),
            "shop": pa.array((f"shop {n % 900}" for n in range(rows)), pa.string()),
        }
    )
    index = index_result(SALES, table, truncated=False)
    total = sum(n * 7919 % 1_000_003 + 0.25 for n in range(rows))
    answer = trace_figures(
        f"The total amount is {total:,.2f} over 1,000,000 rows; 123,457 is one.", [index]
    )
    assert [d for _, d, _ in found(answer)] == ["sum", "count"]
    # Nearly every number of that size is some cell: it proves nothing.
    assert [text for text, _ in missing(answer)] == ["123,457"]
