"""The terms of the graph, with S2's names and numbers (S2 §11.6)."""

from dataclasses import dataclass

from dataagent_core.config.limits.memory import (
    COMMUNITY_MIN_SIZE,
    COMMUNITY_RESOLUTION,
    ENTITY_DEDUPE_THRESHOLD,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphTerms:
    """How episodes are read and entities joined."""

    enable_reflexion: bool = True
    entity_dedupe_threshold: float = ENTITY_DEDUPE_THRESHOLD
    community_min_size: int = COMMUNITY_MIN_SIZE
    community_resolution: float = COMMUNITY_RESOLUTION
