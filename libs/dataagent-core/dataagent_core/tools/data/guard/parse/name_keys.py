"""When two names are one name: engines differ in which letters count alike.

A name that is taken for another one than the engine takes it for is read past every check: a hidden
table behind a CTE of nearly its name, a personal column behind an alias.
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
    """Put the letters A to Z into lower case, and no others."""
    return text.translate(_TO_LOWER)


def upper_ascii(text: str) -> str:
    """Put the letters a to z into upper case, and no others."""
    return text.translate(_TO_UPPER)


def make_name_key(name: str, dialect: Dialect) -> str:
    """Give what an engine compares of a name: two names with one key are the same name."""
    if dialect in _EVERY_LETTER_COUNTS:
        return name
    return lower_ascii(name) if dialect in _ASCII_ALIKE else name.lower()
