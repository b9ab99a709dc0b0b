"""Brings episodes from state to state: received > extracted > linked > synced, or failed.

Each state is stored before the next one begins, so an episode goes on where it stopped: what a
model has answered is kept until it is linked, and the link and the state are one transaction. What
rules read is not worth keeping: those episodes are linked in the same transaction in which they
leave `received`.
"""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final

from pydantic import ValidationError as UnreadableError

from dataagent_core.config.limits.graph import (
    EPISODE_ATTEMPTS_MAX,
    EPISODE_KNOWN_MAX,
    EPISODE_REASON_CHARS_MAX,
)
from dataagent_core.errors import (
    ConfigurationError,
    ConflictError,
    DataAgentError,
    StorageError,
)
from dataagent_core.memory.graph.extraction.extraction import (
    Extraction,
    read_extraction,
    write_extraction,
)
from dataagent_core.memory.graph.extraction.model_answer import UnreadableAnswerError
from dataagent_core.memory.graph.extraction.model_extractor import ModelExtractor
from dataagent_core.memory.graph.extraction.rule_extractor import CANNOT, extract_by_rules
from dataagent_core.memory.graph.graph_store import GraphStore
from dataagent_core.memory.graph.graph_values import Entity, Episode, EpisodeLinks
from dataagent_core.memory.graph.links.link_planner import LinkPlanner, ReadEpisode
from dataagent_core.memory.search.index_text import list_terms
from dataagent_core.memory.search_index import SearchedTime

# Another process may link at the same time; then the graph is read again.
_LINK_TRIES_MAX: Final = 5


class EpisodePipeline:
    """The steps of episodes of one tenant."""

    def __init__(
        self,
        store: GraphStore,
        planner: LinkPlanner,
        model: ModelExtractor | None,
        clock: Callable[[], datetime],
    ) -> None:
        self._store = store
        self._planner = planner
        self._model = model
        self._clock = clock

    @property
    def uses_model(self) -> bool:
        """Whether reading an episode costs calls of a model."""
        return self._model is not None

    @property
    def note(self) -> str:
        """What whoever reads episodes cannot do."""
        return "" if self._model else CANNOT

    async def extract(self, episode: Episode) -> Episode:
        """Read a received episode; what fails leaves it as it was, with the reason."""
        try:
            extraction = await self._read(episode)
        except StorageError:
            raise
        except (UnreadableAnswerError, DataAgentError) as error:
            return await self.note_failure(episode, error)
        return await self._store.save_episode(
            replace(
                episode,
                state="extracted",
                reason=_write_reason(extraction.notes),
                extracted=write_extraction(extraction),
                updated_at=self._clock(),
            )
        )

    async def link(self, episode: Episode) -> Episode:
        """Join an extracted episode with the graph."""
        try:
            extraction = read_extraction(episode.extracted)
        except UnreadableError:
            # Another version of ours has kept it in another form: it is read again.
            return await self._store.save_episode(
                replace(episode, state="received", extracted={}, updated_at=self._clock())
            )
        try:
            return (await self._link([(episode, extraction)]))[0]
        except ConflictError as error:
            return await self.note_failure(episode, error)

    async def link_by_rules(self, episodes: Sequence[Episode]) -> list[Episode]:
        """Read received episodes of one scope by rules and join them, all at once."""
        found = await asyncio.to_thread(_read_all, episodes)
        return await self._link(
            [
                (replace(episode, reason=_write_reason(extraction.notes)), extraction)
                for episode, extraction in zip(episodes, found, strict=True)
            ]
        )

    async def finish(self, episodes: Sequence[Episode]) -> list[Episode]:
        """Note that linked episodes are done."""
        now = self._clock()
        return await self._store.link_many(
            [EpisodeLinks(episode=replace(one, state="synced", updated_at=now)) for one in episodes]
        )

    async def note_failure(self, episode: Episode, error: Exception) -> Episode:
        """Count an attempt; after the last one the episode is given up."""
        attempts = episode.attempts + 1
        return await self._store.save_episode(
            replace(
                episode,
                state="failed" if attempts >= EPISODE_ATTEMPTS_MAX else episode.state,
                attempts=attempts,
                reason=_write_reason([str(error) or type(error).__name__]),
                updated_at=self._clock(),
            )
        )

    async def _read(self, episode: Episode) -> Extraction:
        if self._model is None:
            return (await asyncio.to_thread(_read_all, [episode]))[0]

        async def find_known(part: str) -> Sequence[Entity]:
            matches = await self._store.match_words(
                [episode.scope],
                list(dict.fromkeys(list_terms(part))),
                ["entity"],
                SearchedTime(now=self._clock()),
                EPISODE_KNOWN_MAX,
            )
            return await self._store.get_entities([episode.scope], [one.key.id for one in matches])

        try:
            return await self._model.extract(
                episode.content, speaker=episode.source.speaker, find_known=find_known
            )
        except ConfigurationError as error:
            # There is no key for the model: trying again would not help, and rules need none.
            (found,) = await asyncio.to_thread(_read_all, [episode])
            return replace(found, notes=(str(error), CANNOT, *found.notes))

    async def _link(self, episodes: Sequence[ReadEpisode]) -> list[Episode]:
        scope = episodes[0][0].scope
        for tries_left in reversed(range(_LINK_TRIES_MAX)):
            links = await self._planner.plan(scope, episodes, self._clock())
            try:
                return await self._store.link_many(links)
            except ConflictError:
                if not tries_left:
                    raise
        raise AssertionError


def _read_all(episodes: Sequence[Episode]) -> list[Extraction]:
    return [
        extract_by_rules(one.content, speaker=one.source.speaker, at=one.created_at)
        for one in episodes
    ]


def _write_reason(notes: Sequence[str]) -> str:
    return "; ".join(notes)[:EPISODE_REASON_CHARS_MAX]
