"""A random table: random names and values, one column to group by, one to sum."""

import csv
import io
import random
import string
from dataclasses import dataclass
from datetime import date, timedelta

_WORDS = (
    "north",
    "harbour",
    "maple",
    "violet",
    "delta",
    "quartz",
    "ember",
    "lotus",
    "城市",
    "产品",
)
_NUMBERS = ("amount", "price", "weight", "distance", "visitors", "litres")
_KINDS = ("branch", "colour", "team", "route", "channel", "vessel")


@dataclass(frozen=True)
class RandomTable:
    """A file to upload, and what its chart must show."""

    file_name: str
    kind_column: str
    number_column: str
    kinds: tuple[str, ...]
    rows: int
    content: bytes

    @property
    def stem(self) -> str:
        return self.file_name.removesuffix(".csv")


def random_table(seed: int) -> RandomTable:
    """Make a table; the same seed makes the same one."""
    luck = random.Random(seed)
    stem = f"{luck.choice(_KINDS)}_{''.join(luck.choices(string.ascii_lowercase, k=5))}"
    kind, number = luck.choice(_KINDS), luck.choice(_NUMBERS)
    kinds = tuple(luck.sample(_WORDS, luck.randint(3, 7)))
    count = luck.randint(20, 300)
    first = date(2026, 1, 1)
    lines = io.StringIO()
    out = csv.writer(lines)
    out.writerow(["day", kind, number])
    for row in range(count):
        # Every kind at least once.
        chosen = kinds[row] if row < len(kinds) else luck.choice(kinds)
        day = first + timedelta(days=luck.randint(0, 364))
        out.writerow([day.isoformat(), chosen, round(luck.uniform(1, 5_000), 2)])
    return RandomTable(f"{stem}.csv", kind, number, kinds, count, lines.getvalue().encode())
