"""Scopes and their numbers. A number is of one tenant, and of another one never again."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, cast

from dataagent_core.memory.memory import MemoryScope, ScopeKind
from dataagent_core.session.stores.sql.connection import SqlConnection
from dataagent_core.session.stores.sql.dialect import (
    KEYS_PER_STATEMENT_MAX,
    insert_ignore,
    placeholders,
    rows_in,
)

_KEY: Final = ("user_id", "kind", "assistant_id", "project_id")
_COLUMNS: Final = ("tenant_id", *_KEY)
SCOPE_COLUMNS: Final = ", ".join(f"s.{name}" for name in _COLUMNS)


def find_scopes(
    connection: SqlConnection, tenant_id: str, scopes: Sequence[MemoryScope]
) -> dict[int, MemoryScope]:
    """Return the scopes of this tenant in which something was stored, by number."""
    wanted = list(dict.fromkeys(scope for scope in scopes if scope.tenant_id == tenant_id))
    found: dict[int, MemoryScope] = {}
    for start in range(0, len(wanted), KEYS_PER_STATEMENT_MAX):
        some = wanted[start : start + KEYS_PER_STATEMENT_MAX]
        rows = connection.execute(
            f"SELECT number, {SCOPE_COLUMNS} FROM memory_scopes AS s "
            f"WHERE tenant_id = ? AND {rows_in(connection.dialect.name, _KEY, len(some))}",
            [tenant_id, *(value for scope in some for value in _values(scope))],
        )
        found |= {row[0]: read_scope(row[1:]) for row in rows}
    return found


def make_scope(connection: SqlConnection, tenant_id: str, scope: MemoryScope) -> int:
    """Return the number of a scope, which gets one if it has none."""
    found = find_scopes(connection, tenant_id, [scope])
    if not found:
        connection.execute(
            insert_ignore(connection.dialect.name, "memory_scopes", _COLUMNS),
            (tenant_id, *_values(scope)),
        )
        found = find_scopes(connection, tenant_id, [scope])
    (number,) = found
    return number


def list_user_scopes(
    connection: SqlConnection, tenant_id: str, user_id: str
) -> dict[int, MemoryScope]:
    """Return all scopes of a user, by number."""
    rows = connection.execute(
        f"SELECT number, {SCOPE_COLUMNS} FROM memory_scopes AS s "
        "WHERE tenant_id = ? AND user_id = ? ORDER BY number",
        (tenant_id, user_id),
    )
    return {row[0]: read_scope(row[1:]) for row in rows}


def read_scopes(
    connection: SqlConnection, tenant_id: str, numbers: Sequence[int]
) -> Mapping[int, MemoryScope]:
    """Return the scopes of numbers."""
    if not numbers:
        return {}
    rows = connection.execute(
        f"SELECT number, {SCOPE_COLUMNS} FROM memory_scopes AS s "
        f"WHERE tenant_id = ? AND number IN ({placeholders(len(numbers))})",
        (tenant_id, *numbers),
    )
    return {row[0]: read_scope(row[1:]) for row in rows}


def read_scope(row: Sequence[Any]) -> MemoryScope:
    """Return the scope of the columns `SCOPE_COLUMNS`."""
    tenant_id, user_id, kind, assistant_id, project_id = row
    return MemoryScope(
        tenant_id=tenant_id,
        user_id=user_id,
        kind=cast("ScopeKind", kind),
        assistant_id=assistant_id,
        project_id=project_id,
    )


def _values(scope: MemoryScope) -> tuple[str, str, str, str]:
    return scope.user_id, scope.kind, scope.assistant_id, scope.project_id
