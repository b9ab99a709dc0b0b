"""Units that are multiples of each other: 143.8 MWh are 143,800 kWh, 90 seconds 1.5 minutes.

A column says its unit at the end of its name (`energy_kwh`, 产量_吨), a figure right behind it. A
figure in a unit of another kind (kW for kWh) is not of the column.
"""

import re
from decimal import Decimal

_KINDS: dict[str, tuple[tuple[str, str], ...]] = {
    "energy": (
        ("1", "wh"),
        ("1e3", "kwh kilowatthour 度 千瓦时"),
        ("1e6", "mwh 兆瓦时"),
        ("1e9", "gwh"),
    ),
    "power": (
        ("1", "watt"),
        ("1e3", "kw kilowatt 千瓦"),
        ("1e6", "mw megawatt 兆瓦"),
        ("1e9", "gw"),
    ),
    "mass": (
        ("1", "gram 克"),
        ("1e3", "kg kilo kilogram 公斤 千克"),
        ("1e6", "t ton tonne 吨"),
    ),
    "length": (("1", "metre meter 米"), ("1e3", "km kilometre kilometer 公里 千米")),
    "volume": (("1", "litre liter 升"), ("1e2", "hl hectolitre"), ("1e3", "m3 立方米")),
    "time": (
        ("1", "s sec second 秒 秒钟"),
        ("60", "min minute 分钟"),
        ("3600", "h hr hour 小时"),
    ),
    "basis points": (("1", "bp 基点"),),
}
_UNITS = {
    word: (kind, Decimal(size))
    for kind, sizes in _KINDS.items()
    for size, words in sizes
    for word in words.split()
}
_BASIS_POINT = "bp"
# Words of a name that only say its unit.
UNIT_WORDS = frozenset(_UNITS) | {"usd", "eur", "cny", "亩", "元", "day", "bps"}
_ZH = "|".join(sorted((word for word in _UNITS if not word.isascii()), key=len, reverse=True))
_BEHIND = re.compile(
    rf"[\s*_`]*个?(?:(?P<zh>{_ZH})|(?P<basis>basis points?\b)"
    r"|(?P<en>[a-z][a-z0-9]*)(?![\u00b2\u00b3/]))"
)
_IN_NAME = re.compile(
    rf"(?<!\bper)(?<!_per)(?:[\W_]+(?P<en>[a-z][a-z0-9]*)|(?P<zh>{_ZH})数?)[)\W]*\Z"
)


def read_unit_behind(text: str, end: int) -> str | None:
    """Read the unit that stands right behind a figure."""
    found = _BEHIND.match(text[end : end + 24].lower())
    if found is None:
        return None
    return _BASIS_POINT if found["basis"] else _find_unit(found["zh"] or found["en"])


def read_name_unit(name: str) -> str | None:
    """Read the unit at the end of a column's name."""
    found = _IN_NAME.search(name.lower())
    return _find_unit(found["zh"] or found["en"]) if found is not None else None


def is_in_basis_points(unit: str | None) -> bool:
    """Say whether a unit is the hundredth of a percentage point."""
    return is_same_kind(unit, _BASIS_POINT)


def is_same_kind(unit: str | None, other: str | None) -> bool:
    """Say whether two units measure the same; False where one is not known."""
    return unit is not None and other is not None and _UNITS[unit][0] == _UNITS[other][0]


def find_conversion(unit: str | None, other: str | None) -> Decimal | None:
    """Say how many of the other unit one of this unit is; None where they do not convert."""
    if unit is None or other is None:
        return Decimal(1)
    return _UNITS[unit][1] / _UNITS[other][1] if is_same_kind(unit, other) else None


def _find_unit(word: str) -> str | None:
    return next((one for one in (word, word.removesuffix("s")) if one in _UNITS), None)
