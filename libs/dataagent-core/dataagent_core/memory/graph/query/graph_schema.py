"""Labels, relations and properties that a query may name, and what help says of them. Pure."""

from collections.abc import Mapping
from typing import Final, Literal

Label = Literal["Episodic", "Entity", "Community"]
RelationType = Literal["MENTIONS", "RELATES_TO", "BELONGS_TO"]

PROPERTIES: Final[Mapping[str, tuple[str, ...]]] = {
    "Episodic": ("id", "content", "session_id", "state", "created_at"),
    "Entity": ("id", "name", "type", "summary", "created_at"),
    "Community": ("id", "name", "summary", "member_count"),
    "RELATES_TO": ("id", "name", "fact", "weight", "valid_from", "valid_to"),
    "MENTIONS": (),
    "BELONGS_TO": (),
}
# From which label a relation leads to which.
ENDS: Final[Mapping[RelationType, tuple[Label, Label]]] = {
    "MENTIONS": ("Episodic", "Entity"),
    "RELATES_TO": ("Entity", "Entity"),
    "BELONGS_TO": ("Entity", "Community"),
}
QUERY_HELP: Final = (
    "MATCH (a:Entity {name: 'Ada'})-[r:RELATES_TO]->(b:Entity) WHERE r.valid_to IS NULL RETURN "
    "b.name, r.fact ORDER BY r.weight DESC LIMIT 10. One path of at most 3 relations: "
    "(:Episodic)-[:MENTIONS]->(:Entity)-[:RELATES_TO]->(:Entity)-[:BELONGS_TO]->(:Community). "
    "Properties: "
    + "; ".join(f"{name}: {', '.join(found)}" for name, found in PROPERTIES.items() if found)
    + ". WHERE: =, <>, <, <=, >, >=, CONTAINS, STARTS WITH, IS NULL, IS NOT NULL, AND, OR, NOT. "
    "RETURN: properties, a variable for all of its properties, count(*), DISTINCT, AS. "
    "It only reads."
)
