"""The port `CompositionStore`: counts how often compositions succeed, and what their members take.

A server keeps the counts in its table of compositions; `SqliteCompositionStore` keeps those of one
user in a file of their own, which is made at the first count. The steps of a skill are counted
under `skill:{name}`.
"""

import asyncio
import logging
import sqlite3
from collections.abc import Generator, Iterable, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from dataagent_core.config.limits import SQLITE_BUSY_S
from dataagent_core.errors import StorageError
from dataagent_core.session.stores.sqlite.private_file import make_private
from dataagent_core.tools.composition.definition import ToolComposition

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class MemberMeasure:
    """How one call of a member ended, and how long it took."""

    tool: str
    succeeded: bool
    duration_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CompositionExecution:
    """One execution that came to an end."""

    composition_id: str
    # Of the composition that was executed.
    digest: str = ""
    succeeded: bool
    members: tuple[MemberMeasure, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class MemberStatistics:
    """What was measured of a member in all executions."""

    calls: int = 0
    failures: int = 0
    total_ms: int = 0

    @property
    def average_ms(self) -> float:
        """How long one call takes."""
        return self.total_ms / self.calls if self.calls else 0.0

    @property
    def failure_rate(self) -> float:
        """Which share of the calls fails."""
        return self.failures / self.calls if self.calls else 0.0


class CompositionStore(Protocol):
    """Counts executions; what it counts is never lost to another process."""

    async def add(self, execution: CompositionExecution) -> tuple[int, int]:
        """Count one more execution; return all successes and failures."""
        ...


_SCHEMA = """
CREATE TABLE IF NOT EXISTS executions (
    composition_id TEXT PRIMARY KEY, successes INTEGER NOT NULL, failures INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS members (
    composition_id TEXT, tool TEXT, calls INTEGER NOT NULL, failures INTEGER NOT NULL,
    total_ms INTEGER NOT NULL, PRIMARY KEY (composition_id, tool)
) WITHOUT ROWID;
"""
_COUNT = (
    "INSERT INTO executions VALUES (?, ?, ?) ON CONFLICT (composition_id) DO UPDATE SET "
    "successes = successes + excluded.successes, failures = failures + excluded.failures "
    "RETURNING successes, failures"
)
_COUNT_MEMBER = (
    "INSERT INTO members VALUES (?, ?, 1, ?, ?) ON CONFLICT (composition_id, tool) DO UPDATE SET "
    "calls = calls + 1, failures = failures + excluded.failures, "
    "total_ms = total_ms + excluded.total_ms"
)
_READ = "SELECT successes, failures FROM executions WHERE composition_id = ?"
_READ_MEMBERS = "SELECT tool, calls, failures, total_ms FROM members WHERE composition_id = ?"


class SqliteCompositionStore:
    """Counts in a file; several processes may share it.

    A composition that calls other tools than before is another one: it is counted by its digest.
    """

    def __init__(self, path: Path) -> None:
        self._path = path

    async def add(self, execution: CompositionExecution) -> tuple[int, int]:
        """Count one more execution; return all successes and failures."""
        return await asyncio.to_thread(self._add, execution)

    async def read_members(self, composition: ToolComposition) -> Mapping[str, MemberStatistics]:
        """Return what was measured of the members, by tool."""
        key = _make_key(composition.id, composition.digest)
        return await asyncio.to_thread(self._read_members, key)

    def add_counts(self, compositions: Iterable[ToolComposition]) -> list[ToolComposition]:
        """Return compositions with the counts of all executions so far. It blocks.

        Without counts that can be read an agent works with those its compositions have.
        """
        counted = list(compositions)
        if not self._path.exists():
            return counted
        try:
            with self._open() as connection:
                keys = [_make_key(one.id, one.digest) for one in counted]
                rows = [connection.execute(_READ, (key,)).fetchone() for key in keys]
        except StorageError:
            logger.exception("compositions are used without their counts")
            return counted
        return [
            replace(one, success_count=row[0], failure_count=row[1]) if row else one
            for one, row in zip(counted, rows, strict=True)
        ]

    def _add(self, execution: CompositionExecution) -> tuple[int, int]:
        name = _make_key(execution.composition_id, execution.digest)
        succeeded = execution.succeeded
        with self._open() as connection, connection:
            (row,) = connection.execute(_COUNT, (name, int(succeeded), int(not succeeded)))
            for one in execution.members:
                values = (name, one.tool, int(not one.succeeded), one.duration_ms)
                connection.execute(_COUNT_MEMBER, values)
        return row[0], row[1]

    def _read_members(self, key: str) -> dict[str, MemberStatistics]:
        if not self._path.exists():
            return {}
        with self._open() as connection:
            rows = connection.execute(_READ_MEMBERS, (key,)).fetchall()
        return {
            tool: MemberStatistics(calls=calls, failures=failures, total_ms=total_ms)
            for tool, calls, failures, total_ms in rows
        }

    @contextmanager
    def _open(self) -> Generator[sqlite3.Connection]:
        make_private(self._path)
        try:
            with closing(sqlite3.connect(self._path, timeout=SQLITE_BUSY_S)) as connection:
                connection.executescript(_SCHEMA)
                yield connection
        except sqlite3.Error as error:
            raise StorageError(
                f"The counts of compositions in {self._path} cannot be used: {error}. Move the "
                "file away to begin new ones."
            ) from error


def _make_key(composition_id: str, digest: str) -> str:
    return f"{composition_id} {digest}"
