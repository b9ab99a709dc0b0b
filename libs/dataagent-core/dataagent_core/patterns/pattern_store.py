"""The port `PatternStore`: the patterns of one tenant.

A pattern is saved only over the version it was read as; otherwise `ConflictError` says so, and the
caller learns again from the newer one. A search reads a bounded number of rows, however many
patterns there are.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from datetime import datetime

from dataagent_core.config.limits.patterns import PATTERNS_PAGE_DEFAULT
from dataagent_core.patterns.interaction_pattern import InteractionPattern, PatternState


class PatternStore(ABC):
    """Stores patterns of one tenant; those of another are not seen."""

    @abstractmethod
    async def add(self, pattern: InteractionPattern) -> InteractionPattern:
        """Store a new pattern and return it with its first version.

        A known id is a `ConflictError`, a pattern of another tenant a `ValidationError`, and one
        more than `PATTERNS_MAX` a `LimitReachedError`.
        """

    @abstractmethod
    async def get(self, pattern_id: str) -> InteractionPattern | None:
        """Return a pattern."""

    @abstractmethod
    async def save(self, pattern: InteractionPattern) -> InteractionPattern:
        """Replace a pattern and return it with its new version.

        Another version in the store is a `ConflictError`, an unknown id a `NotFoundError`. When it
        was last asked for is left to `note_queries`.
        """

    @abstractmethod
    async def delete(self, pattern_id: str) -> bool:
        """Remove a pattern; say whether there was one."""

    @abstractmethod
    async def list_page(
        self,
        *,
        user_id: str | None = None,
        state: PatternState | None = None,
        limit: int = PATTERNS_PAGE_DEFAULT,
        offset: int = 0,
    ) -> list[InteractionPattern]:
        """Return a page of patterns, the ones last changed first; `state` is the stored one."""

    @abstractmethod
    async def find_candidates(
        self, signature: str, entities: Sequence[str]
    ) -> list[InteractionPattern]:
        """Return patterns of a signature, and those that share most terms, each once.

        Of a term that many patterns have only the ones last changed are looked at.
        """

    @abstractmethod
    async def note_queries(self, pattern_ids: Sequence[str], at: datetime) -> None:
        """Note that somebody asked for such work; an earlier moment changes nothing."""
