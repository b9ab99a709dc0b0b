"""A connection to MySQL or MariaDB for one question: read-only, bounded in time.

PyMySQL sends one statement at a time unless told otherwise, and reads no option files here; the
server may not ask for a file of ours.
"""

import socket
import ssl
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

import pymysql
from pymysql.constants import CR, ER
from pymysql.converters import encoders
from pymysql.cursors import SSCursor

from ..question_server import QuestionError
from ..server_worker.sql_address import ServerAddress, StatementTimeouts
from ..server_worker.sql_failure import (
    hide_secret,
    make_locked_error,
    make_missing_error,
    make_timeout_error,
)

Connection = pymysql.connections.Connection
# MariaDB's number for max_statement_time; MySQL's is 3024 (max_execution_time).
_OUT_OF_TIME = frozenset({1969, 3024, ER.QUERY_INTERRUPTED})
_LOCKED = frozenset({ER.LOCK_WAIT_TIMEOUT, 3572})
_MISSING = frozenset({ER.NO_SUCH_TABLE, ER.BAD_FIELD_ERROR, ER.BAD_DB_ERROR})
_UNREACHED = frozenset({CR.CR_CONN_HOST_ERROR, CR.CR_SERVER_LOST})
# Modes in which a text ends elsewhere, double quotes are a name's, or other words are keywords.
_OTHER_READINGS = frozenset(
    {"NO_BACKSLASH_ESCAPES", "ANSI_QUOTES", "ANSI", "DB2", "MAXDB", "MSSQL", "ORACLE", "POSTGRESQL"}
)
# What the answer may be late by beyond the server's own limit before the socket gives up.
_SPARE_S = 2.0


@contextmanager
def open_mysql_connection(
    address: ServerAddress,
    patience: StatementTimeouts,
    *,
    read_only: bool = True,
    raw: bool = False,
) -> Generator[Connection]:
    """Connect, begin a transaction, and always roll back what was not committed.

    With `raw` values are bytes as the server wrote them.
    """
    with hide_secret(address.password), _in_sentences(address, patience):
        connection = _connect(address, patience, raw=raw)
        try:
            _settle(connection, patience, read_only=read_only)
            yield connection
        finally:
            # Not `close`, which would first read what is left of an answer; the server rolls back
            # when a connection ends.
            connection._force_close()  # pyright: ignore[reportAttributeAccessIssue] # noqa: SLF001


def _connect(address: ServerAddress, patience: StatementTimeouts, *, raw: bool) -> Connection:
    # Encoders only: no value is turned into another one on its way in.
    reading: dict[str, Any] = (
        {"conv": encoders, "use_unicode": False, "cursorclass": SSCursor} if raw else {}
    )
    connection = pymysql.connect(
        host=address.host,
        port=address.port,
        user=address.user,
        password=address.password,
        database=address.database or None,
        charset="utf8mb4",
        connect_timeout=address.connect_s,
        # For a host that accepts and says nothing.
        read_timeout=address.connect_s,
        write_timeout=patience.statement_s + _SPARE_S,
        program_name=address.token,
        local_infile=False,
        autocommit=False,
        ssl=_tls(address),
        defer_connect=True,
        **reading,
    )
    connection.connect(_dialled(address))
    vars(connection)["_read_timeout"] = patience.statement_s + _SPARE_S
    return connection


def _dialled(address: ServerAddress) -> socket.socket | None:
    """Dial the address that was allowed, where there is one; else PyMySQL dials the host."""
    if not address.dialled:
        return None
    try:
        dialled = socket.create_connection((address.dialled, address.port), address.connect_s)
    except OSError as error:
        raise pymysql.OperationalError(
            CR.CR_CONN_HOST_ERROR, f"Can't connect to {address.where} ({error})"
        ) from None
    dialled.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    dialled.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    return dialled


def _tls(address: ServerAddress) -> ssl.SSLContext | None:
    match address.options.get("ssl"):
        case "verify":
            return ssl.create_default_context()
        case "require":
            context = ssl.create_default_context()
            context.check_hostname = False
            context.verify_mode = ssl.CERT_NONE
            return context
        case _:
            return None


def _settle(connection: Connection, patience: StatementTimeouts, *, read_only: bool) -> None:
    seconds = max(0.001, patience.statement_s)
    lock_s = max(1, int(patience.lock_s))
    limit = (
        f"max_statement_time = {seconds:.3f}"
        if "mariadb" in connection.get_server_info().lower()
        else f"max_execution_time = {int(seconds * 1_000)}"
    )
    idle_s = int(seconds + 5)
    settings = [
        limit,
        f"lock_wait_timeout = {lock_s}",
        f"innodb_lock_wait_timeout = {lock_s}",
        f"wait_timeout = {idle_s}",
        f"net_write_timeout = {idle_s}",
        "time_zone = '+00:00'",
    ]
    statements = [
        f"SET SESSION sql_mode = '{_reading_mode(connection)}', {', '.join(settings)}",
        "SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ",
    ]
    if read_only:
        statements += ["SET SESSION TRANSACTION READ ONLY", "START TRANSACTION READ ONLY"]
    else:
        # What does not fit a column is refused instead of cut.
        statements += [
            "SET SESSION sql_mode = CONCAT(@@sql_mode, ',STRICT_ALL_TABLES')",
            "SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED",
            "START TRANSACTION READ WRITE",
        ]
    with connection.cursor() as cursor:
        for statement in (*statements, "SELECT 1"):
            cursor.execute(statement)
            cursor.fetchall()


def _reading_mode(connection: Connection) -> str:
    """Give the server's mode without what would read a statement otherwise than the guard did."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT @@sql_mode")
        (mode,) = cursor.fetchone() or ("",)
    text = mode.decode() if isinstance(mode, bytes) else str(mode)
    return ",".join(word for word in text.split(",") if word not in _OTHER_READINGS)


@contextmanager
def _in_sentences(address: ServerAddress, patience: StatementTimeouts) -> Generator[None]:
    try:
        yield
    except pymysql.MySQLError as error:
        raise _sentence(error, address, patience) from None


def _sentence(
    error: pymysql.MySQLError, address: ServerAddress, patience: StatementTimeouts
) -> QuestionError:
    number = error.args[0] if error.args else 0
    text = str(error.args[1] if len(error.args) > 1 else error)
    if number in _OUT_OF_TIME:
        return make_timeout_error(patience.statement_s)
    if number in _LOCKED:
        return make_locked_error(patience.lock_s)
    if number in _MISSING:
        return make_missing_error(text)
    if "timed out" in text and number in _UNREACHED:
        return QuestionError(
            f"{address.where} accepted no connection within {address.connect_s} s. Look at host, "
            "port and firewall."
        )
    return QuestionError(text or type(error).__name__)
