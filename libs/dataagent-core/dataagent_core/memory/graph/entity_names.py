"""Which names of an entity are left when episodes go. Pure."""

from collections.abc import Collection, Iterable
from dataclasses import replace
from typing import Final

from dataagent_core.memory.graph.graph_values import Entity
from dataagent_core.memory.text_digest import fold_text

# The reason of an alias that a person gave: it rests on no episode.
GIVEN_BY_PERSON: Final = "given by a person"


def keep_names(entity: Entity, names_left: Collection[str]) -> Entity:
    """Take from an entity the names that no episode has any longer.

    `names_left` are the names in the episodes that are left. When its own name is not among them,
    it is called by the first one that is. Without any, nobody knows which names were whose, and it
    stays as it is.
    """
    left = {fold_text(name): name for name in sorted(names_left, reverse=True)}
    if not left:
        return entity
    given = [name for name, reason in entity.aliases.items() if reason == GIVEN_BY_PERSON]
    left |= {fold_text(name): name for name in given}
    aliases = {name: why for name, why in entity.aliases.items() if fold_text(name) in left}
    name = entity.name if fold_text(entity.name) in left else min(left.values())
    others = {k: why for k, why in aliases.items() if k != name or why == GIVEN_BY_PERSON}
    return replace(entity, name=name, aliases=others)


def join_names(name: str, aliases: Iterable[str]) -> str:
    """Write the text by which an entity is found."""
    return " ".join(dict.fromkeys((name, *aliases)))
