"""A connection to PostgreSQL for one question: read-only, bounded in time, known by its token.

Nothing of the host's own login is used: no password file, no client certificate, no Kerberos
ticket; a source speaks with the login its owner gave it.
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
# The schemas the login has chosen, those that are there; temporary tables never hide one of them,
# and nothing hides the server's own functions and types: what is not named comes first. A text ends
# where the guard took it to end, whatever the login's settings.
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
# The server looks whether we are still there while it works, where it can (14 and later).
_WATCH_CLIENT = """
SELECT set_config(name, '300', false) FROM pg_settings
WHERE name = 'client_connection_check_interval'
"""


@contextmanager
def open_postgres_connection(
    address: ServerAddress, patience: StatementTimeouts, *, read_only: bool = True
) -> Generator[Connection]:
    """Connect, begin a transaction, and always roll back what was not committed."""
    with hide_secret(address.password), _in_sentences(address, patience):
        connection = _connect(address)
        try:
            _settle(connection, patience, read_only=read_only)
            yield connection
        finally:
            connection.close()


def _connect(address: ServerAddress) -> Connection:
    # One mapping: what the checker takes for other arguments are options of libpq.
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


def _settle(connection: Connection, patience: StatementTimeouts, *, read_only: bool) -> None:
    statement_ms = max(1, int(patience.statement_s * 1_000))
    settings = {
        "statement": str(statement_ms),
        "lock": str(max(1, int(patience.lock_s * 1_000))),
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
    # After a first statement the transaction cannot be made one that writes.
    connection.execute("SELECT 1")


@contextmanager
def _in_sentences(address: ServerAddress, patience: StatementTimeouts) -> Generator[None]:
    try:
        yield
    except errors.LockNotAvailable:
        raise make_locked_error(patience.lock_s) from None
    except errors.QueryCanceled as error:
        if "statement timeout" in str(error):
            raise make_timeout_error(patience.statement_s) from None
        raise QuestionError(_text(error)) from None
    except (errors.UndefinedTable, errors.UndefinedColumn, errors.InvalidSchemaName) as error:
        raise make_missing_error(_text(error)) from None
    except errors.ConnectionTimeout:
        raise QuestionError(
            f"{address.where} accepted no connection within {address.connect_s} s. Look at host, "
            "port and firewall."
        ) from None
    except psycopg.Error as error:
        raise QuestionError(_text(error)) from None


def _text(error: psycopg.Error) -> str:
    """Give the server's own words, with its hint, without the place in a text nobody wrote."""
    primary = error.diag.message_primary
    if primary is None:
        return " ".join(str(error).split()) or type(error).__name__
    more = (error.diag.message_detail, error.diag.message_hint)
    return " ".join(part for part in (f"{primary}.", *more) if part)
