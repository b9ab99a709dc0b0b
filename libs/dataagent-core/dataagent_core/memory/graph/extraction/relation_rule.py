"""How one relation is said in a language: a pattern with the groups `s` and `o`. Pure."""

import re
from dataclasses import dataclass

from dataagent_core.memory.graph.extraction.extraction import CONCEPT, EntityType


@dataclass(frozen=True, slots=True)
class RelationRule:
    """How one relation is said."""

    name: str
    pattern: re.Pattern[str]
    source_type: EntityType = CONCEPT
    target_type: EntityType = CONCEPT
    # It says that the relation holds no longer.
    ends: bool = False
