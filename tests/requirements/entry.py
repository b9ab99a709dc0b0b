"""One line of the manifest."""

from dataclasses import dataclass
from typing import Literal

Status = Literal["implemented", "planned"]


@dataclass(frozen=True, slots=True)
class Requirement:
    """Something the documents promise; a test names it with `pytest.mark.requirement(id)`."""

    id: str
    text: str
    status: Status = "implemented"
    # The documents ask for these to be shown by a property test of at least a hundred examples.
    by_property: bool = False
    # What brings a planned entry, where that is known.
    topic: str = ""


def numbered(
    document: str, sentences: dict[int, str], implemented: frozenset[int]
) -> tuple[Requirement, ...]:
    """List a document's numbered properties; those not implemented yet are planned."""
    return tuple(
        Requirement(f"{document}-{number}", sentence, "implemented", by_property=True)
        if number in implemented
        else Requirement(f"{document}-{number}", sentence, "planned")
        for number, sentence in sentences.items()
    )
