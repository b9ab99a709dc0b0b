"""The pattern store in an SQL database: the terminal's file, or a server's.

A search reads the patterns of a signature and, of each term, the patterns last changed. What it
reads is bounded by `PATTERN_SIGNATURE_READ_MAX`, `PATTERN_TERM_READ_MAX` for each term, and
`PATTERN_CANDIDATES_MAX`.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, Final

from dataagent_core.config.limits.patterns import (
    PATTERN_CANDIDATES_MAX,
    PATTERN_SIGNATURE_READ_MAX,
    PATTERN_TERM_READ_MAX,
    PATTERN_TERMS_SEARCHED_MAX,
    PATTERNS_MAX,
    PATTERNS_PAGE_DEFAULT,
    PATTERNS_PAGE_MAX,
)
from dataagent_core.errors import (
    ConflictError,
    LimitReachedError,
    NotFoundError,
    ValidationError,
)
from dataagent_core.patterns.interaction_pattern import InteractionPattern, PatternState
from dataagent_core.patterns.pattern_store import PatternStore
from dataagent_core.patterns.sql.pattern_rows import COLUMNS, make_row, read_row
from dataagent_core.patterns.sql.pattern_tables import PATTERN_TERMS
from dataagent_core.session.store import checked_count
from dataagent_core.session.stores.sql.connection import SqlConnection, SqlDatabase, insert_rows
from dataagent_core.session.stores.sql.dialect import insert, placeholders

_SELECT: Final = f"SELECT {', '.join(COLUMNS)} FROM interaction_patterns WHERE tenant_id = ?"
_ONE: Final = "WHERE tenant_id = ? AND id = ?"
# A save leaves what it was found by, who made it, and when it was last asked for.
_KEPT: Final = frozenset({"tenant_id", "id", "created_at", "last_queried_at"})
_SET: Final = tuple(name for name in COLUMNS if name not in _KEPT)
_TERMS_OF: Final = "interaction_pattern_terms WHERE tenant_id = ? AND pattern_id = ?"
NEWEST_OF_TERM: Final = (
    "SELECT pattern_id FROM (SELECT pattern_id FROM interaction_pattern_terms "
    "WHERE tenant_id = ? AND term = ? ORDER BY updated_at DESC, pattern_id DESC LIMIT ?) "
    "AS newest{}"
)


class SqlPatternStore(PatternStore):
    """The patterns of one tenant."""

    def __init__(self, database: SqlDatabase, tenant_id: str) -> None:
        self._database = database
        self._tenant_id = tenant_id

    async def add(self, pattern: InteractionPattern) -> InteractionPattern:
        added = replace(pattern, version=1)
        self._check_tenant(added)

        def write(connection: SqlConnection) -> None:
            if self._read(connection, "AND id = ?", [added.id]):
                raise ConflictError(f"The pattern {added.id} exists already.")
            counted = "SELECT COUNT(*) FROM interaction_patterns WHERE tenant_id = ?"
            if connection.execute(counted, (self._tenant_id,)).fetchone()[0] >= PATTERNS_MAX:
                raise LimitReachedError(
                    f"There are {PATTERNS_MAX:,} patterns, which is the most: delete some."
                )
            connection.execute(
                insert("interaction_patterns", COLUMNS), make_row(added, connection.dialect)
            )
            _insert_terms(connection, added)

        await self._database.write(write)
        return added

    async def get(self, pattern_id: str) -> InteractionPattern | None:
        found = await self._database.read(lambda c: self._read(c, "AND id = ?", [pattern_id]))
        return found[0] if found else None

    async def save(self, pattern: InteractionPattern) -> InteractionPattern:
        saved = replace(pattern, version=pattern.version + 1)
        self._check_tenant(saved)
        key = (self._tenant_id, saved.id)

        def write(connection: SqlConnection) -> None:
            row = dict(zip(COLUMNS, make_row(saved, connection.dialect), strict=True))
            changes = ", ".join(f"{name} = ?" for name in _SET)
            changed = connection.execute(
                f"UPDATE interaction_patterns SET {changes} {_ONE} AND version = ?",
                [*(row[name] for name in _SET), *key, pattern.version],
            ).rowcount
            if not changed:
                raise _explain_unsaved(pattern, self._read(connection, "AND id = ?", [saved.id]))
            connection.execute(f"DELETE FROM {_TERMS_OF}", key)
            _insert_terms(connection, saved)

        await self._database.write(write)
        return saved

    async def delete(self, pattern_id: str) -> bool:
        def remove(connection: SqlConnection) -> bool:
            key = (self._tenant_id, pattern_id)
            connection.execute(f"DELETE FROM {_TERMS_OF}", key)
            return connection.execute(f"DELETE FROM interaction_patterns {_ONE}", key).rowcount > 0

        return await self._database.write(remove)

    async def list_page(
        self,
        *,
        user_id: str | None = None,
        state: PatternState | None = None,
        limit: int = PATTERNS_PAGE_DEFAULT,
        offset: int = 0,
    ) -> list[InteractionPattern]:
        wanted = {"user_id": user_id, "state": state}
        chosen = {name: value for name, value in wanted.items() if value is not None}
        page = (
            min(checked_count(limit, "limit"), PATTERNS_PAGE_MAX),
            checked_count(offset, "offset"),
        )
        rest = "".join(f" AND {name} = ?" for name in chosen)
        rest += " ORDER BY updated_at DESC, id LIMIT ? OFFSET ?"
        return await self._database.read(
            lambda connection: self._read(connection, rest, [*chosen.values(), *page])
        )

    async def find_candidates(
        self, signature: str, entities: Sequence[str]
    ) -> list[InteractionPattern]:
        def find(connection: SqlConnection) -> list[InteractionPattern]:
            signed = (
                self._read(
                    connection,
                    "AND pattern_signature = ? ORDER BY updated_at DESC, id LIMIT ?",
                    [signature, PATTERN_SIGNATURE_READ_MAX],
                )
                if signature
                else []
            )
            known = {pattern.id for pattern in signed}
            near = [one for one in self._find_ids(connection, entities) if one not in known]
            ids = near[: PATTERN_CANDIDATES_MAX - len(signed)]
            if not ids:
                return signed
            return signed + self._read(connection, f"AND id IN ({placeholders(len(ids))})", ids)

        return await self._database.read(find)

    async def note_queries(self, pattern_ids: Sequence[str], at: datetime) -> None:
        def note(connection: SqlConnection) -> None:
            moment = connection.dialect.moment(at)
            # In one order, so that two who note the same ones do not wait for each other.
            for pattern_id in sorted(pattern_ids):
                connection.execute(
                    f"UPDATE interaction_patterns SET last_queried_at = ? {_ONE} "
                    "AND (last_queried_at IS NULL OR last_queried_at < ?)",
                    (moment, self._tenant_id, pattern_id, moment),
                )

        if pattern_ids:
            await self._database.write(note)

    def _find_ids(self, connection: SqlConnection, entities: Sequence[str]) -> list[str]:
        """Find patterns by their terms, those that share most of them first."""
        terms = list(dict.fromkeys(entities))[:PATTERN_TERMS_SEARCHED_MAX]
        if not terms:
            return []
        statement = " UNION ALL ".join(NEWEST_OF_TERM.format(n) for n in range(len(terms)))
        values = [v for term in terms for v in (self._tenant_id, term, PATTERN_TERM_READ_MAX)]
        shared = Counter(row[0] for row in connection.execute(statement, values))
        return [pattern_id for pattern_id, _ in shared.most_common(PATTERN_CANDIDATES_MAX)]

    def _read(
        self, connection: SqlConnection, rest: str, values: Sequence[Any]
    ) -> list[InteractionPattern]:
        rows = connection.execute(f"{_SELECT} {rest}", (self._tenant_id, *values)).fetchall()
        return [read_row(row) for row in rows]

    def _check_tenant(self, pattern: InteractionPattern) -> None:
        if pattern.tenant_id != self._tenant_id:
            raise ValidationError(
                f"The pattern {pattern.id} belongs to another tenant than this store: copy it with "
                "the tenant it is for."
            )


def _insert_terms(connection: SqlConnection, pattern: InteractionPattern) -> None:
    changed_at = connection.dialect.moment(pattern.updated_at)
    insert_rows(
        connection,
        insert(PATTERN_TERMS.name, tuple(PATTERN_TERMS.columns)),
        [
            (pattern.tenant_id, pattern.id, term, changed_at)
            for term in dict.fromkeys(pattern.entities)
        ],
    )


def _explain_unsaved(
    pattern: InteractionPattern, stored: Sequence[InteractionPattern]
) -> ConflictError | NotFoundError:
    if not stored:
        return NotFoundError(f"There is no pattern {pattern.id}: it was deleted meanwhile.")
    return ConflictError(
        f"The pattern {pattern.id} was changed meanwhile: it has version {stored[0].version}, and "
        f"yours is of version {pattern.version}. Read it again and repeat your change."
    )
