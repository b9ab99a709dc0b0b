"""The open engines: one for each source in use, the longest unused closed first.

Nobody is handed an engine itself: each question leases one (`leased_engine.py`), and an engine is
closed only when nobody uses it. Where all places are taken, a question waits for one.
"""

import asyncio
from collections import OrderedDict
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from dataagent_core.config.data_limits import DATA_SOURCES_OPEN_MAX
from dataagent_core.errors import ConflictError, QueryFailedError
from dataagent_core.sandbox.finishing import to_the_end
from dataagent_core.tools.data.catalog.cache import CatalogueCache
from dataagent_core.tools.data.sources.leased_engine import LeasedEngine
from dataagent_core.tools.data.sources.port import DataEngine
from dataagent_core.tools.data.sources.room import WorkerRoom
from dataagent_core.tools.data.sources.spec import SourceSpec

OpenEngine = Callable[[SourceSpec], DataEngine]


@dataclass(frozen=True, slots=True)
class OpenSource:
    """A source that can be asked."""

    spec: SourceSpec
    engine: DataEngine
    catalogue: CatalogueCache
    # Keys that were looked at and found unique, and when (`semantic/unique_keys.py`).
    proven: dict[tuple[str, ...], float] = field(default_factory=dict[tuple[str, ...], float])


@dataclass(slots=True)
class _Held:
    engine: DataEngine
    uses: int = 0


class EnginePool:
    """Opens engines and keeps them; a source that was changed is another one."""

    def __init__(
        self,
        open_engine: OpenEngine,
        engines_max: int = DATA_SOURCES_OPEN_MAX,
        room: WorkerRoom | None = None,
    ) -> None:
        self._open_engine = open_engine
        # Where the workers of its engines have their places; those over results belong there too.
        self.room = room or WorkerRoom()
        self._engines_max = engines_max
        self._sources: OrderedDict[SourceSpec, OpenSource] = OrderedDict()
        self._held: OrderedDict[SourceSpec, _Held] = OrderedDict()
        self._changed = asyncio.Condition()
        self._closed = False

    async def source(self, spec: SourceSpec) -> OpenSource:
        """Give what a source is asked through; its engine is opened when it is asked."""
        opened = self._sources.get(spec)
        if opened is None:
            engine = LeasedEngine(spec, self._lease)
            opened = self._sources[spec] = OpenSource(spec, engine, CatalogueCache(engine))
        self._sources.move_to_end(spec)
        while len(self._sources) > self._engines_max:
            self._sources.popitem(last=False)
        return opened

    async def aclose(self) -> None:
        """Close all of them, also those in use: their questions fail."""
        self._closed = True
        for opened in self._sources.values():
            await to_the_end(opened.catalogue.aclose())
        while self._held:
            _, held = self._held.popitem()
            await to_the_end(held.engine.aclose())
        async with self._changed:
            self._changed.notify_all()

    @asynccontextmanager
    async def _lease(self, spec: SourceSpec, wait_s: float) -> AsyncGenerator[DataEngine]:
        held, unused = await self._take(spec, wait_s)
        try:
            if unused is not None:
                await to_the_end(unused.engine.aclose())
            yield held.engine
        finally:
            held.uses -= 1
            await to_the_end(self._told())

    async def _take(self, spec: SourceSpec, wait_s: float) -> tuple[_Held, _Held | None]:
        """Give an engine with a use more, and one that has to be closed for it."""
        try:
            async with asyncio.timeout(wait_s), self._changed:
                await self._changed.wait_for(lambda: self._has_place(spec))
                return self._placed(spec)
        except TimeoutError:
            raise QueryFailedError(
                f"{spec.name} has to wait: {self._engines_max} other sources are being asked, and "
                f"none was done within {wait_s:.3g} s. Ask again in a moment."
            ) from None

    def _has_place(self, spec: SourceSpec) -> bool:
        is_full = len(self._held) >= self._engines_max
        return self._closed or spec in self._held or not is_full or self._unused() is not None

    def _placed(self, spec: SourceSpec) -> tuple[_Held, _Held | None]:
        if self._closed:
            raise ConflictError(f"{spec.name} cannot be asked any more: the sources were closed.")
        unused = None
        if spec not in self._held:
            engine = self._open_engine(spec)
            if len(self._held) >= self._engines_max and (oldest := self._unused()) is not None:
                unused = self._held.pop(oldest)
            self._held[spec] = _Held(engine)
        self._held.move_to_end(spec)
        self._held[spec].uses += 1
        return self._held[spec], unused

    def _unused(self) -> SourceSpec | None:
        return next((spec for spec, held in self._held.items() if held.uses == 0), None)

    async def _told(self) -> None:
        async with self._changed:
            self._changed.notify_all()
