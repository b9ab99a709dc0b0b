"""Runs one INSERT, UPDATE or DELETE on PostgreSQL; rolls it back or commits it."""

from typing import Any

from ..question_server import OwnQuestionError
from ..server_worker.sql_address import ServerAddress, StatementTimeouts
from ..server_worker.sql_write import SideEffects, WriteRequest, keep, report
from .postgres_connection import Connection, open_postgres_connection
from .postgres_resolution import check_resolution

_TARGET = """
SELECT c.oid, c.relkind::text, EXISTS (SELECT FROM pg_rewrite r WHERE r.ev_class = c.oid)
FROM pg_class c WHERE c.oid = to_regclass(
  CASE WHEN %(schema)s::text = '' THEN quote_ident(%(table)s)
       ELSE quote_ident(%(schema)s) || '.' || quote_ident(%(table)s) END)
"""
_TRIGGERS = """
SELECT tgname::text FROM pg_trigger
WHERE tgrelid = %s AND NOT tgisinternal AND tgenabled <> 'D' ORDER BY tgname
"""
# `a` and `r` do not change the other table.
_CASCADES = """
SELECT DISTINCT format('%%I', c.relname) FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid
WHERE k.confrelid = %(oid)s AND k.contype = 'f'
  AND CASE %(verb)s WHEN 'DELETE' THEN k.confdeltype WHEN 'UPDATE' THEN k.confupdtype ELSE 'a' END
      NOT IN ('a', 'r')
ORDER BY 1
"""
_TABLES = frozenset({"r", "p"})


def write(address: ServerAddress, **arguments: Any) -> dict[str, Any]:
    """Run the write; without a commit it leaves nothing."""
    request = WriteRequest(**arguments)
    with open_postgres_connection(
        address, StatementTimeouts(statement_s=request.timeout_s), read_only=False
    ) as connection:
        check_resolution(connection, request.sql)
        side_effects = _find_side_effects(connection, request)
        # Binary results need the extended protocol, which takes one statement.
        cursor = connection.execute(request.sql.encode(), binary=True)
        count = cursor.rowcount
        # Checks and triggers that are deferred to the commit must be part of the trial.
        connection.execute("SET CONSTRAINTS ALL IMMEDIATE")
        committed = keep(request, count)
        if committed:
            connection.commit()
        else:
            connection.rollback()
        return report(count, side_effects, committed=committed)


def _find_side_effects(connection: Connection, request: WriteRequest) -> SideEffects:
    name = f"{request.schema}.{request.table}" if request.schema else request.table
    target = connection.execute(
        _TARGET, {"schema": request.schema, "table": request.table}
    ).fetchone()
    if target is None:
        raise OwnQuestionError(f"There is no table {name!r} that this login can see.")
    oid, kind, has_rules = target
    if kind not in _TABLES or has_rules:
        raise OwnQuestionError(
            f"{name!r} is a view, a foreign table or has rules, so that a write to it may change "
            "something else or not be undone. Name the table itself."
        )
    side_effects = SideEffects()
    side_effects.triggers([row[0] for row in connection.execute(_TRIGGERS, (oid,)).fetchall()])
    cascades = connection.execute(_CASCADES, {"oid": oid, "verb": request.verb}).fetchall()
    side_effects.cascades([row[0] for row in cascades], request.verb)
    return side_effects
