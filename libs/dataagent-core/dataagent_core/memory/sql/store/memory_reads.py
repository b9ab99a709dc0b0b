"""Statements that find memories; each reads a bounded number of rows."""

import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final

from dataagent_core.config.limits.memory import MEMORIES_FOUND_MAX, MEMORIES_PAGE_MAX
from dataagent_core.errors import NotFoundError, ValidationError
from dataagent_core.memory.memory import Memory, MemoryScope
from dataagent_core.memory.memory_store import MemoryFilter, MemoryPlace, SourceSpan
from dataagent_core.memory.sql.scope_numbers import find_scopes
from dataagent_core.memory.sql.store.memory_rows import SELECT_MEMORIES, read_row
from dataagent_core.memory.sql.word_hash import hash_text
from dataagent_core.memory.texts.whole_words import hold_stored_words
from dataagent_core.session.stores.sql.connection import SqlConnection
from dataagent_core.session.stores.sql.dialect import (
    KEYS_PER_STATEMENT_MAX,
    DialectName,
    decode_text,
    encode_text,
    placeholders,
)

# SQLite takes an index that begins with the tenant for better than many values of one that begins
# with the scope, and reads all of the tenant: 17 ms for 20,000 memories. Not within an expression.
_SELECT_IN_SCOPES: Final = SELECT_MEMORIES.replace(
    "m.tenant_id = ?", "COALESCE(m.tenant_id, '') = ?"
)
_NEWEST: Final = "ORDER BY m.recorded_at DESC, m.id DESC LIMIT ?"
_OF_SPAN: Final = (
    f"AND m.scope_no = ? AND m.session_id = ? AND m.seq_first <= ? AND m.seq_last >= ? {_NEWEST}"
)
_TEXTS: Final = ("content", "subject", "quote", "details")
# Where a text begins in bytes, 0 for nowhere.
_FIND: Final[dict[DialectName, str]] = {
    "sqlite": "INSTR({}, ?)",
    "mysql": "INSTR({}, ?)",
    "postgresql": "POSITION(?::bytea IN {})",
}


class MemoryReads:
    """Finds memories of one tenant over a connection."""

    def __init__(self, connection: SqlConnection, tenant_id: str) -> None:
        self._connection = connection
        self._tenant_id = tenant_id

    def get_many(self, memory_ids: Sequence[str]) -> list[Memory]:
        """Return those that are there."""
        found: list[Memory] = []
        for start in range(0, len(memory_ids), KEYS_PER_STATEMENT_MAX):
            some = memory_ids[start : start + KEYS_PER_STATEMENT_MAX]
            found += self._select(f"AND m.id IN ({placeholders(len(some))})", some)
        return found

    def list_page(
        self, wanted: MemoryFilter, now: datetime, limit: int, after: str | None
    ) -> list[Memory]:
        """Return a page, the ones last recorded first."""
        conditions, values = self._filter(wanted, now)
        if after is not None:
            last = self._connection.execute(
                "SELECT recorded_at FROM memories WHERE tenant_id = ? AND user_id = ? AND id = ?",
                (self._tenant_id, wanted.user_id, after),
            ).fetchone()
            if last is None:
                raise NotFoundError(f"There is no memory {after}, after which others were wanted.")
            conditions.append("(m.recorded_at < ? OR (m.recorded_at = ? AND m.id < ?))")
            values += [last[0], last[0], after]
        rest = "".join(f"AND {one} " for one in conditions) + _NEWEST
        # One more than a page: whoever asks for it sees whether there is a next one.
        return self._select(rest, [*values, max(0, min(limit, MEMORIES_PAGE_MAX + 1))])

    def find_same(self, scope: MemoryScope, digest: str) -> list[Memory]:
        """Return memories whose text has a digest, the newest first."""
        return self._select_in([scope], f"AND m.digest = ? {_NEWEST}", [digest, MEMORIES_FOUND_MAX])

    def find_subject(self, scope: MemoryScope, subject: str) -> list[Memory]:
        """Return memories about a subject, the newest first."""
        if not subject:
            return []
        values = [hash_text(subject), MEMORIES_FOUND_MAX]
        found = self._select_in([scope], f"AND m.subject_hash = ? {_NEWEST}", values)
        return [memory for memory in found if memory.subject == subject]

    def find_known(
        self, scope: MemoryScope, digests: Sequence[str], subjects: Sequence[str]
    ) -> list[Memory]:
        """Return memories with any of these digests, or about any of these subjects."""
        wanted: dict[str, list[str | int]] = {
            "digest": [*dict.fromkeys(digests)],
            "subject_hash": [hash_text(one) for one in dict.fromkeys(subjects) if one],
        }
        found: dict[str, Memory] = {}
        for column, values in wanted.items():
            for start in range(0, len(values), KEYS_PER_STATEMENT_MAX):
                some = values[start : start + KEYS_PER_STATEMENT_MAX]
                rest = f"AND m.{column} IN ({placeholders(len(some))}) {_NEWEST}"
                limit = MEMORIES_FOUND_MAX * len(some)
                found |= {one.id: one for one in self._select_in([scope], rest, [*some, limit])}
        return list(found.values())

    def find_by_spans(self, spans: Sequence[SourceSpan], limit: int) -> list[Memory]:
        """Return memories that rest on events of any of the spans, each once."""
        scopes = find_scopes(self._connection, self._tenant_id, [span.scope for span in spans])
        numbers = {scope: number for number, scope in scopes.items()}
        found: dict[str, Memory] = {}
        for span in spans:
            if span.scope in numbers and len(found) < limit:
                values = (span.session_id, span.seq_last, max(1, span.seq_first), limit)
                some = self._select(_OF_SPAN, (numbers[span.scope], *values))
                found |= {memory.id: memory for memory in some}
        return list(found.values())[:limit]

    def find_places(self, spans: Sequence[SourceSpan], limit: int) -> list[MemoryPlace]:
        """Return the places of memories that rest on events of the spans."""
        scopes = list(dict.fromkeys(span.scope for span in spans))
        found = find_scopes(self._connection, self._tenant_id, scopes)
        numbers = {scope: number for number, scope in found.items()}
        places: dict[str, MemoryPlace] = {}
        for span in spans:
            if span.scope not in numbers or len(places) >= limit:
                continue
            rows = self._connection.execute(
                "SELECT id, seq_first FROM memories WHERE scope_no = ? AND session_id = ? "
                "AND seq_first <= ? AND seq_last >= ? AND seq_first > 0 "
                "ORDER BY seq_first LIMIT ?",
                (numbers[span.scope], span.session_id, span.seq_last, span.seq_first, limit),
            )
            for key, seq in rows:
                places[key] = MemoryPlace(key, span.scope, span.session_id, seq)
        return list(places.values())[:limit]

    def find_by_episodes(
        self, scopes: Sequence[MemoryScope], episode_ids: Sequence[str], limit: int
    ) -> list[Memory]:
        """Return memories that came from any of the episodes, the newest first."""
        known = [one for one in dict.fromkeys(episode_ids) if one]
        if not known:
            return []
        rest = f"AND m.episode_id IN ({placeholders(len(known))}) {_NEWEST}"
        return self._select_in(scopes, rest, [*known, limit])

    def find_expired(
        self, older_than: datetime, limit: int, scope: MemoryScope | None
    ) -> list[Memory]:
        """Return memories whose expiry is at or before a moment, the oldest first."""
        rest = "AND m.expires_at <= ? ORDER BY m.expires_at, m.id LIMIT ?"
        values = [self._connection.dialect.moment(older_than), limit]
        if scope is None:
            return self._select(rest, values)
        numbers = list(find_scopes(self._connection, self._tenant_id, [scope]))
        return self._select(f"AND m.scope_no = ? {rest}", [*numbers, *values]) if numbers else []

    def count_texts(self, text: str, user_id: str) -> int:
        """Count the rows of a user that hold a text in any column, as whole words."""
        if not text.strip():
            raise ValidationError("A scan for nothing: name the text that should be gone.")
        find = _FIND[self._connection.dialect.name]
        # In JSON quotes and ends of lines are written in another way.
        escaped = json.dumps(text, ensure_ascii=False)[1:-1]
        needles = [escaped if name == "details" else text for name in _TEXTS]
        rows = self._connection.execute(
            f"SELECT {', '.join(_TEXTS)} FROM memories WHERE tenant_id = ? AND user_id = ? AND "
            f"({' OR '.join(f'{find.format(name)} > 0' for name in _TEXTS)})",
            (self._tenant_id, user_id, *map(encode_text, needles)),
        )
        return sum(hold_stored_words(map(decode_text, filter(None, row)), text) for row in rows)

    def _filter(self, wanted: MemoryFilter, now: datetime) -> tuple[list[str], list[Any]]:
        conditions: list[str] = ["m.user_id = ?"]
        values: list[Any] = [wanted.user_id]
        for column, value in {
            "s.kind": wanted.kind,
            "s.assistant_id": wanted.assistant_id,
            "s.project_id": wanted.project_id,
            "m.session_id": wanted.session_id,
        }.items():
            if value is not None:
                conditions.append(f"{column} = ?")
                values.append(value)
        if wanted.types:
            conditions.append(f"m.type IN ({placeholders(len(wanted.types))})")
            values += wanted.types
        if not wanted.with_past:
            # As `Memory.is_current` says.
            moment = self._connection.dialect.moment(now)
            conditions.append("m.retired_at IS NULL")
            for column in ("m.valid_to", "m.expires_at"):
                conditions.append(f"({column} IS NULL OR {column} > ?)")
                values.append(moment)
        return conditions, values

    def _select_in(
        self, scopes: Sequence[MemoryScope], rest: str, values: Sequence[Any]
    ) -> list[Memory]:
        numbers = list(find_scopes(self._connection, self._tenant_id, scopes))
        if not numbers:
            return []
        return self._select(
            f"AND m.scope_no IN ({placeholders(len(numbers))}) {rest}",
            [*numbers, *values],
            _SELECT_IN_SCOPES,
        )

    def _select(
        self, rest: str, values: Sequence[Any], select: str = SELECT_MEMORIES
    ) -> list[Memory]:
        rows = self._connection.execute(f"{select} {rest}", (self._tenant_id, *values))
        scopes: dict[int, MemoryScope] = {}
        return [read_row(row, scopes) for row in rows.fetchall()]
