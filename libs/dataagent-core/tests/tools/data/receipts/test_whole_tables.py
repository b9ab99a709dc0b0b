"""Whole results printed as tables and lists: every cell is proven, and no swapped one is."""

from datetime import date, timedelta
from decimal import Decimal
from typing import Any

import pyarrow as pa
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from dataagent_core.tools.data.receipts.figure_trace import trace_figures
from dataagent_core.tools.data.receipts.result_values.result_index import ResultIndex, index_result
from tests.counts import examples

RESULT = "r_ab12cd34ef56"
NAMES = [
    "Alpha",
    "Beta corp",
    "Gamma",
    "Delta-9",
    "北京",
    "上海浦东",
    "Öst",
    "Zeta & Sons",
    "Eta",
    "Theta",
]
# Heads that say neither "total" nor "rate", so that only cells are claimed.
HEADS = {"orders": "integer", "价格": "decimal", "weight": "float", "visitors": "integer"}

integers = st.integers(min_value=-(10**9), max_value=10**9)
decimals = st.decimals(min_value=-(10**7), max_value=10**7, places=2, allow_nan=False)
floats = st.integers(min_value=-(10**8), max_value=10**8).map(lambda number: number / 1000)


@st.composite
def tables(draw: st.DrawFn) -> tuple[list[str], dict[str, list[Any]]]:
    rows = draw(st.integers(min_value=2, max_value=len(NAMES)))
    if draw(st.booleans()):
        first = draw(st.dates(min_value=date(2001, 1, 1), max_value=date(2030, 1, 1)))
        labels = [(first + timedelta(days=n)).isoformat() for n in range(rows)]
    else:
        labels = draw(st.permutations(NAMES))[:rows]
    columns: dict[str, list[Any]] = {}
    for name in draw(st.lists(st.sampled_from(sorted(HEADS)), min_size=1, unique=True)):
        kind = {"integer": integers, "decimal": decimals, "float": floats}[HEADS[name]]
        columns[name] = draw(st.lists(st.none() | kind, min_size=rows, max_size=rows))
    return labels, columns


def index(labels: list[str], columns: dict[str, list[Any]]) -> ResultIndex:
    types = {"integer": pa.int64(), "decimal": pa.decimal128(18, 2), "float": pa.float64()}
    arrays = {name: pa.array(values, types[HEADS[name]]) for name, values in columns.items()}
    return index_result(RESULT, pa.table({"who": pa.array(labels), **arrays}), truncated=False)


def shown(value: Any) -> str:
    if value is None:
        return "n/a"
    return f"{value:,.3f}" if isinstance(value, float) else f"{value:,}"


def markdown(labels: list[str], columns: dict[str, list[Any]]) -> str:
    head = f"| who | {' | '.join(columns)} |\n|---|{'---:|' * len(columns)}"
    rows = (
        f"| {label} | {' | '.join(shown(values[n]) for values in columns.values())} |"
        for n, label in enumerate(labels)
    )
    return "\n".join([head, *rows])


@settings(max_examples=examples(150), deadline=None)
@given(tables())
def test_every_cell_of_a_printed_result_is_proven(made: tuple[list[str], dict[str, list[Any]]]):
    labels, columns = made
    answer = trace_figures(markdown(labels, columns), [index(labels, columns)])
    assert answer.unsourced == []
    cells = sum(value is not None for values in columns.values() for value in values)
    assert len(answer.figures) == cells
    assert {figure["derivation"] for figure in answer.figures} <= {"cell"}  # type: ignore[index, call-overload]


@settings(max_examples=examples(150), deadline=None)
@given(tables(), st.data())
def test_two_swapped_cells_of_a_printed_result_are_both_caught(
    made: tuple[list[str], dict[str, list[Any]]], data: st.DataObject
):
    labels, columns = made
    result = index(labels, columns)
    name = data.draw(st.sampled_from(sorted(columns)))
    known = [row for row, value in enumerate(columns[name]) if value is not None]
    assume(len(known) > 1)
    one, two = data.draw(st.permutations(known))[:2]
    values = list(columns[name])
    assume(values[one] != values[two])
    values[one], values[two] = values[two], values[one]
    answer = trace_figures(markdown(labels, {**columns, name: values}), [result])
    assert len(answer.unsourced) == 2
    # By chance the row may have the value in another column, too.
    reasons = {item["reason"] for item in answer.unsourced}  # type: ignore[index, call-overload]
    assert reasons <= {"other_row", "other_column"}


@settings(max_examples=examples(150), deadline=None)
@given(tables(), st.data())
def test_a_changed_digit_in_a_list_is_caught(
    made: tuple[list[str], dict[str, list[Any]]], data: st.DataObject
):
    labels, columns = made
    name = data.draw(st.sampled_from(sorted(columns)))
    known = [row for row, value in enumerate(columns[name]) if value is not None]
    assume(known)
    row = data.draw(st.sampled_from(known))
    value = Decimal(str(columns[name][row]))
    step = Decimal(1).scaleb(int(value.as_tuple().exponent)) * data.draw(st.integers(1, 9))
    text = f"- **{labels[row]}**: {name} {value + step:,}"
    answer = trace_figures(text, [index(labels, columns)])
    assert answer.figures == []
