"""How the sections of S2 are listed: an entry is `S2-` and the section's number, with a name."""

from collections.abc import Mapping
from typing import Final, Literal

from tests.requirements.entry import Requirement

Topic = Literal[
    "Temporal",
    "tracing",
]

TEMPORAL: Final[Topic] = "Temporal"
TRACING: Final[Topic] = "tracing"


def implemented(sentences: Mapping[str, str]) -> tuple[Requirement, ...]:
    """List entries that a test shows."""
    return tuple(Requirement(f"S2-{name}", text) for name, text in sentences.items())


def planned(topic: Topic, sentences: Mapping[str, str]) -> tuple[Requirement, ...]:
    """List entries of a later topic."""
    return tuple(
        Requirement(f"S2-{name}", text, "planned", topic=topic) for name, text in sentences.items()
    )
