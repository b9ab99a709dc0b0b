"""Compares names as each engine does: engines differ in which letters are equal.

A name that we resolve differently from the engine would pass every check: a hidden table behind a
CTE of nearly its name, a personal column behind an alias.
"""

from string import ascii_lowercase, ascii_uppercase

from dataagent_core.tools.data.data_model import Dialect

# Names in quotes are compared as they are; those without are folded before (`fold_names`).
_EVERY_LETTER_COUNTS: frozenset[Dialect] = frozenset({"postgres", "snowflake", "clickhouse"})
# Only A to Z are compared without their case: Python's `lower` makes a k of the Kelvin sign too.
_ASCII_ALIKE: frozenset[Dialect] = frozenset({"duckdb", "sqlite"})
_TO_LOWER = str.maketrans(ascii_uppercase, ascii_lowercase)
_TO_UPPER = str.maketrans(ascii_lowercase, ascii_uppercase)


def lower_ascii(text: str) -> str:
    """Convert only the letters A to Z to lower case."""
    return text.translate(_TO_LOWER)


def upper_ascii(text: str) -> str:
    """Convert only the letters a to z to upper case."""
    return text.translate(_TO_UPPER)


def make_name_key(name: str, dialect: Dialect) -> str:
    """Return the key by which an engine compares a name."""
    if dialect in _EVERY_LETTER_COUNTS:
        return name
    return lower_ascii(name) if dialect in _ASCII_ALIKE else name.lower()
