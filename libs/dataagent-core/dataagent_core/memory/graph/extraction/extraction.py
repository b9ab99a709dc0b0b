"""What was found in an episode, as it is kept until it is linked. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from pydantic import JsonValue, TypeAdapter

# S2's kinds, and those that rules can tell apart; a model may name others.
EntityType = str
CONCEPT: Final = "concept"
PERSON: Final = "person"
ORGANISATION: Final = "organization"
PLACE: Final = "place"
DATE: Final = "date"
NUMBER: Final = "number"
# The person whose memory it is, in both languages.
SELF_NAME: Final = "I"
SELF_NAMES: Final = frozenset({"i", "我", "俺", "本人"})


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractedEntity:
    """An entity by the name that stands in the text."""

    name: str
    type: EntityType = CONCEPT
    # Other names of it in the text.
    aliases: tuple[str, ...] = ()
    # An entity of the graph that a model said it is; checked before it is believed.
    known_id: str = ""
    # A date or a number in one form.
    value: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractedRelation:
    """A relation between two of the entities, by their places in the list."""

    source: int
    target: int
    name: str
    # Words of the text.
    fact: str
    valid_from: datetime | None = None
    # The text says that it holds no longer.
    ends: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Extraction:
    """What was found, and what was left out and why."""

    entities: tuple[ExtractedEntity, ...] = ()
    relations: tuple[ExtractedRelation, ...] = ()
    notes: tuple[str, ...] = ()


_EXTRACTION: Final[TypeAdapter[Extraction]] = TypeAdapter(Extraction)


def write_extraction(extraction: Extraction) -> Mapping[str, JsonValue]:
    """Give it as the JSON that an episode keeps."""
    return _EXTRACTION.dump_python(extraction, mode="json")


def read_extraction(kept: Mapping[str, Any]) -> Extraction:
    """Read it from an episode."""
    return _EXTRACTION.validate_python(kept)
