"""Units of figures and of columns."""

from decimal import Decimal

import pytest

from dataagent_core.tools.data.receipts.figures.units import (
    find_conversion,
    is_in_basis_points,
    read_name_unit,
    read_unit_behind,
)


@pytest.mark.parametrize(
    ("text", "unit"),
    [(" MWh and", "mwh"), ("度电", "度"), (" tonnes of", "tonne"), (" basis points", "bp")],
)
def test_a_unit_behind_a_figure_is_read(text: str, unit: str):
    assert read_unit_behind(text, 0) == unit


@pytest.mark.parametrize(
    ("name", "unit"),
    [("energy_kwh", "kwh"), ("产量_吨", "吨"), ("平均等待秒数", "秒"), ("price_per_tonne", None)],
)
def test_a_column_says_its_unit_at_the_end_of_its_name(name: str, unit: str | None):
    assert read_name_unit(name) == unit


def test_units_of_one_kind_convert_and_others_do_not():
    assert find_conversion("mwh", "kwh") == Decimal(1000)
    assert find_conversion("吨", "kg") == Decimal(1000)
    assert find_conversion("kw", "kwh") is None
    assert find_conversion(None, "kwh") == Decimal(1)
    assert is_in_basis_points("基点")
