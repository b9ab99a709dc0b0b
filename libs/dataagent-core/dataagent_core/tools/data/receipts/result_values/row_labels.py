"""Labels of rows: the texts, dates and years of a result, and where an answer names them."""

import re
from functools import cached_property
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from dataagent_core.config.limits.data import (
    RECEIPT_LABEL_CHARS_MAX,
    RECEIPT_LABELS_MAX,
    RECEIPT_LISTED_ROWS_MAX,
)
from dataagent_core.tools.data.receipts.figures.text_folds import fold_text
from dataagent_core.tools.data.receipts.periods.period import Period, parse_period
from dataagent_core.tools.data.receipts.result_values.value_spellings import (
    ORDINALS,
    TOO_COMMON,
    find_date_grain,
    find_shared_start,
    list_plurals,
    list_spellings,
    shorten_names,
)

# "In the third quarter and in the fourth": short for a quarter where the text has one.
_SHORT_QUARTERS = frozenset(f"the {ordinal}" for ordinal in ORDINALS)
_SHORT_QUARTER = re.compile(rf"(?:{'|'.join(ORDINALS)}) quarter.*\bin\Z", re.DOTALL)
_YEAR_NAME = re.compile(
    r"(?:^|_)(?:year|season|fy|vintage|cohort|fiscal_year)$|(?:年份?|赛季|财年|学年|年度)$",
    re.IGNORECASE,
)
# Its functions are made when it is imported, where no checker sees them.
_compute: Any = pc


class LabelColumn:
    """A column whose values name rows."""

    def __init__(
        self,
        name: str,
        words: dict[str, int],
        codes: pa.Array,
        periods: dict[int, Period] | None = None,
    ) -> None:
        self._words = words
        self._periods = periods or {}
        self._codes = codes
        self._name = fold_text(name)
        self._spoken = make_plural_pattern(name)
        self._longest = max(map(len, words), default=0)

    def said_in(self, text: str) -> bool:
        """Say whether a folded text names the column: "5 regions"."""
        return self._spoken is not None and self._spoken.search(text) is not None

    def counted_in(self, text: str) -> bool:
        """Say whether a folded text begins with the column's name: "regions stand out"."""
        return self._spoken is not None and self._spoken.match(text) is not None

    def noun_behind(self, text: str, at: int) -> int:
        """Count the characters of the column's Chinese name that follow: 会员 of 会员等级."""
        shared = len(find_shared_start([self._name, text[at : at + len(self._name)]]))
        return shared if shared > 1 and not self._name[:shared].isascii() else 0

    @property
    def distinct(self) -> int:
        """Count the different values."""
        return len(set(self._words.values()))

    def exact(self, text: str) -> int | None:
        """Return the code of the value a folded text is, if it is one."""
        return self._words.get(text.strip())

    def occurrences(self, text: str) -> list[tuple[int, int, int]]:
        """List where values occur in a folded text: start, end, code; the longest ones count."""
        found: list[tuple[int, int, int]] = []
        position = 0
        while position < len(text):
            hit = self._match_at(text, position) if _begins_word(text, position) else None
            if text[position - 1 : position] == "前" and self._periods:
                hit = None  # 前三季度 are three of them
            if hit is None:
                position += 1
                continue
            found.append((position, *hit))
            position = hit[0]
        return found

    def blanked(self, text: str) -> str:
        """Blank out of a folded text the values, and what the column is called: "West team"."""
        for start, end, _ in self.occurrences(text):
            text = f"{text[:start]}{' ' * (end - start)}{text[end:]}"
        return text if self._spoken is None else self._spoken.sub(" ", text)

    def code(self, row: int) -> int | None:
        """Return the code of a row's value."""
        return (
            self._codes_by_row[row] if self._codes_by_row is not None else self._codes[row].as_py()
        )

    @property
    def names_periods(self) -> bool:
        """Say whether its values are days, months, quarters or years."""
        return bool(self._periods)

    def period_before(self, code: int, words: str) -> int | None:
        """Return the code of the period that folded words compare a value with."""
        period = self._periods.get(code)
        wanted = period.before(words) if period is not None else None
        return next((one for one, found in self._periods.items() if found == wanted), None)

    def period_after(self, code: int) -> int | None:
        """Return the code of the period that follows."""
        return next((one for one in self._periods if self.period_before(one, "") == code), None)

    def rows_of_months(self, months: frozenset[int], year: int | None) -> list[int] | None:
        """List the rows of these months, if there is one of each and no doubt of the year.

        Rows of quarters will do where the months are several of them.
        """
        grain = "quarter" if any(p.grain == "quarter" for p in self._periods.values()) else "month"
        found = {p.number: code for code, p in self._periods.items() if p.grain == grain}
        in_year, months_each = (4, 3) if grain == "quarter" else (12, 1)
        years = {number // in_year for number in found} if year is None else {year}
        parts = {(month - 1) // months_each for month in months}
        whole = len(parts) * months_each == len(months)
        if len(years) != 1 or not whole or (grain == "quarter" and len(parts) == 1):
            return None
        wanted = [years.copy().pop() * in_year + part for part in sorted(parts)]
        if not found.keys() >= set(wanted):
            return None
        rows = self.rows_of(frozenset(found[number] for number in wanted), len(wanted))
        return rows if len(rows) == len(wanted) else None

    def rows_of(self, codes: frozenset[int], limit: int) -> list[int]:
        """List rows that have one of these values, up to one more than a limit."""
        if self._codes_by_row is not None:
            rows = (row for row, code in enumerate(self._codes_by_row) if code in codes)
            return [row for row, _ in zip(rows, range(limit + 1), strict=False)]
        inside = _compute.is_in(self._codes, value_set=pa.array(sorted(codes), self._codes.type))
        return _compute.indices_nonzero(inside)[: limit + 1].to_pylist()

    @cached_property
    def _codes_by_row(self) -> list[int | None] | None:
        return self._codes.to_pylist() if len(self._codes) <= RECEIPT_LISTED_ROWS_MAX else None

    def _match_at(self, text: str, start: int) -> tuple[int, int] | None:
        for end in range(min(len(text), start + self._longest), start + 1, -1):
            if _ends_word(text, end) and (code := self._words.get(text[start:end])) is not None:
                word = text[start:end]
                says = not word.isdigit() or len(word) == len("2024")
                if says and word not in TOO_COMMON and not _is_short(text, start, word):
                    return end, code
        return None


def make_label_column(name: str, column: pa.ChunkedArray) -> LabelColumn | None:
    """Make a column of labels, if its values can name rows."""
    kind = column.type
    if pa.types.is_dictionary(kind):
        column = column.cast(kind.value_type)
        kind = column.type
    texts = pa.types.is_string(kind) or pa.types.is_large_string(kind)
    dates = pa.types.is_date(kind) or pa.types.is_timestamp(kind)
    years = pa.types.is_integer(kind) and bool(_YEAR_NAME.search(name))
    if not (texts or dates or years):
        return None
    encoded = column.combine_chunks().dictionary_encode()
    values = encoded.dictionary
    if len(values) > RECEIPT_LABELS_MAX or len(values) == 1 < len(column):
        return None  # free text, or a name that every row has
    words: dict[str, int] = {}
    listed = values.to_pylist()
    grain = find_date_grain(listed)
    spelt = [(word, code) for code, one in enumerate(listed) for word in list_spellings(one, grain)]
    many = [(word, code) for code, one in enumerate(listed) for word in list_plurals(one)]
    short = [(word, code) for code, word in enumerate(shorten_names(listed)) if word]
    for word, code in (*spelt, *many, *short):
        if 0 < len(word) <= RECEIPT_LABEL_CHARS_MAX:
            words.setdefault(word, code)
    periods = {
        code: period
        for code, value in enumerate(listed)
        if (period := parse_period(value, grain)) is not None
    }
    return LabelColumn(name, words, encoded.indices, periods)


def make_plural_pattern(name: str) -> re.Pattern[str] | None:
    """Make a pattern of a column's name, one or many."""
    words = [re.escape(word) for word in re.split(r"[\W_]+", name.lower()) if word]
    if not words:
        return None
    joined = r"[\s_-]?".join(words)
    stem = rf"{joined[:-1]}(?:ys?|ies)" if joined.endswith("y") else rf"{joined}(?:s|es)?"
    return re.compile(rf"(?<![a-z0-9_]){stem}(?![a-z0-9_])")


def _is_short(text: str, start: int, word: str) -> bool:
    """Say whether an ordinal is not that of a quarter: "the fourth" behind no other quarter."""
    return word in _SHORT_QUARTERS and _SHORT_QUARTER.search(text[:start].rstrip()) is None


def _is_word(char: str) -> bool:
    return char.isascii() and (char.isalnum() or char == "_")


def _begins_word(text: str, at: int) -> bool:
    if at == 0:
        return True
    return not (_is_word(text[at]) and _is_word(text[at - 1])) and not _is_in_date(text, at - 1)


def _ends_word(text: str, at: int) -> bool:
    if at >= len(text):
        return True
    return not (_is_word(text[at]) and _is_word(text[at - 1])) and not _is_in_date(text, at)


def _is_in_date(text: str, at: int) -> bool:
    """Say whether a dash or slash is inside a date: 2024-03 is no part of 2024-03-05."""
    around = text[max(0, at - 1) : at + 2]
    return len(around) == 3 and around[1] in "-/" and (around[0] + around[2]).isdigit()  # noqa: PLR2004
