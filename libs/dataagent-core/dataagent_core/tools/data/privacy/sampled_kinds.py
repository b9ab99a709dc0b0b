"""Columns that look personal by their values, seen on a small sample of each table.

A sample is taken when a query first reads a column, views included. It counts for some minutes,
and not beyond a change of the catalogue; what was personal once stays so until then. Where none can
be had in time, only names and marks tell.
"""

import asyncio
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from dataagent_core.config.limits import (
    PRIVACY_SAMPLE_COLUMNS,
    PRIVACY_SAMPLE_FRESH_S,
    PRIVACY_SAMPLE_ROWS,
    PRIVACY_SAMPLE_S,
)
from dataagent_core.errors import DataAgentError
from dataagent_core.tools.data.data_model import (
    Catalogue,
    ColumnKind,
    ColumnOrigin,
    ColumnProfile,
    Table,
)
from dataagent_core.tools.data.privacy.personal_kinds import detect_name_kind, detect_values_kind
from dataagent_core.tools.data.sources.engines.data_engine import DataEngine

# What an address or a number of somebody can be kept in.
_LOOKED_AT: frozenset[ColumnKind] = frozenset({"text", "integer", "decimal", "float"})


def detect_profile_kinds(profiles: Iterable[ColumnProfile]) -> dict[str, str]:
    """Name the columns whose sample looks personal, and their kinds."""
    return {one.name: kind for one in profiles if (kind := detect_values_kind(one.samples))}


@dataclass(frozen=True, slots=True)
class _SampleLook:
    """What a look gave: a kind, or nothing personal."""

    kind: str | None
    at_s: float


@dataclass(slots=True)
class SampledKinds:
    """What was seen of one source's tables; asking at once twice looks once."""

    engine: DataEngine
    _fingerprint: str = ""
    clock: Callable[[], float] = time.monotonic
    _seen: dict[ColumnOrigin, _SampleLook] = field(default_factory=dict[ColumnOrigin, _SampleLook])
    _one_at_a_time: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def of(self, catalogue: Catalogue, table: Table, read: Iterable[str]) -> dict[str, str]:
        """Give the kinds of a table's columns, of which these are about to be read."""
        async with self._one_at_a_time:
            if self._fingerprint != catalogue.fingerprint:
                self._fingerprint = catalogue.fingerprint
                self._seen.clear()
            unseen = [
                column.name
                for column in table.columns
                if column.kind in _LOOKED_AT
                and not self._is_fresh((table.qualified, column.name))
                and detect_name_kind(column.name) is None
            ]
            wanted = set(read).intersection(unseen)
            if wanted:
                # Others come along: the next query then needs no look of its own.
                first = sorted(unseen, key=lambda name: name not in wanted)
                await self._look(table, first[: max(len(wanted), PRIVACY_SAMPLE_COLUMNS)])
            return {
                column.name: kind
                for column in table.columns
                if (seen := self._seen.get((table.qualified, column.name))) and (kind := seen.kind)
            }

    def _is_fresh(self, origin: ColumnOrigin) -> bool:
        seen = self._seen.get(origin)
        return seen is not None and self.clock() - seen.at_s < PRIVACY_SAMPLE_FRESH_S

    async def _look(self, table: Table, columns: Sequence[str]) -> None:
        kinds: dict[str, str] = {}
        try:
            async with asyncio.timeout(PRIVACY_SAMPLE_S):
                kinds = detect_profile_kinds(
                    await self.engine.profile(table, columns, PRIVACY_SAMPLE_ROWS)
                )
        except (DataAgentError, TimeoutError):
            pass  # the query itself will say what is wrong with the table
        for name in columns:
            origin = (table.qualified, name)
            before = self._seen.get(origin)
            # What was personal once stays so: this sample may only have missed it.
            kind = kinds.get(name) or (before.kind if before else None)
            self._seen[origin] = _SampleLook(kind, self.clock())
