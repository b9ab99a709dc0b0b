"""A source's catalogue, kept for as long as its fingerprint stays the same.

The fingerprint is asked for at most every few seconds: a question that follows another at once
does not pay for it, and one after a schema change sees the change. Who cannot wait until it is read
is told so; the reading goes on, and the next one finds it done.
"""

import asyncio
import time
from dataclasses import dataclass, field

from dataagent_core.config.limits.data import CATALOGUE_FRESH_S, CATALOGUE_WAIT_S, DATA_LOOK_S
from dataagent_core.errors import QueryFailedError
from dataagent_core.tools.data.data_model import Catalogue
from dataagent_core.tools.data.privacy.sampled_kinds import SampledKinds
from dataagent_core.tools.data.sources.engines.data_engine import DataEngine
from dataagent_core.tools.data.time_left import limit_time


@dataclass(slots=True)
class CatalogueCache:
    """The catalogue of one engine; asking at once twice reads it once."""

    engine: DataEngine
    fresh_s: float = CATALOGUE_FRESH_S
    # What samples of its tables showed to be personal.
    sampled: SampledKinds = field(init=False)
    _catalogue: Catalogue | None = None
    _looked_at: float = 0.0
    _reading: asyncio.Task[Catalogue] | None = None

    def __post_init__(self) -> None:
        self.sampled = SampledKinds(self.engine)

    async def get(self, wait_s: float = CATALOGUE_WAIT_S) -> Catalogue:
        """Give the catalogue as it is now, to within a few seconds."""
        known = self._catalogue
        if known is not None and time.monotonic() - self._looked_at < self.fresh_s:
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
        """Read it anew next time: an engine said that something is not as the catalogue says."""
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
            self._looked_at = now
            return known
