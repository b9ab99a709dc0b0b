"""Column types that mean the same on every database.

`Id`, `Key`     text compared byte by byte: no case folding, no accents folded, no padding
`Moment`        an aware datetime in UTC to the microsecond; on SQLite text whose order is time's
`LongText`      text without a length
`Json`          any JSON value, kept as text: nothing is ever searched inside it
`Blob`          bytes without a length
`AnyText`       text kept as bytes, because a model's text may hold NUL and lone surrogates, which
                PostgreSQL or UTF-8 refuse
"""

import json
from datetime import UTC, datetime
from typing import Any, cast

from sqlalchemy import Dialect, LargeBinary, String, Text
from sqlalchemy.dialects import mysql, postgresql
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import TypeCompiler
from sqlalchemy.types import TypeDecorator, TypeEngine

from dataagent_core.session.stores.sql.dialect import KEY_CHARS_MAX


class Exact(String):
    """Text that is equal only to itself."""


@compiles(Exact, "mysql")
def _exact_mysql(type_: Exact, compiler: TypeCompiler, **_: Any) -> str:
    # `utf8mb4_bin` would take "a" and "a " for equal; the two servers name the other one apart.
    maria = getattr(compiler.dialect, "is_mariadb", False)
    collation = "utf8mb4_nopad_bin" if maria else "utf8mb4_0900_bin"
    return f"VARCHAR({type_.length}) CHARACTER SET utf8mb4 COLLATE {collation}"


@compiles(Exact, "postgresql")
def _exact_postgresql(type_: Exact, compiler: TypeCompiler, **_: Any) -> str:
    del compiler
    return f'VARCHAR({type_.length}) COLLATE "C"'


ID_CHARS_MAX = 64
Id = Exact(ID_CHARS_MAX)
Key = Exact(KEY_CHARS_MAX)
LongText = Text().with_variant(mysql.LONGTEXT(charset="utf8mb4", collation="utf8mb4_bin"), "mysql")
Blob = LargeBinary().with_variant(mysql.LONGBLOB(), "mysql")


class Moment(TypeDecorator[datetime]):
    """A moment; what has no time zone is refused, because nobody knows when it was."""

    impl = String(32)
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        match dialect.name:
            case "mysql":
                return dialect.type_descriptor(mysql.DATETIME(fsp=6))
            case "postgresql":
                return dialect.type_descriptor(postgresql.TIMESTAMP(timezone=True))
            case _:
                return dialect.type_descriptor(String(32))

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> Any:
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError(f"{value!r} has no time zone.")
        moment = value.astimezone(UTC)
        match dialect.name:
            case "mysql":
                return moment.replace(tzinfo=None)
            case "postgresql":
                return moment
            case _:
                # One zone and one width, so that text order is time order.
                return moment.isoformat(timespec="microseconds")

    def process_result_value(self, value: Any, dialect: Dialect) -> datetime | None:
        del dialect
        if value is None:
            return None
        if isinstance(value, str):
            return datetime.fromisoformat(value)
        moment = cast("datetime", value)
        return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)


class Json(TypeDecorator[Any]):
    """A JSON value; `None` is SQL's NULL."""

    impl = LongText
    cache_ok = True

    def process_bind_param(self, value: Any, dialect: Dialect) -> str | None:
        del dialect
        return None if value is None else json.dumps(value, allow_nan=False, separators=(",", ":"))

    def process_result_value(self, value: str | None, dialect: Dialect) -> Any:
        del dialect
        return None if value is None else json.loads(value)


class AnyText(TypeDecorator[str]):
    """Text with whatever a person or a model may have written."""

    impl = Blob
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> bytes | None:
        del dialect
        return None if value is None else value.encode("utf-8", "surrogatepass")

    def process_result_value(self, value: bytes | None, dialect: Dialect) -> str | None:
        del dialect
        return None if value is None else bytes(value).decode("utf-8", "surrogatepass")
