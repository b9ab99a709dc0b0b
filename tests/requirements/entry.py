"""One line of the manifest."""

from dataclasses import dataclass
from typing import Literal

Status = Literal["implemented", "planned"]


@dataclass(frozen=True, slots=True)
class Requirement:
    """A promise of the documents; a test names it with `pytest.mark.requirement(id)`."""

    id: str
    text: str
    status: Status = "implemented"
    # The documents require a property test of at least a hundred examples.
    by_property: bool = False
    # The topic of a planned entry, if it is known.
    topic: str = ""


def numbered(
    document: str, sentences: dict[int, str], implemented: frozenset[int]
) -> tuple[Requirement, ...]:
    """List a document's numbered properties; those without an implementation are planned."""
    return tuple(
        Requirement(f"{document}-{number}", sentence, "implemented", by_property=True)
        if number in implemented
        else Requirement(f"{document}-{number}", sentence, "planned")
        for number, sentence in sentences.items()
    )
