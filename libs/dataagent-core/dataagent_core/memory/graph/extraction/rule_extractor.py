"""Reads an episode by rules: no model, no cost, English and Chinese, thousands of turns a second.

It finds dates, numbers with a unit, names, and what the tables of rules know: "X is Y", "X works at
Y", "X 住在 Y". It cannot tell what a pronoun stands for, nor irony, nor what is said over several
sentences, and most verbs it does not know; `CANNOT` says so to people.
"""

from datetime import datetime
from typing import Final

from dataagent_core.config.limits.graph import (
    ENTITY_NAME_CHARS_MAX,
    EPISODE_ENTITIES_MAX,
    EPISODE_RELATIONS_MAX,
    EPISODE_RULES_CHARS_MAX,
)
from dataagent_core.memory.graph.extraction.clauses import is_question, split_clauses
from dataagent_core.memory.graph.extraction.dates_and_numbers import find_dates, find_numbers
from dataagent_core.memory.graph.extraction.extraction import (
    CONCEPT,
    PERSON,
    SELF_NAME,
    SELF_NAMES,
    EntityType,
    ExtractedEntity,
    ExtractedRelation,
    Extraction,
)
from dataagent_core.memory.graph.extraction.names_in_text import find_names
from dataagent_core.memory.graph.extraction.relation_rules import FoundRelation, find_relations
from dataagent_core.memory.graph.extraction.start_of_truth import find_start
from dataagent_core.memory.text_digest import fold_text

CANNOT: Final = (
    "Read by rules: names, dates, numbers and simple sentences in English and Chinese. Pronouns, "
    "other verbs and what is said over several sentences need entity_extraction_model."
)


def extract_by_rules(text: str, *, speaker: str, at: datetime) -> Extraction:
    """Find entities and relations; `speaker` is empty when the person of the memory speaks."""
    found = _Found()
    for clause in split_clauses(text[:EPISODE_RULES_CHARS_MAX]):
        said_by = clause.speaker or speaker
        if clause.speaker:
            found.add(ExtractedEntity(name=clause.speaker, type=PERSON))
        if not is_question(clause.text):
            for relation in find_relations(clause.text):
                found.relate(relation, clause.text, said_by, find_start(clause.text, at))
        for entity in (*find_dates(clause.text), *find_numbers(clause.text)):
            found.add(entity)
        for entity in find_names(clause.text):
            found.add(entity)
    notes = list[str]()
    if len(text) > EPISODE_RULES_CHARS_MAX:
        notes.append(f"only the first {EPISODE_RULES_CHARS_MAX:,} characters were read")
    if found.is_full:
        notes.append(f"more than {EPISODE_ENTITIES_MAX} entities: the others were left out")
    return Extraction(
        entities=tuple(found.entities), relations=tuple(found.relations), notes=tuple(notes)
    )


class _Found:
    """What was found so far; a name that comes again is the same entity."""

    def __init__(self) -> None:
        self.entities: list[ExtractedEntity] = []
        self.relations: list[ExtractedRelation] = []
        self.is_full = False
        self._places: dict[str, int] = {}

    def add(self, entity: ExtractedEntity) -> int | None:
        key = fold_text(entity.name)
        place = self._places.get(key)
        if place is not None:
            if (not self.entities[place].value and entity.value) or (
                self.entities[place].type == CONCEPT and entity.type != CONCEPT
            ):
                self.entities[place] = entity
            return place
        if not key or len(entity.name) > ENTITY_NAME_CHARS_MAX:
            return None
        if len(self.entities) >= EPISODE_ENTITIES_MAX:
            self.is_full = True
            return None
        self._places[key] = len(self.entities)
        self.entities.append(entity)
        return self._places[key]

    def relate(
        self, found: FoundRelation, clause: str, speaker: str, since: datetime | None
    ) -> None:
        source = self._add_end(found.source, found.rule.source_type, speaker)
        target = self._add_end(found.target, found.rule.target_type, speaker)
        if source is None or target is None or source == target:
            return
        if len(self.relations) < EPISODE_RELATIONS_MAX:
            self.relations.append(
                ExtractedRelation(
                    source=source,
                    target=target,
                    name=found.rule.name,
                    fact=clause,
                    valid_from=since,
                    ends=found.rule.ends,
                )
            )

    def _add_end(self, name: str, type: EntityType, speaker: str) -> int | None:  # noqa: A002
        if name.casefold() in SELF_NAMES | {"my", "we", "我们"}:
            # "we" and "my" are the speaker too, as far as one can tell.
            return self.add(ExtractedEntity(name=speaker or SELF_NAME, type=PERSON))
        return self.add(ExtractedEntity(name=name, type=type))
