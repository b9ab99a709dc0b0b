"""The database's clock, which all processes and hosts share."""

from datetime import UTC, datetime

from sqlalchemy import Connection, text

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
