"""The way from one dataset to another over relations, from many to one only.

The other way round a row would be counted as often as it has partners, and every sum be wrong.
"""

from collections import deque

from dataagent_core.errors import QueryRefusedError
from dataagent_core.tools.data.semantic.semantic_model import Relation, SemanticModel


def find_join_path(model: SemanticModel, start: str, end: str) -> tuple[Relation, ...]:
    """Give the relations that lead there, the fewest; two equally short ways are a question."""
    waiting: deque[tuple[str, tuple[Relation, ...]]] = deque([(start, ())])
    seen = {start}
    found: list[tuple[Relation, ...]] = []
    while waiting:
        here, way = waiting.popleft()
        if found and len(way) >= len(found[0]):
            break
        for relation in model.relations:
            if relation.many != here:
                continue
            longer = (*way, relation)
            if relation.one == end:
                found.append(longer)
            elif relation.one not in seen:
                seen.add(relation.one)
                waiting.append((relation.one, longer))
    shortest = [way for way in found if len(way) == len(found[0])]
    if not shortest:
        raise QueryRefusedError(
            f"{end!r} cannot be joined to {start!r} without counting rows twice: there is no "
            "relation from many to one that leads there. Use a dimension of another dataset."
        )
    if len(shortest) > 1:
        raise QueryRefusedError(
            f"There are {len(shortest)} ways from {start!r} to {end!r}. Ask with SQL "
            "instead, and say which one is meant."
        )
    return shortest[0]
