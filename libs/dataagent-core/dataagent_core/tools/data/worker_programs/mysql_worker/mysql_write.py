"""Runs one INSERT, UPDATE or DELETE on MySQL or MariaDB; rolls it back or commits it."""

from typing import Any

from ..question_server import OwnQuestionError
from ..server_worker.sql_address import ServerAddress, StatementTimeouts
from ..server_worker.sql_write import SideEffects, WriteRequest, keep, report
from .mysql_connection import Connection, open_mysql_connection
from .mysql_resolution import check_resolution

_TRANSACTIONAL = frozenset({"innodb", "rocksdb", "ndbcluster"})
_TARGET = """
SELECT table_type, engine FROM information_schema.tables
WHERE table_schema = COALESCE(NULLIF(%s, ''), DATABASE()) AND table_name = %s
"""
_TRIGGERS = """
SELECT trigger_name FROM information_schema.triggers
WHERE event_object_schema = COALESCE(NULLIF(%s, ''), DATABASE()) AND event_object_table = %s
  AND event_manipulation = %s ORDER BY trigger_name
"""
_LOSABLE = """
SELECT CONCAT(table_schema, '.', table_name) FROM information_schema.tables
WHERE table_type = 'BASE TABLE' AND LOWER(COALESCE(engine, '')) NOT IN %s
  AND table_schema NOT IN ('mysql', 'sys', 'information_schema', 'performance_schema') LIMIT 1
"""
_CASCADES = """
SELECT DISTINCT table_name FROM information_schema.referential_constraints
WHERE unique_constraint_schema = COALESCE(NULLIF(%s, ''), DATABASE())
  AND referenced_table_name = %s
  AND CASE %s WHEN 'DELETE' THEN delete_rule WHEN 'UPDATE' THEN update_rule ELSE 'RESTRICT' END
      NOT IN ('RESTRICT', 'NO ACTION')
"""


def write(address: ServerAddress, **arguments: Any) -> dict[str, Any]:
    """Run the write; without a commit it leaves nothing."""
    request = WriteRequest(**arguments)
    with open_mysql_connection(
        address, StatementTimeouts(statement_s=request.timeout_s), read_only=False
    ) as connection:
        check_resolution(connection, request.sql)
        side_effects = _find_side_effects(connection, request)
        with connection.cursor() as cursor:
            count = cursor.execute(f"/* {address.token} */ {request.sql}")
            warnings = connection.show_warnings()
        side_effects.notes += [f"The server warns: {row[2]}" for row in list(warnings)[:3]]
        committed = keep(request, count)
        if committed:
            connection.commit()
        else:
            connection.rollback()
        return report(count, side_effects, committed=committed)


def _find_side_effects(connection: Connection, request: WriteRequest) -> SideEffects:
    name = f"{request.schema}.{request.table}" if request.schema else request.table
    target = _query_rows(connection, _TARGET, (request.schema, request.table))
    if not target:
        raise OwnQuestionError(f"There is no table {name!r} that this login can see.")
    kind, engine = target[0]
    if kind != "BASE TABLE":
        raise OwnQuestionError(f"{name!r} is not a plain table ({kind}). Name the table itself.")
    if str(engine).lower() not in _TRANSACTIONAL:
        raise OwnQuestionError(
            f"{name!r} is kept by {engine}, which cannot take a change back, so a try would "
            "already change it. Move it to InnoDB first: ALTER TABLE ... ENGINE=InnoDB."
        )
    side_effects = SideEffects()
    triggers = _query_rows(connection, _TRIGGERS, (request.schema, request.table, request.verb))
    if triggers and (losable := _query_rows(connection, _LOSABLE, (sorted(_TRANSACTIONAL),))):
        raise OwnQuestionError(
            f"Triggers of {name!r} run with it, and a table they may write to, {losable[0][0]}, "
            "cannot take a change back, so it cannot be tried safely."
        )
    side_effects.triggers([row[0] for row in triggers])
    cascades = _query_rows(connection, _CASCADES, (request.schema, request.table, request.verb))
    side_effects.cascades([row[0] for row in cascades], request.verb)
    return side_effects


def _query_rows(
    connection: Connection, query: str, values: tuple[Any, ...]
) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(query, values)
        return list(cursor.fetchall())
