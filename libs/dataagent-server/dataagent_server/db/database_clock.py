"""The database's clock, which all processes and hosts share."""

from datetime import UTC, datetime
from typing import Any

from sqlalchemy import BigInteger, ColumnElement, Connection, cast, extract, func, literal, text

from dataagent_server.db.types import Moment

_NOW = {"postgresql": "SELECT clock_timestamp()", "mysql": "SELECT UTC_TIMESTAMP(6)"}


def database_now(connection: Connection) -> datetime:
    """Return the current time in UTC; on SQLite that of this machine."""
    question = _NOW.get(connection.dialect.name)
    if question is None:
        return datetime.now(UTC)
    moment: datetime = connection.execute(text(question)).scalar_one()
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)


def elapsed_ms(start: datetime | None, end: datetime | None) -> int | None:
    """Return how long something took, or None without both times."""
    if start is None or end is None:
        return None
    return round((end - start).total_seconds() * 1_000)


def elapsed_ms_sql(
    dialect: str, start: ColumnElement[Any], end: datetime
) -> ColumnElement[int | None]:
    """Return how long something took by the column of its beginning; NULL where that is NULL."""
    ended = literal(end, Moment)
    match dialect:
        case "mysql":
            elapsed = func.timestampdiff(text("MICROSECOND"), start, ended) / 1_000
        case "postgresql":
            elapsed = extract("epoch", ended.op("-")(start)) * 1_000
        case _:
            elapsed = (func.julianday(ended) - func.julianday(start)) * 86_400_000
    return cast(func.round(elapsed), BigInteger)
