"""Generated results to trace figures to: names, dates, counts, money, rates, nulls, cut ones."""

import random
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any

import pyarrow as pa

REGIONS = ["East", "West", "North", "South", "Central", "Overseas", "Online", "Coastal"]
PLACES = ["华东", "华南", "华北", "西南", "西北", "东北", "华中", "海外"]
PRODUCTS = [
    f"{a} {b}" for a in ("Blue", "Red", "Green", "Iron") for b in ("Lamp", "Chair", "Desk", "Mug")
]
GOODS = [
    "台灯",
    "椅子",
    "书桌",
    "水杯",
    "键盘",
    "耳机",
    "背包",
    "雨伞",
    "手表",
    "相机",
    "风扇",
    "地毯",
]
MONTHS = [f"2024-{month:02d}" for month in range(1, 13)]


@dataclass(frozen=True)
class Column:
    en: str
    zh: str
    kind: str  # count, money, price, share, percent, few


COLUMNS = [
    Column("orders", "订单数", "count"),
    Column("customers", "客户数", "count"),
    Column("revenue", "销售额", "money"),
    Column("cost", "成本", "money"),
    Column("unit_price", "单价", "price"),
    Column("returns", "退货数", "few"),
    Column("margin_rate", "毛利率", "share"),
    Column("discount_pct", "折扣率", "percent"),
]


@dataclass(frozen=True)
class Made:
    """A generated result, as lists."""

    result_id: str
    zh: bool
    label: str | None
    labels: list[Any]
    columns: list[Column]
    values: list[list[Any]]
    truncated: bool

    @property
    def rows(self) -> int:
        return len(self.values[0])

    def name(self, column: int) -> str:
        return self.columns[column].zh if self.zh else self.columns[column].en

    def label_text(self, row: int) -> str:
        value = self.labels[row]
        return value.isoformat() if isinstance(value, date) else str(value)

    def known(self, column: int) -> list[tuple[int, Decimal]]:
        return [(r, Decimal(str(v))) for r, v in enumerate(self.values[column]) if v is not None]

    def table(self) -> pa.Table:
        data: dict[str, Any] = {}
        if self.label is not None:
            data[self.label] = pa.array(self.labels)
        for number, column in enumerate(self.columns):
            kind = {"count": pa.int64(), "few": pa.int32(), "money": pa.decimal128(18, 2)}
            data[self.name(number)] = pa.array(
                self.values[number], kind.get(column.kind, pa.float64())
            )
        return pa.table(data)


def made(rng: random.Random, *, zh: bool) -> Made:
    rows = rng.choice([1, 2, 3, 4, 5, 6, 8, 12, 12, 40])
    label, labels = _labels(rng, rows, zh)
    columns = rng.sample(COLUMNS, rng.randint(1, 4))
    values = [[_value(rng, column.kind) for _ in range(rows)] for column in columns]
    for column in values:
        if rows > 3 and rng.random() < 0.3:
            column[rng.randrange(rows)] = None
    return Made(
        result_id=f"r_{rng.randrange(16**12):012x}",
        zh=zh,
        label=label,
        labels=labels,
        columns=columns,
        values=values,
        truncated=rng.random() < 0.15,
    )


def _labels(rng: random.Random, rows: int, zh: bool) -> tuple[str | None, list[Any]]:
    if rows == 1 and rng.random() < 0.7:
        return None, []
    pools: list[tuple[str, list[Any]]] = [
        ("地区" if zh else "region", PLACES if zh else REGIONS),
        ("商品" if zh else "product", GOODS if zh else PRODUCTS),
        ("month", MONTHS),
        ("day", [date(2024, 3, day) for day in range(1, 29)]),
        ("city", [f"{a}{b}" for a in "安定长新平" for b in "阳州宁海川江山原"] if zh else
         [f"{a}{b}" for a in ("Ash", "Oak", "Elm", "Fair", "Hart") for b in ("ford", "ton", "ley", "burgh", "wick", "dale", "mere", "by")]),
    ]  # fmt: skip
    name, pool = rng.choice([one for one in pools if len(one[1]) >= rows])
    chosen = rng.sample(pool, rows)
    return name, sorted(chosen) if name in ("month", "day") else chosen


def _value(rng: random.Random, kind: str) -> Any:
    match kind:
        case "count":
            return rng.randint(*rng.choice([(20, 900), (500, 9_000), (5_000, 900_000)]))
        case "money":
            return Decimal(rng.randint(100_000, rng.choice([10_000_000, 900_000_000]))) / 100
        case "price":
            return round(rng.uniform(3, 900), 2)
        case "few":
            return rng.randint(0, 12)
        case "share":
            # A last digit of 5 may be rounded either way.
            return round(
                rng.randint(10, 950) / 1000 + rng.choice([0, 1, 2, 3, 4, 6, 7, 8, 9]) / 10_000, 4
            )
        case _:
            return round(rng.uniform(1, 95), 1)
