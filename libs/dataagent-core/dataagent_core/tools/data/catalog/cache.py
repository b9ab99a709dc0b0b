"""A source's catalogue, kept for as long as its fingerprint stays the same.

The fingerprint is asked for at most every few seconds: a question that follows another at once
does not pay for it, and one after a schema change sees the change.
"""

import asyncio
import time
from dataclasses import dataclass, field

from dataagent_core.config.data_limits import CATALOGUE_FRESH_S
from dataagent_core.tools.data.model import Catalogue
from dataagent_core.tools.data.privacy.sampled import SampledKinds
from dataagent_core.tools.data.sources.port import DataEngine


@dataclass(slots=True)
class CatalogueCache:
    """The catalogue of one engine; asking at once twice reads it once."""

    engine: DataEngine
    fresh_s: float = CATALOGUE_FRESH_S
    # What samples of its tables showed to be personal.
    sampled: SampledKinds = field(init=False)
    _catalogue: Catalogue | None = None
    _looked_at: float = 0.0
    _one_at_a_time: asyncio.Lock = field(default_factory=asyncio.Lock)

    def __post_init__(self) -> None:
        self.sampled = SampledKinds(self.engine)

    async def get(self) -> Catalogue:
        """Give the catalogue as it is now, to within a few seconds."""
        async with self._one_at_a_time:
            now = time.monotonic()
            if self._catalogue is not None:
                if now - self._looked_at < self.fresh_s:
                    return self._catalogue
                if await self.engine.fingerprint() == self._catalogue.fingerprint:
                    self._looked_at = now
                    return self._catalogue
            self._catalogue = await self.engine.catalogue()
            self._looked_at = now
            return self._catalogue

    def forget(self) -> None:
        """Read it anew next time: an engine said that something is not as the catalogue says."""
        self._catalogue = None
