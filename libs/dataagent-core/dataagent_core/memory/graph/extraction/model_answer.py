"""Reads a model's answer about an episode: only what stands in the text is believed. Pure."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final, cast

from dataagent_core.config.limits.graph import (
    ENTITY_NAME_CHARS_MAX,
    ENTITY_TYPE_CHARS_MAX,
    EPISODE_ANSWER_CHARS_MAX,
    EPISODE_ENTITIES_MAX,
    EPISODE_RELATIONS_MAX,
    RELATION_FACT_CHARS_MAX,
    RELATION_NAME_CHARS_MAX,
)
from dataagent_core.memory.graph.extraction.extraction import (
    CONCEPT,
    PERSON,
    SELF_NAME,
    SELF_NAMES,
    ExtractedEntity,
    ExtractedRelation,
    Extraction,
)
from dataagent_core.memory.graph.extraction.grounded_text import GroundedText, trim_words
from dataagent_core.memory.graph.graph_values import Entity
from dataagent_core.models.json_answer import find_object

_SHOWN_CHARS: Final = 120


class UnreadableAnswerError(ValueError):
    """The model answered with something else than what it was asked for."""


def read_answer(
    answer: str,
    text: str,
    *,
    speaker: str,
    known: Sequence[Entity],
    found: Sequence[ExtractedEntity] = (),
) -> Extraction:
    """Return what is grounded of an answer, with notes of what was left out."""
    if len(answer) > EPISODE_ANSWER_CHARS_MAX:
        raise UnreadableAnswerError(f"the model answered with {len(answer):,} characters")
    parsed = find_object(answer)
    if parsed is None:
        raise UnreadableAnswerError(
            f"the model's answer is no JSON object: {answer[:_SHOWN_CHARS]!r}"
        )
    entities, relations = (_read_list(parsed, name) for name in ("entities", "relations"))
    return _AnswerReader(GroundedText(text), speaker, known, found).read(entities, relations)


def _read_list(parsed: Mapping[str, Any], name: str) -> list[Any]:
    value = parsed.get(name, [])
    if not isinstance(value, list):
        raise UnreadableAnswerError(f"`{name}` in the model's answer is no list")
    return cast("list[Any]", value)


class _AnswerReader:
    def __init__(
        self,
        text: GroundedText,
        speaker: str,
        known: Sequence[Entity],
        found: Sequence[ExtractedEntity],
    ) -> None:
        self._text = text
        self._speaker = speaker
        self._known = dict(enumerate(known, start=1))
        self._entities = list(found)
        # By the id the model uses: the place in the list.
        self._places = {len(known) + 1 + place: place for place in range(len(found))}
        self._found_count = len(found)
        self._ungrounded = 0
        self._broken = 0

    def read(self, entities: Sequence[Any], relations: Sequence[Any]) -> Extraction:
        for item in entities[:EPISODE_ENTITIES_MAX]:
            self._read_entity(item)
        read = [self._read_relation(item) for item in relations[:EPISODE_RELATIONS_MAX]]
        notes: list[str] = []
        if self._ungrounded:
            notes.append(f"{self._ungrounded} that do not stand in the text were left out")
        if self._broken:
            notes.append(f"{self._broken} that cannot be read were left out")
        return Extraction(
            entities=tuple(self._entities),
            relations=tuple(one for one in read if one is not None),
            notes=tuple(notes),
        )

    def _read_entity(self, item: Any) -> None:
        fields: Mapping[str, Any] = cast("Mapping[str, Any]", item) if _is_object(item) else {}
        number, name = fields.get("id"), fields.get("name")
        is_number = isinstance(number, int) and not isinstance(number, bool)
        if not isinstance(name, str) or not is_number or number in self._places:
            self._broken += 1
            return
        name = trim_words(name)
        is_self = name.casefold() in SELF_NAMES
        if not name or len(name) > ENTITY_NAME_CHARS_MAX:
            self._broken += 1
            return
        if not is_self and name != self._speaker and not self._text.holds(name):
            self._ungrounded += 1
            return
        kind = fields.get("type")
        known = self._known.get(cast("int", number))
        self._places[cast("int", number)] = len(self._entities)
        self._entities.append(
            ExtractedEntity(
                name=(self._speaker or SELF_NAME) if is_self else name,
                type=PERSON if is_self else _read_type(kind, known),
                known_id=known.id if known else "",
            )
        )

    def _read_relation(self, item: Any) -> ExtractedRelation | None:
        fields: Mapping[str, Any] = cast("Mapping[str, Any]", item) if _is_object(item) else {}
        name, fact = fields.get("name"), fields.get("fact")
        ends = [self._places.get(fields.get(end, 0)) if isinstance(fields.get(end), int) else None
                for end in ("source", "target")]  # fmt: skip
        source, target = ends
        is_text = isinstance(name, str) and isinstance(fact, str) and bool(trim_words(name))
        if not is_text or source is None or target is None or source == target:
            self._broken += 1
            return None
        fact = " ".join(cast("str", fact).split())[:RELATION_FACT_CHARS_MAX]
        if not self._text.holds(fact):
            self._ungrounded += 1
            return None
        return ExtractedRelation(
            source=source,
            target=target,
            name=trim_words(cast("str", name)).lower()[:RELATION_NAME_CHARS_MAX],
            fact=fact,
            valid_from=_read_moment(fields.get("since")),
            ends=fields.get("ended") is True,
        )


def _is_object(item: Any) -> bool:
    return isinstance(item, dict)


def _read_type(kind: Any, known: Entity | None) -> str:
    if isinstance(kind, str) and kind.isascii() and kind.replace(" ", "").isalpha():
        return kind.lower()[:ENTITY_TYPE_CHARS_MAX]
    return known.type if known else CONCEPT


def _read_moment(value: Any) -> datetime | None:
    if not isinstance(value, str):
        return None
    try:
        moment = datetime.fromisoformat(value)
    except ValueError:
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
