"""Caches the catalogue of a source until its fingerprint changes; drops what the owner hid.

The fingerprint is read at most every few seconds: a query right after another does not pay for it,
and a query after a schema change sees the change. A caller that cannot wait for the catalogue gets
an error; reading continues, and a later call finds it done.
"""

import asyncio
import time
from dataclasses import dataclass, field, replace

from dataagent_core.config.limits.data import CATALOGUE_FRESH_S, CATALOGUE_WAIT_S, DATA_LOOK_S
from dataagent_core.errors import QueryFailedError
from dataagent_core.tools.data.data_model import Catalogue
from dataagent_core.tools.data.privacy.personal_columns import matches_patterns
from dataagent_core.tools.data.privacy.sampled_kinds import SampledKinds
from dataagent_core.tools.data.sources.engines.data_engine import DataEngine
from dataagent_core.tools.data.sources.source_spec import SourceSpec
from dataagent_core.tools.data.time_left import limit_time


def filter_visible(catalogue: Catalogue, spec: SourceSpec) -> Catalogue:
    """Leave out hidden tables and columns."""
    if not spec.hidden:
        return catalogue
    tables = tuple(
        replace(
            table,
            columns=tuple(
                column
                for column in table.columns
                if not matches_patterns(spec.hidden, table.qualified, column.name)
            ),
        )
        for table in catalogue.tables
        if not matches_patterns(spec.hidden, table.qualified)
    )
    return replace(catalogue, tables=tables)


@dataclass(slots=True)
class CatalogueCache:
    """The catalogue of one engine; concurrent calls read it once."""

    engine: DataEngine
    fresh_s: float = CATALOGUE_FRESH_S
    # The personal kinds that samples of its tables showed.
    sampled: SampledKinds = field(init=False)
    _catalogue: Catalogue | None = None
    _read_at: float = 0.0
    _reading: asyncio.Task[Catalogue] | None = None

    def __post_init__(self) -> None:
        self.sampled = SampledKinds(self.engine)

    async def get(self, wait_s: float = CATALOGUE_WAIT_S) -> Catalogue:
        """Return the catalogue, at most a few seconds old."""
        known = self._catalogue
        if known is not None and time.monotonic() - self._read_at < self.fresh_s:
            return known
        if self._reading is None or self._reading.done():
            self._reading = asyncio.create_task(self._read())
        done, _ = await asyncio.wait([self._reading], timeout=wait_s)
        if not done:
            raise QueryFailedError(
                f"The tables of {self.engine.spec.name!r} could not be read within {wait_s:.3g} s. "
                "Reading goes on: ask again in a moment, or give it more time."
            )
        return self._reading.result()

    def forget(self) -> None:
        """Read it again next time: an engine contradicted it."""
        self._catalogue = None

    async def aclose(self) -> None:
        """Stop reading."""
        if self._reading is not None:
            self._reading.cancel()
            await asyncio.wait([self._reading])

    async def _read(self) -> Catalogue:
        async with limit_time(f"The source {self.engine.spec.name!r}", DATA_LOOK_S):
            now, known = time.monotonic(), self._catalogue
            if known is None or await self.engine.fingerprint() != known.fingerprint:
                known = self._catalogue = await self.engine.catalogue()
            self._read_at = now
            return known
