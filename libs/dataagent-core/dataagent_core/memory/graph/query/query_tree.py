"""A parsed query."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from dataagent_core.memory.graph.query.graph_schema import Label, RelationType

QueryValue: TypeAlias = str | int | float | bool
Comparison = Literal["=", "<>", "<", "<=", ">", ">=", "CONTAINS", "STARTS WITH"]


@dataclass(frozen=True, slots=True)
class Property:
    """`variable.name`."""

    variable: str
    name: str


@dataclass(frozen=True, slots=True)
class Compare:
    """A property beside a value."""

    property: Property
    operator: Comparison
    value: QueryValue


@dataclass(frozen=True, slots=True)
class IsNull:
    """Whether a property has no value, or has one."""

    property: Property
    is_null: bool


@dataclass(frozen=True, slots=True)
class Not:
    """The opposite of a condition."""

    condition: "Condition"


@dataclass(frozen=True, slots=True)
class Join:
    """Conditions that hold all, or of which one holds."""

    word: Literal["AND", "OR"]
    conditions: tuple["Condition", ...]


Condition: TypeAlias = Compare | IsNull | Not | Join


@dataclass(frozen=True, slots=True)
class NodePattern:
    """A node of the path."""

    variable: str
    label: Label


@dataclass(frozen=True, slots=True)
class RelationPattern:
    """A relation between a node and the next one."""

    variable: str
    type: RelationType
    # `->` out, `<-` in, `-` either.
    direction: Literal["out", "in", "either"]


@dataclass(frozen=True, slots=True)
class ReturnItem:
    """A column: a property, or a count of paths (`property` is `None`)."""

    name: str
    property: Property | None


@dataclass(frozen=True, slots=True)
class OrderItem:
    """A column or a property by which rows are ordered."""

    item: ReturnItem
    descending: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphQuery:
    """A query that is known to be allowed."""

    nodes: tuple[NodePattern, ...]
    relations: tuple[RelationPattern, ...]
    condition: Condition | None
    items: tuple[ReturnItem, ...]
    is_distinct: bool
    order: tuple[OrderItem, ...]
    limit: int | None
