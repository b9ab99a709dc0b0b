"""What differs between SQLite, PostgreSQL, MySQL and MariaDB in the statements of the stores.

A moment is text on SQLite, whose order is time's; elsewhere a type of the database. Text of a
person or a model is kept as bytes, because it may hold NUL and lone surrogates.

Keys made by a model or a client: any text, of any length, made to fit an indexed column.

Tool-call ids come from the model. SQLite indexes any text; elsewhere what is too long, or holds
NUL, is replaced by its digest, and the text itself is kept in a column that is not indexed.
"""

import hashlib
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from typing import Final, Literal

DialectName = Literal["sqlite", "mysql", "postgresql"]
# SQLite's conditions may not be deeper than 1,000.
KEYS_PER_STATEMENT_MAX: Final = 100


@dataclass(frozen=True, slots=True)
class SqlDialect:
    """One database's way of saying things."""

    name: DialectName
    # Locks the rows that are read; SQLite's writer has locked the whole file.
    for_update: str = " FOR UPDATE"
    # Keeps others from changing them, and not from reading.
    for_share: str = " FOR SHARE"
    # How an upsert names the row that is to be inserted, and its value in a column.
    new_row: str = ""
    new_value: str = "excluded.{}"

    def moment(self, value: datetime) -> object:
        """Convert a time to the form in which it is stored."""
        if value.tzinfo is None:
            raise ValueError(f"{value!r} has no time zone.")
        moment = value.astimezone(UTC)
        match self.name:
            case "sqlite":
                # One zone and one width, so that text order is time order.
                return moment.isoformat(timespec="microseconds")
            case "mysql":
                return moment.replace(tzinfo=None)
            case "postgresql":
                return moment

    def note(self, text: str | None) -> object:
        """Convert text of ours, which may quote a model, to the form in which it is stored."""
        return text if text is None or self.name == "sqlite" else encode_text(text)


SQLITE = SqlDialect("sqlite", for_update="", for_share="")
POSTGRESQL = SqlDialect("postgresql")
_SHARE = " LOCK IN SHARE MODE"
MYSQL = SqlDialect("mysql", for_share=_SHARE, new_row="AS new ", new_value="new.{}")
MARIADB = SqlDialect("mysql", for_share=_SHARE, new_value="VALUES({})")


def placeholders(count: int) -> str:
    """Write the marks of some values."""
    return ", ".join("?" * count)


@cache
def insert(table: str, columns: tuple[str, ...]) -> str:
    """Write an insert of one row."""
    return f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({placeholders(len(columns))})"


def encode_text(text: str) -> bytes:
    """Convert text of a user or a model to the form in which it is stored."""
    return text.encode("utf-8", "surrogatepass")


def decode_text(stored: bytes) -> str:
    """Read such a text."""
    return bytes(stored).decode("utf-8", "surrogatepass")


def read_note(stored: str | bytes | None) -> str | None:
    """Read a note as any database gives it."""
    return decode_text(stored) if isinstance(stored, bytes) else stored


def read_moment(value: object) -> datetime:
    """Read a moment as any database gives it."""
    moment = datetime.fromisoformat(value) if isinstance(value, str) else value
    if not isinstance(moment, datetime):
        raise TypeError(f"{value!r} is no moment.")
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)


@cache
def insert_ignore(dialect: DialectName, table: str, columns: tuple[str, ...]) -> str:
    """Write an insert that leaves out a row whose key is taken."""
    # MySQL's INSERT IGNORE would also ignore a value that is too long.
    ignore = (
        f"ON DUPLICATE KEY UPDATE {columns[0]} = {columns[0]}"
        if dialect == "mysql"
        else "ON CONFLICT DO NOTHING"
    )
    return f"{insert(table, columns)} {ignore}"


@cache
def insert_or_set(
    dialect: SqlDialect,
    table: str,
    columns: tuple[str, ...],
    key: tuple[str, ...],
    names: tuple[str, ...],
) -> str:
    """Write an insert that sets columns of the row that is there, if the last is NULL there."""
    new = {name: dialect.new_value.format(name) for name in names}
    is_unset = f"{table}.{names[-1]} IS NULL"
    if dialect.name == "mysql":
        # Set from left to right: the last, which is compared, still has its old value.
        changes = ", ".join(
            f"{name} = IF({is_unset}, {value}, {table}.{name})" for name, value in new.items()
        )
        upsert = f"{dialect.new_row}ON DUPLICATE KEY UPDATE {changes}"
    else:
        changes = ", ".join(f"{name} = {value}" for name, value in new.items())
        upsert = f"ON CONFLICT ({', '.join(key)}) DO UPDATE SET {changes} WHERE {is_unset}"
    return f"{insert(table, columns)} {upsert}"


@cache
def rows_in(dialect: DialectName, columns: tuple[str, ...], count: int) -> str:
    """Write the condition that a key is one of `count` (at most `KEYS_PER_STATEMENT_MAX`)."""
    if dialect == "sqlite":
        # It looks each of these up in an index, and of `IN (VALUES ...)` none.
        row = " AND ".join(f"{name} = ?" for name in columns)
        return f"({' OR '.join([f'({row})'] * count)})"
    rows = ", ".join([f"({placeholders(len(columns))})"] * count)
    return f"({', '.join(columns)}) IN ({rows})"


KEY_CHARS_MAX: Final = 255
_DIGEST: Final = "sha256:"


def index_key(key: str, dialect: DialectName) -> str:
    """Return the key, or what stands for it in an index."""
    if dialect == "sqlite" or (len(key) <= KEY_CHARS_MAX and "\0" not in key):
        return key
    return f"{_DIGEST}{hashlib.sha256(key.encode('utf-8', 'surrogatepass')).hexdigest()}"


def is_digest(key: str) -> bool:
    """Return whether a key of an index is the digest of a longer one."""
    return key.startswith(_DIGEST)
