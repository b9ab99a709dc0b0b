"""Sentences, lists and tables that say one figure of a generated result, true or of a wrong row."""

import random
from decimal import Decimal

from receipt_results import Made

# What comes before the figure, the figure, what comes after it, and a program's output.
Said = tuple[str, str, str, str]


def plural(name: str) -> str:
    return f"{name[:-1]}ies" if name.endswith("y") and name != "day" else f"{name}s"


class Maker:
    """Writes one figure of `source` as if it were of `said`."""

    def __init__(
        self, rng: random.Random, source: Made, said: Made, wrong: str | None, *, zh: bool
    ) -> None:
        self.rng, self.source, self.said, self.zh, self.wrong = rng, source, said, zh, wrong
        # The column, where that is all the text says of the figure.
        self.only_column: str | None = None

    def make(self, derivation: str) -> Said | None:
        match derivation:
            case "cell":
                return self._cell(rates=False)
            case "percent cell":
                return self._cell(rates=True)
            case "difference":
                return self._difference()
            case "ratio":
                return self._ratio()
            case "output":
                return self._output()
            case _:
                return self._aggregate(derivation)

    def _column(self, made: Made, kinds: str) -> int | None:
        fitting = [n for n, column in enumerate(made.columns) if column.kind in kinds.split()]
        return self.rng.choice(fitting) if fitting else None

    def _cell(self, *, rates: bool) -> Said | None:  # noqa: PLR0911 (not every result has one)
        source, said, rng = self.source, self.said, self.rng
        column = self._column(source, "share percent" if rates else "count money price few")
        if column is None:
            return None
        row, value = rng.choice(source.known(column))
        if rates:
            shown = value * 100 if source.columns[column].kind == "share" else value
            number = f"{shown.quantize(Decimal('0.1') if rng.random() < 0.5 else Decimal('0.01'))}%"
        else:
            number = self._printed(value, source.columns[column].kind)
        spoken_row = row
        if self.wrong == "rows swapped":
            others = [r for r, v in source.known(column) if v != value and r != row]
            if not others or source.label is None:
                return None
            spoken_row = rng.choice(others)
            if abs(Decimal(str(source.values[column][spoken_row])) - value) * 50 < abs(value):
                return None  # both rows may be printed alike
        name = source.name(column)
        if self.wrong == "columns swapped":
            others = [n for n in range(len(source.columns)) if n != column]
            if not others or source.label is None or source is not said:
                return None
            named = rng.choice(others)
            other = source.values[named][row]
            if other is not None and abs(Decimal(str(other)) - value) * 50 < abs(value):
                return None  # both columns may be printed alike
            label = source.label_text(row)
            return (*self._named_column(source, label, source.name(named), number), "")
        digits = sum(map(str.isdigit, number))
        alone = self.wrong != "rows swapped" and digits > 2 and rng.random() < 0.3
        if source is not said or source.label is None or (alone and source.rows <= 12):
            return (*self._alone(name, number), "")
        label = source.label_text(spoken_row)
        return (*self._labelled(source, label, name, number), "")

    def _alone(self, name: str, number: str) -> tuple[str, str, str]:
        self.only_column = name
        name = name.replace("_", " ")
        before = self.rng.choice(
            [f"{name}为 ", f"查询显示,{name}是 ", f"**{name}**:"]
            if self.zh
            else [f"The {name} was ", f"According to the data, {name} came to ", f"**{name}**: "]
        )
        return before, number, ""

    def _named_column(self, made: Made, label: str, name: str, number: str) -> tuple[str, str, str]:
        """Say it in one of the ways that name the column."""
        spoken = name.replace("_", " ")
        ways = [(f"| {made.label} | {name} |\n| --- | ---: |\n| {label} | ", number, " |")]
        if self.zh:
            ways += [(f"{label}的{spoken}为 ", number, ""), (f"{spoken}:{label} ", number, "")]
        else:
            ways += [(f"{label} had {spoken} of ", number, "")]
            ways += [(f"{label} reached ", number, f" in {spoken}")]
        return self.rng.choice(ways)

    def _labelled(  # noqa: PLR0911 (one for each way to say it)
        self, made: Made, label: str, name: str, number: str
    ) -> tuple[str, str, str]:
        head = made.label
        spoken = name.replace("_", " ")
        style = self.rng.choice(["table", "colon", "sentence", "list", "after"])
        match style:
            case "table":
                return f"| {head} | {name} |\n| --- | ---: |\n| {label} | ", number, " |"
            case "colon":
                return f"- **{label}**: ", number, ""
            case "sentence" if self.zh:
                return f"{label}的{spoken}为 ", number, ""
            case "sentence":
                return f"{label} had {spoken} of ", number, ""
            case "list" if self.zh:
                return f"查询结果显示,{label} {spoken} ", number, ""
            case "list":
                return f"Looking at the result, {label} reached ", number, f" in {spoken}"
            case _ if self.zh:
                return f"{spoken}:{label} ", number, ""
            case _:
                return "We saw ", number, f" in {label}"

    def _aggregate(self, which: str) -> Said | None:
        source, rng = self.source, self.rng
        if source.rows < 3:
            return None
        column = self._column(
            source, "count money price" if which != "count" else "count money few"
        )
        if column is None:
            return None
        known = source.known(column)
        kind = source.columns[column].kind
        match which:
            case "sum":
                value = sum((v for _, v in known), Decimal(0))
            case "mean":
                value = sum((v for _, v in known), Decimal(0)) / len(known)
                if value * 200 % 2 == 1:
                    return None  # a tie, which may be printed either way
                kind = "price"
            case "count":
                value, kind = Decimal(source.rows), "few"
            case _:
                pick = max if which == "max" else min
                return self._extreme(which, source, column, pick(known, key=lambda one: one[1]))
        number = self._printed(value, kind)
        name = source.name(column).replace("_", " ")
        table = {"sum": "合计" if self.zh else "Total", "mean": "平均" if self.zh else "Average"}
        if which in table and rng.random() < 0.3 and source.label:
            head = (
                f"| {source.label} | {source.name(column)} |\n| --- | ---: |\n| {table[which]} | "
            )
            return head, number, " |", ""
        words = {
            "sum": (
                ["总{}为 ", "{}合计 ", "一共 "],
                ["Total {} was ", "In all, {} came to ", "The sum of {} is "],
            ),
            "mean": (["平均{}为 ", "{}的均值是 "], ["The average {} was ", "On average, {} is "]),
            "count": (["结果共有 ", "查询返回 "], ["There are ", "The query returned "]),
        }[which]
        before = rng.choice(words[0] if self.zh else words[1]).format(name)
        counted = f" 个{self.said.label}" if self.zh else f" {plural(str(self.said.label))}"
        after = counted if which == "count" else ""
        return before, number, after, ""

    def _extreme(
        self, which: str, source: Made, column: int, extreme: tuple[int, Decimal]
    ) -> Said | None:
        rng = self.rng
        row, value = extreme
        number = self._printed(value, source.columns[column].kind)
        name = source.name(column).replace("_", " ")
        word = {"max": ("最高", "highest"), "min": ("最低", "lowest")}[which][0 if self.zh else 1]
        if self.wrong == "rows swapped":
            others = [r for r, v in source.known(column) if abs(v - value) * 50 > abs(value)]
            if not others or source.label is None:
                return None
            row = rng.choice(others)
        if source.label is None or (self.wrong != "rows swapped" and rng.random() < 0.4):
            before = f"{word}的{name}为 " if self.zh else f"The {word} {name} was "
            return before, number, "", ""
        label = source.label_text(row)
        if self.zh:
            return f"{name}{word}的是{label},为 ", number, "", ""
        return f"The {word} {name} was ", number, f" in {label}", ""

    def _difference(self) -> Said | None:  # noqa: C901, PLR0911 (not every result has one)
        source, rng = self.source, self.rng
        column = self._column(source, "count money")
        if column is None or source.label is None or source.rows < 2:
            return None
        known = source.known(column)
        if len(known) < 2:
            return None
        (row, a), (other, b) = rng.sample(known, 2)
        kind = source.columns[column].kind
        name = source.name(column).replace("_", " ")
        second = [n for n, c in enumerate(source.columns) if c.kind == kind and n != column]
        if second and rng.random() < 0.4 and self.wrong != "rows swapped":
            c = source.values[second[0]][row]
            if c is None or c == a:
                return None
            more = source.name(second[0]).replace("_", " ")
            number = self._printed(abs(a - Decimal(str(c))), kind)
            label = source.label_text(row)
            if self.zh:
                return f"{label}的{name}与{more}相差 ", number, "", ""
            return f"In {label}, the difference between {name} and {more} is ", number, "", ""
        if a == b:
            return None
        number = self._printed(abs(a - b), kind)
        if self.wrong == "rows swapped":
            rest = [(r, v) for r, v in known if r not in (row, other)]
            if not rest:
                return None
            other, c = rng.choice(rest)
            if abs(abs(a - c) - abs(a - b)) * 50 < abs(a - b):
                return None
        first, last = source.label_text(row), source.label_text(other)
        if self.zh:
            return f"{first}的{name}与{last}相差 ", number, "", ""
        return f"{first} differs from {last} in {name}: a gap of ", number, "", ""

    def _ratio(self) -> Said | None:  # noqa: C901, PLR0911 (not every result has one)
        source, rng = self.source, self.rng
        column = self._column(source, "count money")
        if column is None or source.label is None or source.rows < 2:
            return None
        known = source.known(column)
        if len(known) < 2:
            return None
        (row, a), (other, b) = rng.sample(known, 2)
        total = sum((v for _, v in known), Decimal(0))
        first, last = source.label_text(row), source.label_text(other)
        plain = source.name(column)
        name = plain.replace("_", " ")
        # A ratio of two digits proves nothing unless it is spelt out, which the model is told.
        expressed = rng.random() < 0.5 or a < total / 10 or abs(a / b - 1) < Decimal("0.1")
        share = rng.random() < 0.5
        value = a / total if share else a / b - 1
        if self.wrong == "rows swapped":
            wrong_value = b / total if share else b / a - 1
            if abs(value - wrong_value) < Decimal("0.02"):
                return None
            value = wrong_value
            if abs(abs(a / b - 1) - abs(b / a - 1)) < Decimal("0.02"):
                return None
        number = f"{abs(value) * 100:.{rng.choice([1, 2])}f}%"
        if value * 1000 < 5 and share:
            return None
        expression = (
            f': {plain}@"{first}" / sum({plain})'
            if share
            else f': {plain}@"{first}" / {plain}@"{last}" - 1'
        )
        if self.wrong == "rows swapped" and not expressed and not share:
            return None  # a change of one or the other: words do not say which
        cited = f" [{self.said.result_id}{expression if expressed else ''}]"
        if self.wrong == "no citation":
            cited = ""
        if share:
            before = (
                f"{first}占总{name}的 " if self.zh else f"{first} has a share of total {name} of "
            )
        elif self.zh:
            before = f"{first}的{name}较{last}变化 "
        else:
            before = f"The change in {name} of {first} from {last} is "
        return before, number, cited, ""

    def _output(self) -> Said | None:
        rng = self.rng
        # A number that ends in 5 may be printed either way.
        numbers = [rng.randrange(10_000_000, 9_000_000_000) // 10 / 100 + 0.003 for _ in range(30)]
        numbers = [round(number, 3) for number in numbers]
        number = f"{rng.choice(numbers):,.{rng.choice([1, 2, 3])}f}"
        before = "模型拟合得到 " if self.zh else "The fitted value is "
        return before, number, "", "\n".join(f"x{n} = {v}" for n, v in enumerate(numbers))

    def _printed(self, value: Decimal, kind: str) -> str:
        # A tie may be rounded either way, so that a changed digit would still be true.
        ties = (value * 2 % 1 == 0 and value % 1 != 0) or (value / 5) % 1 == 0
        if ties and kind != "few":
            return f"{value:,.2f}"
        rng = self.rng
        if kind == "few":
            return f"{value}"
        if value == value.to_integral_value() and kind == "count":
            plain = rng.choice([f"{value:,.0f}", f"{value:.0f}"])
        else:
            places = 2 if kind == "price" else rng.choice([0, 2])
            plain = rng.choice([f"{value:,.{places}f}", f"{value:.{places}f}"])
        if 1900 <= value < 2100 and "," not in plain and "." not in plain:
            plain = f"{value:,.0f}"
        if rng.random() < 0.75 or abs(value) < 20_000:
            return rng.choice([plain, f"**{plain}**"]) if rng.random() < 0.2 else plain
        if self.zh:
            return f"{value / 10_000:.2f}万"
        if value >= 1_000_000:
            return rng.choice([f"{value / 1_000_000:.3f}M", f"${value / 1_000_000:.3f} million"])
        return f"{value / 1_000:.2f}K"
