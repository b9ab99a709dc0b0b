"""Opens a connection to MySQL or MariaDB for one request: read-only, with a time limit.

PyMySQL sends one statement at a time and reads no option files here; the server may not request a
local file.
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
_TIMEOUT_CODES = frozenset({1969, 3024, ER.QUERY_INTERRUPTED})
_LOCK_CODES = frozenset({ER.LOCK_WAIT_TIMEOUT, 3572})
_MISSING_CODES = frozenset({ER.NO_SUCH_TABLE, ER.BAD_FIELD_ERROR, ER.BAD_DB_ERROR})
_UNREACHABLE_CODES = frozenset({CR.CR_CONN_HOST_ERROR, CR.CR_SERVER_LOST})
# Modes in which a text ends elsewhere, double quotes mean a name, or other words are keywords.
_UNSAFE_MODES = frozenset(
    {"NO_BACKSLASH_ESCAPES", "ANSI_QUOTES", "ANSI", "DB2", "MAXDB", "MSSQL", "ORACLE", "POSTGRESQL"}
)
# The socket times out this much later than the server's own limit.
_SPARE_S = 2.0


@contextmanager
def open_mysql_connection(
    address: ServerAddress,
    timeouts: StatementTimeouts,
    *,
    read_only: bool = True,
    raw: bool = False,
) -> Generator[Connection]:
    """Connect and begin a transaction, which is rolled back unless committed.

    With `raw`, values are the bytes the server sent.
    """
    with hide_secret(address.password), _translate_errors(address, timeouts):
        connection = _connect(address, timeouts, raw=raw)
        try:
            _configure(connection, timeouts, read_only=read_only)
            yield connection
        finally:
            # Not `close`, which would first read the rest of a result; the server rolls back when a
            # connection ends.
            connection._force_close()  # pyright: ignore[reportAttributeAccessIssue] # noqa: SLF001


def _connect(address: ServerAddress, timeouts: StatementTimeouts, *, raw: bool) -> Connection:
    # Encoders only: values are not converted when they are read.
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
        # For a host that accepts a connection and never answers.
        read_timeout=address.connect_s,
        write_timeout=timeouts.statement_s + _SPARE_S,
        program_name=address.token,
        local_infile=False,
        autocommit=False,
        ssl=_make_tls_context(address),
        defer_connect=True,
        **reading,
    )
    connection.connect(_dial(address))
    vars(connection)["_read_timeout"] = timeouts.statement_s + _SPARE_S
    return connection


def _dial(address: ServerAddress) -> socket.socket | None:
    """Dial the allowed address, if there is one; else PyMySQL dials the host."""
    if not address.dialled:
        return None
    try:
        connected = socket.create_connection((address.dialled, address.port), address.connect_s)
    except OSError as error:
        raise pymysql.OperationalError(
            CR.CR_CONN_HOST_ERROR, f"Can't connect to {address.where} ({error})"
        ) from None
    connected.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    connected.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    return connected


def _make_tls_context(address: ServerAddress) -> ssl.SSLContext | None:
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


def _configure(connection: Connection, timeouts: StatementTimeouts, *, read_only: bool) -> None:
    seconds = max(0.001, timeouts.statement_s)
    lock_s = max(1, int(timeouts.lock_s))
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
        f"SET SESSION sql_mode = '{_get_safe_mode(connection)}', {', '.join(settings)}",
        "SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ",
    ]
    if read_only:
        statements += ["SET SESSION TRANSACTION READ ONLY", "START TRANSACTION READ ONLY"]
    else:
        # A value that does not fit a column is refused, not cut.
        statements += [
            "SET SESSION sql_mode = CONCAT(@@sql_mode, ',STRICT_ALL_TABLES')",
            "SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED",
            "START TRANSACTION READ WRITE",
        ]
    with connection.cursor() as cursor:
        for statement in (*statements, "SELECT 1"):
            cursor.execute(statement)
            cursor.fetchall()


def _get_safe_mode(connection: Connection) -> str:
    """Return the server's mode without the modes that parse SQL differently from the guard."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT @@sql_mode")
        (mode,) = cursor.fetchone() or ("",)
    text = mode.decode() if isinstance(mode, bytes) else str(mode)
    return ",".join(word for word in text.split(",") if word not in _UNSAFE_MODES)


@contextmanager
def _translate_errors(address: ServerAddress, timeouts: StatementTimeouts) -> Generator[None]:
    try:
        yield
    except pymysql.MySQLError as error:
        raise _translate_error(error, address, timeouts) from None


def _translate_error(
    error: pymysql.MySQLError, address: ServerAddress, timeouts: StatementTimeouts
) -> QuestionError:
    number = error.args[0] if error.args else 0
    text = str(error.args[1] if len(error.args) > 1 else error)
    if number in _TIMEOUT_CODES:
        return make_timeout_error(timeouts.statement_s)
    if number in _LOCK_CODES:
        return make_locked_error(timeouts.lock_s)
    if number in _MISSING_CODES:
        return make_missing_error(text)
    if "timed out" in text and number in _UNREACHABLE_CODES:
        return QuestionError(
            f"{address.where} accepted no connection within {address.connect_s} s. Look at host, "
            "port and firewall."
        )
    return QuestionError(text or type(error).__name__)
