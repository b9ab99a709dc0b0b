"""Values of Neo4j as plain ones: a node is its label and its properties, without what is ours."""

import json
from collections.abc import Mapping
from typing import Final, cast

from neo4j.graph import Node, Path, Relationship
from neo4j.time import Date, DateTime, Time

from dataagent_core.memory.graph.neo4j.schema import LABEL_OF_ALL

_OURS: Final = frozenset(
    {
        "assistant_id", "embedder", "embedding", "evidence_episodes", "evidence_facts",
        "extracted", "name_hashes", "name_key", "project_id", "relation_ids", "scope",
        "scope_kind", "tenant_id", "user_id", "version", "words",
    }
)  # fmt: skip
_JSON: Final = frozenset({"aliases", "attributes", "source"})


def make_plain(value: object) -> object:  # noqa: PLR0911 (a value for each kind)
    """Return a value that can be written as JSON."""
    match value:
        case None | bool() | int() | float() | str():
            return value
        case Node():
            label = next((one for one in sorted(value.labels) if one != LABEL_OF_ALL), "")
            return {"label": label, **_properties(value)}
        case Relationship():
            return {"type": value.type, **_properties(value)}
        case Path():
            steps: list[object] = [make_plain(value.nodes[0])]
            for relation, node in zip(value.relationships, value.nodes[1:], strict=True):
                steps += [make_plain(relation), make_plain(node)]
            return steps
        case list() | tuple():
            return [make_plain(one) for one in cast("list[object]", value)]
        case Mapping():
            pairs = cast("Mapping[str, object]", value).items()
            return {key: make_plain(one) for key, one in pairs}
        case DateTime() | Date() | Time():
            return value.to_native().isoformat()
        case _:
            # A duration, or a point of a map.
            return str(value)


def _properties(entity: Node | Relationship) -> dict[str, object]:
    return {
        name: json.loads(value) if name in _JSON else make_plain(value)
        for name, value in sorted(entity.items())
        if name not in _OURS
    }
