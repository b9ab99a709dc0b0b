"""A memory as a row, and back."""

import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final

from dataagent_core.memory.memory import Memory, MemoryScope, MemorySource
from dataagent_core.memory.sql.memory_tables import MEMORIES
from dataagent_core.memory.sql.scope_numbers import SCOPE_COLUMNS, read_scope
from dataagent_core.memory.sql.word_hash import hash_text
from dataagent_core.memory.text_digest import digest_text
from dataagent_core.session.stores.sql.dialect import (
    SqlDialect,
    decode_text,
    encode_text,
    read_moment,
)

COLUMNS: Final = tuple(MEMORIES.columns)
SELECT_MEMORIES: Final = (
    f"SELECT {', '.join(f'm.{name}' for name in COLUMNS)}, {SCOPE_COLUMNS} FROM memories AS m "
    "JOIN memory_scopes AS s ON s.number = m.scope_no WHERE m.tenant_id = ?"
)


def make_row(memory: Memory, scope_no: int, dialect: SqlDialect) -> dict[str, object]:
    """Return the values of a memory by column."""

    def moment(value: datetime | None) -> object:
        return None if value is None else dialect.moment(value)

    source = memory.source
    details = {
        "tool": source.tool,
        "speaker": source.speaker,
        "confidence": memory.confidence,
        "extra": dict(memory.extra),
    }
    return {
        "tenant_id": memory.scope.tenant_id,
        "id": memory.id,
        "user_id": memory.scope.user_id,
        "scope_no": scope_no,
        "type": memory.type,
        "content": encode_text(memory.content),
        "digest": digest_text(memory.content),
        "subject": encode_text(memory.subject),
        "subject_hash": hash_text(memory.subject),
        "source_kind": source.kind,
        "session_id": source.session_id,
        "run_id": source.run_id,
        "seq_first": source.seq_first,
        "seq_last": source.seq_last,
        "quote": encode_text(source.quote),
        "episode_id": memory.episode_id,
        "details": encode_text(json.dumps(details, ensure_ascii=False)),
        "is_tainted": int(memory.is_tainted),
        "valid_from": moment(memory.valid_from),
        "valid_to": moment(memory.valid_to),
        "recorded_at": moment(memory.recorded_at),
        "retired_at": moment(memory.retired_at),
        "updated_at": moment(memory.updated_at),
        "expires_at": moment(memory.expires_at),
        "replaced_by": memory.replaced_by,
        "access_count": memory.access_count,
        "last_accessed_at": moment(memory.last_accessed_at),
        "version": memory.version,
    }


def read_row(row: Sequence[Any], scopes: dict[int, MemoryScope]) -> Memory:
    """Return the memory of a row of `SELECT_MEMORIES`; `scopes` are those of rows before.

    A search reads hundreds: the values are taken in the order of the columns.
    """
    (
        _,
        memory_id,
        _,
        scope_no,
        memory_type,
        content,
        _,
        subject,
        _,
        source_kind,
        session_id,
        run_id,
        seq_first,
        seq_last,
        quote,
        episode_id,
        stored_details,
        is_tainted,
        valid_from,
        valid_to,
        recorded_at,
        retired_at,
        updated_at,
        expires_at,
        replaced_by,
        access_count,
        last_accessed_at,
        version,
        *stored_scope,
    ) = row
    scope = scopes.get(scope_no)
    if scope is None:
        scope = scopes[scope_no] = read_scope(stored_scope)
    details = json.loads(decode_text(stored_details))
    return Memory(
        id=memory_id,
        scope=scope,
        type=memory_type,
        content=decode_text(content),
        source=MemorySource(
            kind=source_kind,
            session_id=session_id,
            run_id=run_id,
            seq_first=seq_first,
            seq_last=seq_last,
            tool=details["tool"],
            speaker=details["speaker"],
            quote=decode_text(quote),
        ),
        confidence=details["confidence"],
        valid_from=read_moment(valid_from),
        recorded_at=read_moment(recorded_at),
        updated_at=read_moment(updated_at),
        valid_to=_read_optional(valid_to),
        retired_at=_read_optional(retired_at),
        replaced_by=replaced_by,
        expires_at=_read_optional(expires_at),
        subject=decode_text(subject),
        episode_id=episode_id,
        is_tainted=bool(is_tainted),
        access_count=access_count,
        last_accessed_at=_read_optional(last_accessed_at),
        extra=details["extra"],
        version=version,
    )


def _read_optional(value: object) -> datetime | None:
    return None if value is None else read_moment(value)
