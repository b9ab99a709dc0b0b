"""The conversion of a column's text to values of a type."""

from collections.abc import Mapping
from dataclasses import dataclass

from ..table_names import quote_literal, quote_name
from .csv_cells import NOTHING

# How often each text of a column occurs.
Texts = Mapping[str, int]
_TO = '" to '
# Ends a note about what could be read in another way too.
AS_CHOSEN = ", as a person chose"


@dataclass(frozen=True, slots=True)
class ValueFormat:
    """A type, the SQL that makes it of the text in a column, and what was decided."""

    type: str
    # With `{}` where the column stands.
    expression: str
    note: str
    # Every value is of this format; else the column stays text.
    is_whole: bool = True

    def select(self, column: str, path: str) -> str:
        """Write it for a column; a value that does not fit fails as DuckDB's own reader does."""
        name = quote_name(column)
        said = f'{path}: Error when converting column "{column}". Could not convert string "'
        failure = f"error({quote_literal(said)} || {name} || {quote_literal(_TO + self.type)})"
        nothing = ", ".join(map(quote_literal, sorted(NOTHING)))
        return (
            f"CASE WHEN {name} IS NULL OR lower(trim({name})) IN ({nothing}) THEN NULL "
            f"ELSE coalesce({self.expression.format(name)}, {failure}) END AS {name}"
        )

    def as_text(self, column: str, texts: Texts, share: float, what: str) -> "ValueFormat":
        """Keep the column as text, and note how to convert the values that fit."""
        total = sum(drop_empty_texts(texts).values())
        usable = self.expression.format(quote_name(column))
        note = (
            f"column {column} is read as text: {round(share * total):,} of its {total:,} values "
            f"are {what}; {usable} gives them"
        )
        return ValueFormat(self.type, self.expression, note, is_whole=False)


def describe_suggestion(reading: str, words: str) -> str:
    """Say of one of two readings which words of the file decided for it, where some did."""
    return f"{reading}, as words of the file suggest ({words})" if words else reading


def make_empty_note(column: str, texts: Texts) -> str:
    """Note the texts that stand for missing values."""
    found = next((t.strip() for t in texts if t.strip() and t.strip().lower() in NOTHING), None)
    return "" if found is None else f"column {column}: {found} is read as no value"


def drop_empty_texts(texts: Texts) -> dict[str, int]:
    """Remove the texts that stand for missing values."""
    return {text: n for text, n in texts.items() if text.strip().lower() not in NOTHING}
