"""The numbers of one column of a result: searched by value, counted by range, summed exactly.

Short columns are sorted lists; long ones stay in Arrow and are scanned, so that a million rows
cost memory once and a millisecond or two per question.
"""

import re
from bisect import bisect_left, bisect_right
from decimal import Decimal
from functools import cached_property
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from dataagent_core.config.limits.data import RECEIPT_LISTED_ROWS_MAX
from dataagent_core.tools.data.receipts.figures.units import read_name_unit
from dataagent_core.tools.data.receipts.measures.measure_words import is_generic

_RATE = re.compile(
    r"%|percent|pct|(?:^|[_\W])(?:rate|ratio|share|margin|growth|proportion|fraction|yoy|mom)(?:$|[_\W])"
    r"|率|占比|比例|比重|份额|同比|环比|百分",
    re.IGNORECASE,
)
_PERCENT = re.compile(r"%|percent|pct|百分", re.IGNORECASE)
# What is numbered and not measured: nobody adds it up.
_NAMES_THINGS = re.compile(
    r"(?:^|(?<!_per)_)(?:id|no|num|code|zip|phone|year|month|day|week|quarter|hour|rank|season|fy|vintage|cohort)$|编号|编码|邮编|电话|"
    r"年份|赛季|财年|学年|年度$|^年$|月份|^月$|季度|排名",
    re.IGNORECASE,
)
_UNITS = (
    (re.compile(r"万亿"), 12),
    (re.compile(r"亿"), 8),
    (re.compile(r"万"), 4),
    (re.compile(r"(?:^|[_\W])(?:billions?|bn)(?:$|[_\W])", re.IGNORECASE), 9),
    (re.compile(r"(?:^|[_\W])(?:millions?|mn|m)(?:$|[_\W])", re.IGNORECASE), 6),
    (re.compile(r"(?:^|[_\W])(?:thousands?|k)(?:$|[_\W])", re.IGNORECASE), 3),
)
# Its functions are made when it is imported, where no checker sees them.
_compute: Any = pc
_FRACTION_MAX = 1.0
# A growth rate of more than a thousand per cent is a percentage, not a fraction.
_RATE_FRACTION_MAX = 10.0
# A sum of floats is as exact as floats are.
_FLOAT_SLACK = Decimal("1e-9")


class NumericColumn:
    """A column that counts or measures."""

    def __init__(self, name: str, column: pa.ChunkedArray) -> None:
        self.name = name
        self._exact = column
        self.is_float = pa.types.is_floating(column.type)
        self.is_whole = pa.types.is_integer(column.type)
        self.rate_named = bool(_RATE.search(name))
        self.percent_named = bool(_PERCENT.search(name))
        self.names_things = bool(_NAMES_THINGS.search(name))
        self.unit = next((Decimal(10) ** n for word, n in _UNITS if word.search(name)), None)
        self.is_generic = is_generic(name)
        self.measured_in = read_name_unit(name)
        floats = column.cast(pa.float64(), safe=False)
        finite = _compute.is_finite(floats)
        self._floats = _compute.if_else(
            finite, floats, pa.scalar(None, pa.float64())
        ).combine_chunks()
        self.count = len(self._floats) - self._floats.null_count

    def value(self, row: int) -> Decimal | None:
        """Read one cell exactly."""
        return _make_decimal(self._exact[row].as_py())

    @property
    def slack(self) -> Decimal:
        """The relative error that a value computed from this column may have."""
        return _FLOAT_SLACK if self.is_float else Decimal(0)

    @cached_property
    def fractions(self) -> bool:
        """Say whether all values lie between -1 and 1 and are not whole."""
        if self.is_whole or not self.count:
            return False
        low, high = float(self._floats_min), float(self._floats_max)
        return low >= -_FRACTION_MAX and high <= _FRACTION_MAX and (low % 1 != 0 or high % 1 != 0)

    @property
    def in_hundreds(self) -> bool:
        """Say whether its rates may be written as per cents: 12.3 for 12.3%."""
        return self.rate_named and (self.percent_named or not self.fractions)

    @cached_property
    def in_fractions(self) -> bool:
        """Say whether its rates may be written as fractions: 0.123 for 12.3%."""
        if self.fractions:
            return True
        small = self.count and max(-self._floats_min, self._floats_max) <= _RATE_FRACTION_MAX
        return bool(small) and self.rate_named and not self.percent_named and not self.is_whole

    @cached_property
    def total(self) -> Decimal | None:
        """The sum of the column."""
        if not self.count:
            return None
        if self.is_float:
            return _make_decimal(_compute.sum(self._floats).as_py())
        widest = pa.decimal256(76, getattr(self._exact.type, "scale", 0))
        return _make_decimal(_compute.sum(self._exact.cast(widest)).as_py())

    @property
    def mean(self) -> Decimal | None:
        """The mean of the non-null values."""
        return None if self.total is None else self.total / self.count

    @cached_property
    def minimum(self) -> Decimal | None:
        """The smallest value."""
        return self._find_extreme("min")

    @cached_property
    def maximum(self) -> Decimal | None:
        """The largest value."""
        return self._find_extreme("max")

    def rows_between(self, low: float, high: float, limit: int) -> list[int]:
        """List rows whose value may lie between the two; exactness is the caller's."""
        if self._sorted is not None:
            values, rows = self._sorted
            first, last = bisect_left(values, low), bisect_right(values, high)
            return sorted(rows[first:last])[:limit]
        inside = _compute.and_(
            _compute.greater_equal(self._floats, low), _compute.less_equal(self._floats, high)
        )
        return _compute.indices_nonzero(_compute.fill_null(inside, fill_value=False))[
            :limit
        ].to_pylist()

    def distinct_between(self, low: float, high: float) -> int:
        """Count the different values between the two."""
        if isinstance(self._distinct, list):
            return bisect_right(self._distinct, high) - bisect_left(self._distinct, low)
        inside = _compute.and_(
            _compute.greater_equal(self._distinct, low), _compute.less_equal(self._distinct, high)
        )
        return _compute.sum(inside).as_py() or 0

    @cached_property
    def _sorted(self) -> tuple[list[float], list[int]] | None:
        if len(self._floats) > RECEIPT_LISTED_ROWS_MAX:
            return None
        numbered = enumerate(self._floats.to_pylist())
        pairs = sorted((value, row) for row, value in numbered if value is not None)
        return [value for value, _ in pairs], [row for _, row in pairs]

    @cached_property
    def _distinct(self) -> "list[float] | pa.Array":
        if self._sorted is not None:
            return sorted(set(self._sorted[0]))
        return _compute.unique(self._floats.drop_null())

    @property
    def _floats_min(self) -> float:
        return _compute.min(self._floats).as_py()

    @property
    def _floats_max(self) -> float:
        return _compute.max(self._floats).as_py()

    def _find_extreme(self, which: str) -> Decimal | None:
        if not self.count:
            return None
        column = self._floats if self.is_float else self._exact
        return _make_decimal(_compute.min_max(column).as_py()[which])


def _make_decimal(value: object) -> Decimal | None:
    """Turn a cell into an exact number; a float is what it is printed as."""
    match value:
        case None:
            return None
        case float():
            number = Decimal(repr(value))
            return number if number.is_finite() else None
        case int() | Decimal():
            return Decimal(value)
        case _:
            return None
