"""Runs one query on PostgreSQL, row by row over the protocol that takes one statement."""

from collections.abc import Iterator, Sequence
from typing import Any

import psycopg
from psycopg.abc import Buffer
from psycopg.adapt import Loader

from ..server_worker.server_warnings import ServerWarnings
from ..server_worker.sql_columns import TextColumn
from ..server_worker.sql_stream import Row, stream_to_parquet
from .postgres_connection import Connection
from .postgres_types import make_postgres_columns


class _TextLoader(Loader):
    """Returns a value as the server wrote it."""

    def load(self, data: Buffer) -> bytes:
        return bytes(data)


def run_postgres_query(
    connection: Connection, sql: str, into: str, limits: tuple[int, int]
) -> dict[str, Any]:
    """Run the query and write its rows within the limits (rows, bytes)."""
    warnings = ServerWarnings()

    def add_warning(diagnostic: psycopg.errors.Diagnostic) -> None:
        if diagnostic.severity_nonlocalized == "WARNING":
            warnings.add(diagnostic.message_primary, diagnostic.message_primary or "")

    connection.add_notice_handler(add_warning)

    def run() -> tuple[Sequence[TextColumn], Iterator[Row]]:
        # An earlier run may have been cut short, which ended its transaction.
        connection.rollback()
        connection.execute("SELECT 1")
        warnings.clear()
        cursor = connection.cursor()
        _register_text_loaders(cursor)
        # One row at a time, so that only one row is in memory.
        rows = cursor.stream(sql.encode(), size=1)
        first = next(rows, None)
        if first is None:
            _describe(cursor, sql)
        columns = make_postgres_columns(cursor.description or ())
        return columns, _chain_first(first, rows)

    answer = stream_to_parquet(run, into, *limits)
    return {**answer, "notes": warnings.notes()}


def _describe(cursor: psycopg.Cursor[Any], sql: str) -> None:
    """Describe the columns of a result without rows, which streaming does not."""
    server = cursor.connection.pgconn
    server.prepare(b"", sql.encode())
    cursor.pgresult = server.describe_prepared(b"")


def _chain_first(first: Row | None, rest: Iterator[Row]) -> Iterator[Row]:
    if first is not None:
        yield first
        yield from rest


def _register_text_loaders(cursor: psycopg.Cursor[Any]) -> None:
    for known in psycopg.adapters.types:
        for oid in (known.oid, known.array_oid):
            cursor.adapters.register_loader(oid, _TextLoader)
    cursor.adapters.register_loader(0, _TextLoader)
