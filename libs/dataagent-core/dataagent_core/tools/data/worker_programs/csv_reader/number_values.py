"""Numbers as people write them: `1.234,5`, `1,234.5`, `12.5%`, `1 200`, `$5`, `(300)`.

Every number fits one of two styles, the decimal mark a point or a comma; a column is read in the
style that all its values fit. Where both do and differ (`1.234`), the file's other columns decide,
then its separator, then its language; the note says what the other reading would be.
"""

import re
from collections.abc import Iterable
from typing import Literal

from ..table_names import quote_name
from .value_format import (
    AS_CHOSEN,
    Texts,
    ValueFormat,
    describe_suggestion,
    drop_empty_texts,
    make_empty_note,
)

Decimals = Literal["point", "comma"]

_STYLES: tuple[Decimals, ...] = ("point", "comma")
_OTHER: dict[Decimals, Decimals] = {"point": "comma", "comma": "point"}
_MARKS = {"point": ".", "comma": ","}
_GROUPS = {"point": ",", "comma": "."}
_CURRENCIES = "$€£¥￥"
_PERCENTS = "%‰"
_SPACES = "\u00a0\u202f\u2009 '\u2019"
_SIGNS = re.compile(rf"^[{_CURRENCIES}\s]+|[{_CURRENCIES}{_PERCENTS}\s]+$")
_SPACED = re.compile(rf"[-+]?\d{{1,3}}([{_SPACES}]\d{{3}})+([.,]\d+)?")
_FITTING = {
    style: re.compile(
        rf"[-+]?([1-9]\d{{0,2}}(\{_GROUPS[style]}\d{{3}})+(\{_MARKS[style]}\d+)?"
        rf"|(\d+(\{_MARKS[style]}\d*)?|\{_MARKS[style]}\d+)([eE][-+]?\d+)?)"
    )
    for style in _STYLES
}
_KNOWN_TO_DUCKDB = re.compile(r"[-+]?(\d+(\.\d*)?|\.\d+)([eE][-+]?\d+)?")
# More digits than these are an id.
_DIGITS_MAX = 18


def find_column_decimals(columns: Iterable[Texts]) -> Decimals | None:
    """Find a file's decimal mark from columns that fit only one."""
    votes: dict[str, int] = dict.fromkeys(_STYLES, 0)
    for texts in columns:
        fitted = [style for style, share in _measure_shares(texts).items() if share == 1]
        if len(fitted) == 1:
            votes[fitted[0]] += 1
    if votes["point"] == votes["comma"]:
        return None
    return "point" if votes["point"] > votes["comma"] else "comma"


def find_separator_decimals(columns: Iterable[Texts], delimiter: str) -> Decimals | None:
    """Find the decimal mark from the separator: files with decimal commas avoid commas there."""
    if delimiter == ";":
        return "comma"
    if delimiter != ",":
        return None
    # Numbers with commas stand in quotes there: `"1,234"` may be either.
    has_commas = any(
        "," in text and any(_fits_style(_strip_signs(text), style) for style in _STYLES)
        for texts in columns
        for text in texts
    )
    return None if has_commas else "point"


def may_be_groups(cells: Iterable[str]) -> bool:
    """Say whether every number could be one with points between groups of three digits."""
    seen = [cell for cell in map(str.strip, cells) if "." in cell]
    return bool(seen) and all(_fits_style(cell, "comma") for cell in seen)


def choose_number_format(
    column: str,
    texts: Texts,
    decimals: Decimals,
    *,
    is_chosen: bool = False,
    words: str = "",
    is_doubted: bool = False,
) -> ValueFormat | None:
    """Decide how a column of numbers is read; None where it is left to DuckDB, or to the person.

    `is_chosen`: a person chose the decimal mark, for all columns of numbers. `words`: those of the
    file that suggested it. `is_doubted`: they suggest the other one.
    """
    values, shares = drop_empty_texts(texts), _measure_shares(texts)
    signs = {char for text in values for char in text if char in _CURRENCIES + _PERCENTS}
    if len(signs) > 1 or not any(shares.values()):
        return None  # several currencies are not to be added up
    fitted: list[Decimals] = [style for style in _STYLES if shares[style] == 1]
    chosen: Decimals = decimals if decimals in fitted or not fitted else fitted[0]
    if not fitted:
        chosen = max(_STYLES, key=lambda style: shares[style])
    bare = {text: one for text in values if _fits_style(one := _strip_signs(text), chosen)}
    is_whole_number = not any(_MARKS[chosen] in one or "e" in one.lower() for one in bare.values())
    if is_whole_number and any(
        sum(c.isdigit() for c in one) > _DIGITS_MAX for one in bare.values()
    ):
        return None
    is_usual = chosen == "point" and all(_KNOWN_TO_DUCKDB.fullmatch(t.strip()) for t in bare)
    note = ""
    if not is_chosen and len(fitted) > 1 and (is_doubted or not is_usual):
        note = _note_ambiguity(column, bare, chosen, words)
    if not note and not is_usual:
        note = _note_format(column, bare, chosen, signs)
    if is_chosen and fitted:
        note = _note_choice(column, bare, chosen, decimals) or note
    note = note or make_empty_note(column, texts)
    if not note and fitted:
        return None
    kind = "BIGINT" if is_whole_number else "DOUBLE"
    made = ValueFormat(kind, _write_expression(bare, chosen, kind), note)
    return made if fitted else made.as_text(column, texts, shares[chosen], "numbers")


def _strip_signs(text: str) -> str:
    """Remove currency and percent signs, accounting brackets and spaces between groups."""
    bare = text.strip()
    if is_negative := bare.startswith("(") and bare.endswith(")"):
        bare = bare[1:-1]
    bare = _SIGNS.sub("", bare)
    if bare[:1] in "+-" and bare[1:2] in _CURRENCIES and bare[1:]:
        bare = bare[0] + bare[2:]
    if _SPACED.fullmatch(bare):
        bare = re.sub(f"[{_SPACES}]", "", bare)
    return f"-{bare}" if is_negative else bare


def _fits_style(bare: str, style: Decimals) -> bool:
    return _FITTING[style].fullmatch(bare) is not None


def _parse(bare: str, style: Decimals) -> float:
    return float(bare.replace(_GROUPS[style], "").replace(_MARKS[style], "."))


def _measure_shares(texts: Texts) -> dict[Decimals, float]:
    values = drop_empty_texts(texts)
    total = sum(values.values()) or 1
    return {
        style: sum(n for text, n in values.items() if _fits_style(_strip_signs(text), style))
        / total
        for style in _STYLES
    }


def _note_ambiguity(column: str, bare: dict[str, str], chosen: Decimals, words: str) -> str:
    """Note the other reading of values that fit both styles and differ."""
    other = _OTHER[chosen]
    for text in _find_ambiguous(bare, chosen)[:1]:
        reading = describe_suggestion(f"{_parse(bare[text], chosen):.15g}", words)
        other_way = _describe_other_reading(column, bare[text], chosen, other)
        return (
            f"column {column} can be read in two ways: {text.strip()} is read as {reading}, "
            f"it could also be {_parse(bare[text], other):.15g} ({other_way}, "
            f"or the source's option --decimals {other})"
        )
    return ""


def _note_format(column: str, bare: dict[str, str], chosen: Decimals, signs: set[str]) -> str:
    text = next((text for text in bare if not text.strip().isdigit()), next(iter(bare), ""))
    percent = " (in percent)" if "%" in signs else " (per mille)" if "‰" in signs else ""
    return f"column {column}: {text.strip()} is read as {_parse(bare[text], chosen):.15g}{percent}"


def _note_choice(column: str, bare: dict[str, str], chosen: Decimals, wanted: Decimals) -> str:
    """Note the effect of the chosen decimal mark on a column, if there is one."""
    if chosen != wanted:
        text = next(text for text, one in bare.items() if not _fits_style(one, wanted))
        return (
            f"column {column}: {text.strip()} is read as {_parse(bare[text], chosen):.15g}: not "
            f"every number fits the decimal {wanted}, which was chosen"
        )
    for text in _find_ambiguous(bare, chosen)[:1]:
        return (
            f"column {column}: {text.strip()} is read as {_parse(bare[text], chosen):.15g}"
            f"{AS_CHOSEN}"
        )
    return ""


def _find_ambiguous(bare: dict[str, str], chosen: Decimals) -> list[str]:
    other = _OTHER[chosen]
    return [
        text
        for text, one in bare.items()
        if _fits_style(one, other) and _parse(one, other) != _parse(one, chosen)
    ]


def _describe_other_reading(column: str, bare: str, chosen: Decimals, other: Decimals) -> str:
    """Write the other reading: with one group or three decimals it is a factor of a thousand."""
    is_smaller = abs(_parse(bare, other)) < abs(_parse(bare, chosen))
    return f"{quote_name(column)} {'/' if is_smaller else '*'} 1000"


def _write_expression(texts: Iterable[str], style: Decimals, kind: str) -> str:
    if style == "point" and all(_KNOWN_TO_DUCKDB.fullmatch(text.strip()) for text in texts):
        return f"TRY_CAST({{}} AS {kind})"
    signs = _CURRENCIES + _PERCENTS + _SPACES.replace("'", "''")
    bare = f"regexp_replace({{}}, '[{signs}\\s]', '', 'g')"
    bare = f"regexp_replace({bare}, '^\\((.*)\\)$', '-\\1')"
    bare = f"replace({bare}, '{_GROUPS[style]}', '')"
    if style == "comma":
        bare = f"replace({bare}, ',', '.')"
    return f"TRY_CAST({bare} AS {kind})"
