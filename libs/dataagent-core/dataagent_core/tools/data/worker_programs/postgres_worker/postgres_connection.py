"""Opens a connection to PostgreSQL for one request: read-only, with a time limit and a token.

It uses only the login of the source, nothing of the host's own: no password file, no client
certificate, no Kerberos ticket.
"""

from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

import psycopg
from psycopg import errors

from ..question_server import QuestionError
from ..server_worker.sql_address import ServerAddress, StatementTimeouts
from ..server_worker.sql_failure import (
    hide_secret,
    make_locked_error,
    make_missing_error,
    make_timeout_error,
)

Connection = psycopg.Connection[tuple[Any, ...]]
# The search path keeps the login's existing schemas; temporary tables never hide them, and nothing
# hides the server's own functions and types, which come first. Texts end where the guard expects
# it, whatever the login's settings.
_SETTINGS = """
SELECT set_config('search_path', coalesce((SELECT string_agg(quote_ident(name), ', ')
           FROM unnest(current_schemas(false)) AS name WHERE name <> 'pg_catalog') || ', ', '')
           || 'pg_temp', false),
       set_config('statement_timeout', %(statement)s, false),
       set_config('lock_timeout', %(lock)s, false),
       set_config('idle_in_transaction_session_timeout', %(idle)s, false),
       set_config('default_transaction_read_only', %(read_only)s, false),
       set_config('standard_conforming_strings', 'on', false),
       set_config('TimeZone', 'UTC', false),
       set_config('DateStyle', 'ISO, YMD', false),
       set_config('IntervalStyle', 'postgres', false),
       set_config('bytea_output', 'hex', false),
       set_config('extra_float_digits', '1', false)
"""
# The server checks while it works whether the client is still connected (14 and later).
_WATCH_CLIENT = """
SELECT set_config(name, '300', false) FROM pg_settings
WHERE name = 'client_connection_check_interval'
"""


@contextmanager
def open_postgres_connection(
    address: ServerAddress, timeouts: StatementTimeouts, *, read_only: bool = True
) -> Generator[Connection]:
    """Connect and begin a transaction, which is rolled back unless committed."""
    with hide_secret(address.password), _translate_errors(address, timeouts):
        connection = _connect(address)
        try:
            _configure(connection, timeouts, read_only=read_only)
            yield connection
        finally:
            connection.close()


def _connect(address: ServerAddress) -> Connection:
    # One untyped mapping: these are options of libpq.
    options: dict[str, Any] = dict(address.options)
    return psycopg.connect(
        host=address.host,
        hostaddr=address.dialled or None,
        port=address.port,
        user=address.user,
        password=address.password or None,
        dbname=address.database or address.user,
        application_name=address.token,
        connect_timeout=address.connect_s,
        client_encoding="UTF8",
        passfile="/nonexistent/passfile",
        sslcertmode="disable",
        gssencmode="disable",
        require_auth="!gss,!sspi",
        prepare_threshold=None,
        **options,
    )


def _configure(connection: Connection, timeouts: StatementTimeouts, *, read_only: bool) -> None:
    statement_ms = max(1, int(timeouts.statement_s * 1_000))
    settings = {
        "statement": str(statement_ms),
        "lock": str(max(1, int(timeouts.lock_s * 1_000))),
        "idle": str(statement_ms + 5_000),
        "read_only": "on" if read_only else "off",
    }
    connection.autocommit = True
    connection.execute(_SETTINGS, settings)
    connection.execute(_WATCH_CLIENT)
    connection.autocommit = False
    connection.read_only = read_only
    if read_only:
        connection.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
    # After a first statement the transaction cannot become one that writes.
    connection.execute("SELECT 1")


@contextmanager
def _translate_errors(address: ServerAddress, timeouts: StatementTimeouts) -> Generator[None]:
    try:
        yield
    except errors.LockNotAvailable:
        raise make_locked_error(timeouts.lock_s) from None
    except errors.QueryCanceled as error:
        if "statement timeout" in str(error):
            raise make_timeout_error(timeouts.statement_s) from None
        raise QuestionError(_get_message(error)) from None
    except (errors.UndefinedTable, errors.UndefinedColumn, errors.InvalidSchemaName) as error:
        raise make_missing_error(_get_message(error)) from None
    except errors.ConnectionTimeout:
        raise QuestionError(
            f"{address.where} accepted no connection within {address.connect_s} s. Look at host, "
            "port and firewall."
        ) from None
    except psycopg.Error as error:
        raise QuestionError(_get_message(error)) from None


def _get_message(error: psycopg.Error) -> str:
    """Return the server's message with its hint, without the position in the rewritten SQL."""
    primary = error.diag.message_primary
    if primary is None:
        return " ".join(str(error).split()) or type(error).__name__
    more = (error.diag.message_detail, error.diag.message_hint)
    return " ".join(part for part in (f"{primary}.", *more) if part)
