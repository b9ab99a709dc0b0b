"""Answers about generated results: true figures of every derivation, and wrong ones that are hard.

A case is one figure in one answer. Wrong figures: the last printed digit changed, the label of
another row, the name of another column, a figure of another result under a citation, random percentages, and totals of a
result that was cut. A wrong figure is left out only if what it says happens to be true (where only
a column is named: some cell of it is printed like that); that it equals something else by accident
is what the tracer is measured on. A true figure stands as an
answer would put it: in a table, behind its label, in a sentence that names its row; only with the
name of its column where the result has one row, or few rows and the figure four digits.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from receipt_answers import Maker
from receipt_results import Made, made

AGGREGATES = ("sum", "mean", "min", "max", "count")
DERIVATIONS = ("cell", *AGGREGATES, "difference", "ratio", "percent cell", "output")
_ALWAYS = ("last digit", "another result", "random number")
WRONGS: dict[str, tuple[str, ...]] = {
    "cell": (*_ALWAYS, "rows swapped", "columns swapped"),
    "sum": (*_ALWAYS, "truncated"),
    "mean": (*_ALWAYS, "truncated"),
    "min": (*_ALWAYS, "truncated", "rows swapped"),
    "max": (*_ALWAYS, "truncated", "rows swapped"),
    "count": ("last digit", "another result", "truncated"),
    "difference": (*_ALWAYS, "rows swapped"),
    "ratio": ("last digit", "random percent", "another result", "rows swapped", "no citation"),
    "percent cell": ("last digit", "random percent", "another result", "rows swapped"),
    "output": ("last digit", "random number"),
}


@dataclass(frozen=True)
class Case:
    text: str
    start: int
    results: list[Made]
    output: str
    derivation: str
    # None for a true figure, else how it was made wrong.
    wrong: str | None


def cases(count: int, seed: int) -> Iterator[Case]:
    rng = random.Random(seed)
    while count > 0:
        zh = rng.random() < 0.5
        results = [made(rng, zh=zh) for _ in range(rng.randint(1, 4))]
        for derivation in DERIVATIONS:
            for wrong in (None, *WRONGS[derivation]):
                case = _case(rng, results, derivation, wrong, zh=zh)
                if case is not None:
                    yield case
                    count -= 1


def _case(
    rng: random.Random, results: list[Made], derivation: str, wrong: str | None, *, zh: bool
) -> Case | None:
    result, other = rng.choice(results), rng.choice(results)
    if not _can_be(derivation, wrong, result, other):
        return None
    source = other if wrong == "another result" else result
    maker = Maker(rng, source, result, wrong, zh=zh)
    found = maker.make(derivation)
    number = _made_wrong(rng, found[1], wrong) if found is not None else None
    if found is None or number is None:
        return None
    before, _, after, output = found
    if zh and "|" not in before:
        # The comma and the colon of Chinese text are wide.
        before = before.replace(",", "\uff0c").replace(":", "\uff1a" if rng.random() < 0.7 else ":")
    cited = ""
    if "[r_" not in after and derivation not in ("ratio", "output"):
        needed = wrong == "another result" or _must_cite(results, result, derivation, number)
        if needed or (wrong is None and rng.random() < 0.2):
            cited = f" [{result.result_id}]"
    spoken_of = [result] if cited else results
    if wrong is not None and _happens_to_be_true(maker.only_column, number, spoken_of):
        return None
    end = "" if after.endswith("|") else "。" if zh else "."
    return Case(
        f"{before}{number}{after}{cited}{end}", len(before), results, output, derivation, wrong
    )


def _can_be(derivation: str, wrong: str | None, result: Made, other: Made) -> bool:
    if wrong == "another result" and other is result:
        return False
    if derivation == "count" and wrong == "another result" and other.rows == result.rows:
        return False  # then it is true
    if derivation in AGGREGATES and (wrong == "truncated") != result.truncated:
        return False
    return derivation != "ratio" or not result.truncated


def _must_cite(results: list[Made], result: Made, derivation: str, number: str) -> bool:
    """Say whether an answer has to name the result, because a newer one could be meant."""
    if derivation == "count":
        return next(one for one in results if one.label == result.label) is not result
    labels = set(map(str, result.labels))
    newest = next(one for one in results if not labels or labels & set(map(str, one.labels)))
    return sum(map(str.isdigit, number)) < 3 and newest is not result


_SCALES = {"%": 1, "万": 10_000, "K": 1_000, "M": 1_000_000, " million": 1_000_000}


def _happens_to_be_true(column: str | None, number: str, results: list[Made]) -> bool:
    """Say whether a column that is named has a cell printed like this."""
    plain = number.strip("*$")
    unit = next((unit for unit in _SCALES if plain.endswith(unit)), "")
    digits = Decimal(plain.removesuffix(unit).replace(",", ""))
    scale = _SCALES.get(unit, 1)
    half = Decimal(1).scaleb(int(digits.as_tuple().exponent)) / 2 * scale
    cells = (
        value * 100 if unit == "%" and made.columns[n].kind == "share" else value
        for made in results
        for n in range(len(made.columns))
        if made.name(n) == column
        for _, value in made.known(n)
    )
    return any(abs(value - digits * scale) <= half for value in cells)


def _made_wrong(rng: random.Random, number: str, wrong: str | None) -> str | None:
    match wrong:
        case "last digit":
            return _last_digit_changed(rng, number)
        case "random number":
            first, *rest = (n for n, char in enumerate(number) if char.isdigit())
            drawn = {first: rng.choice("123456789")} | {n: rng.choice("0123456789") for n in rest}
            made_up = "".join(drawn.get(n, char) for n, char in enumerate(number))
            # With one or two digits it would often be true.
            return made_up if rest[1:] and made_up != number else None
        case "random percent":
            places = rng.choice([0, 1, 1, 2])
            made_up = f"{rng.uniform(1, 99):.{places}f}%"
            apart = abs(Decimal(number.rstrip("%")) - Decimal(made_up.rstrip("%")))
            return made_up if apart > Decimal(10) ** -places else None
        case _:
            return number


def _last_digit_changed(rng: random.Random, number: str) -> str:
    at = max(n for n, char in enumerate(number) if char.isdigit())
    while (digit := str(rng.randint(0, 9))) == number[at]:
        pass
    return number[:at] + digit + number[at + 1 :]
