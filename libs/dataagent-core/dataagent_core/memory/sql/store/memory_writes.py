"""Statements that add, change and remove memories, within the caller's transaction."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final

from dataagent_core.config.limits.memory import MEMORIES_MAX
from dataagent_core.errors import (
    ConflictError,
    LimitReachedError,
    NotFoundError,
    ValidationError,
)
from dataagent_core.memory.memory import Memory
from dataagent_core.memory.search_index import DocumentKey, IndexEntry
from dataagent_core.memory.sql.document_span import DocumentSpan
from dataagent_core.memory.sql.index_state import read_states
from dataagent_core.memory.sql.index_writes import (
    index_document,
    move_document,
    unindex_documents,
)
from dataagent_core.memory.sql.scope_numbers import list_user_scopes, make_scope
from dataagent_core.memory.sql.store.memory_rows import COLUMNS, make_row
from dataagent_core.session.stores.sql.connection import SqlConnection
from dataagent_core.session.stores.sql.dialect import (
    KEYS_PER_STATEMENT_MAX,
    insert,
    placeholders,
)

_ONE: Final = "WHERE tenant_id = ? AND id = ?"
# A save leaves whose it is, and what `note_access` counts.
_KEPT: Final = frozenset(
    {"tenant_id", "id", "user_id", "scope_no", "access_count", "last_accessed_at"}
)
_SET: Final = tuple(name for name in COLUMNS if name not in _KEPT)


def add_memory(connection: SqlConnection, memory: Memory, entry: IndexEntry) -> Memory:
    """Store a memory with its first version, and index it."""
    tenant_id, added = memory.scope.tenant_id, replace(memory, version=1)
    if connection.execute(f"SELECT 1 FROM memories {_ONE}", (tenant_id, added.id)).fetchone():
        raise ConflictError(f"The memory {added.id} exists already.")
    scopes = list_user_scopes(connection, tenant_id, added.scope.user_id)
    known = sum(state.documents for state in read_states(connection, list(scopes), ["memory"]))
    if known >= MEMORIES_MAX:
        raise LimitReachedError(
            f"There are {MEMORIES_MAX:,} memories of {added.scope.user_id}, which is the most: "
            "forget some."
        )
    scope_no = make_scope(connection, tenant_id, added.scope)
    row = make_row(added, scope_no, connection.dialect)
    connection.execute(insert("memories", COLUMNS), list(row.values()))
    index_document(
        connection,
        tenant_id,
        scope_no,
        DocumentKey("memory", added.id),
        entry=entry,
        span=DocumentSpan.of_memory(added),
    )
    return added


def save_memory(connection: SqlConnection, memory: Memory, entry: IndexEntry | None) -> Memory:
    """Replace a memory, and index it anew or only move it."""
    tenant_id, saved = memory.scope.tenant_id, replace(memory, version=memory.version + 1)
    stored = connection.execute(
        f"SELECT scope_no, version FROM memories {_ONE}{connection.dialect.for_update}",
        (tenant_id, saved.id),
    ).fetchone()
    if stored is None:
        raise NotFoundError(f"There is no memory {saved.id}: it was forgotten meanwhile.")
    scope_no, version = stored
    if scope_no != make_scope(connection, tenant_id, saved.scope):
        raise ValidationError(
            f"The memory {saved.id} belongs to another scope: a memory does not move. Add it there "
            "and forget it here."
        )
    if version != memory.version:
        raise ConflictError(
            f"The memory {saved.id} was changed meanwhile: it has version {version}, and yours is "
            f"of version {memory.version}. Read it again and repeat your change."
        )
    row = make_row(saved, scope_no, connection.dialect)
    connection.execute(
        f"UPDATE memories SET {', '.join(f'{name} = ?' for name in _SET)} {_ONE}",
        (*(row[name] for name in _SET), tenant_id, saved.id),
    )
    key, span = DocumentKey("memory", saved.id), DocumentSpan.of_memory(saved)
    if entry is None:
        move_document(connection, tenant_id, key, span)
    else:
        index_document(connection, tenant_id, scope_no, key, entry=entry, span=span)
    return saved


def remove_memories(
    connection: SqlConnection, tenant_id: str, memory_ids: Sequence[str]
) -> Counter[str]:
    """Remove memories; say how many rows of which table went."""
    removed = unindex_documents(connection, tenant_id, "memory", memory_ids)
    for start in range(0, len(memory_ids), KEYS_PER_STATEMENT_MAX):
        some = memory_ids[start : start + KEYS_PER_STATEMENT_MAX]
        removed["memories"] += connection.execute(
            f"DELETE FROM memories WHERE tenant_id = ? AND id IN ({placeholders(len(some))})",
            (tenant_id, *some),
        ).rowcount
    return removed


def note_access(
    connection: SqlConnection, tenant_id: str, memory_ids: Sequence[str], at: datetime
) -> None:
    """Count that memories were used; the moment of the last use never moves back."""
    moment = connection.dialect.moment(at)
    # In one order, so that two who note the same ones do not wait for each other.
    for memory_id in sorted(set(memory_ids)):
        connection.execute(
            "UPDATE memories SET access_count = access_count + 1, last_accessed_at = CASE "
            "WHEN last_accessed_at IS NULL OR last_accessed_at < ? THEN ? "
            f"ELSE last_accessed_at END {_ONE}",
            (moment, moment, tenant_id, memory_id),
        )
