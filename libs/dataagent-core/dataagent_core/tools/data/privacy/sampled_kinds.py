"""Detects personal columns by a small sample of each table.

A sample is taken when a query first reads a column, also of a view. It is valid for some minutes
and until the catalogue changes; a column once found personal stays so until then. Where no sample
is available in time, only names and the owner's marks decide.
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

# The kinds of columns that can hold a personal value.
_SAMPLED_KINDS: frozenset[ColumnKind] = frozenset({"text", "integer", "decimal", "float"})


def detect_profile_kinds(profiles: Iterable[ColumnProfile]) -> dict[str, str]:
    """Return the columns whose sample looks personal, with their kinds."""
    return {one.name: kind for one in profiles if (kind := detect_values_kind(one.samples))}


@dataclass(frozen=True, slots=True)
class _SampledKind:
    """The personal kind that a sample showed, if any, and when."""

    kind: str | None
    at_s: float


@dataclass(slots=True)
class SampledKinds:
    """The sampled kinds of one source's tables; concurrent calls take one sample."""

    engine: DataEngine
    _fingerprint: str = ""
    clock: Callable[[], float] = time.monotonic
    _sampled: dict[ColumnOrigin, _SampledKind] = field(
        default_factory=dict[ColumnOrigin, _SampledKind]
    )
    _lock: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def of(self, catalogue: Catalogue, table: Table, read: Iterable[str]) -> dict[str, str]:
        """Return the kinds of a table's columns; `read` names those about to be read."""
        async with self._lock:
            if self._fingerprint != catalogue.fingerprint:
                self._fingerprint = catalogue.fingerprint
                self._sampled.clear()
            unsampled = [
                column.name
                for column in table.columns
                if column.kind in _SAMPLED_KINDS
                and not self._is_fresh((table.qualified, column.name))
                and detect_name_kind(column.name) is None
            ]
            wanted = set(read).intersection(unsampled)
            if wanted:
                # Sample further columns too, so that the next query needs no sample of its own.
                first = sorted(unsampled, key=lambda name: name not in wanted)
                await self._sample(table, first[: max(len(wanted), PRIVACY_SAMPLE_COLUMNS)])
            return {
                column.name: kind
                for column in table.columns
                if (seen := self._sampled.get((table.qualified, column.name)))
                and (kind := seen.kind)
            }

    def _is_fresh(self, origin: ColumnOrigin) -> bool:
        seen = self._sampled.get(origin)
        return seen is not None and self.clock() - seen.at_s < PRIVACY_SAMPLE_FRESH_S

    async def _sample(self, table: Table, columns: Sequence[str]) -> None:
        kinds: dict[str, str] = {}
        try:
            async with asyncio.timeout(PRIVACY_SAMPLE_S):
                kinds = detect_profile_kinds(
                    await self.engine.profile(table, columns, PRIVACY_SAMPLE_ROWS)
                )
        except (DataAgentError, TimeoutError):
            pass  # the query itself will report what is wrong with the table
        for name in columns:
            origin = (table.qualified, name)
            before = self._sampled.get(origin)
            # A personal column stays personal: this sample may only have missed it.
            kind = kinds.get(name) or (before.kind if before else None)
            self._sampled[origin] = _SampledKind(kind, self.clock())
