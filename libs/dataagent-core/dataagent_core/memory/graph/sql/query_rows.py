"""Answers a parsed query with one SQL statement, in the scopes of the view.

The path is joined within a bound of rows (`GRAPH_QUERY_PATHS_MAX`); what is returned is counted and
ordered of these. Each table of the statement has the condition of the scopes.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Final, Literal

from dataagent_core.config.limits.graph import GRAPH_QUERY_PATHS_MAX, GRAPH_QUERY_ROWS_MAX
from dataagent_core.errors import QueryRefusedError
from dataagent_core.language.unicode_text import storable
from dataagent_core.memory.graph.query.query_tree import (
    Compare,
    Condition,
    GraphQuery,
    IsNull,
    Join,
    Not,
    Property,
    QueryValue,
    RelationPattern,
)
from dataagent_core.memory.graph.sql.entity_rows import make_name_key
from dataagent_core.memory.graph.sql.episode_rows import contains
from dataagent_core.memory.graph.sql.graph_view import GraphView
from dataagent_core.session.stores.sql.dialect import decode_text, encode_text, read_moment

ColumnType = Literal["id", "text", "number", "milli", "moment"]
_TABLES: Final = {
    "Episodic": "graph_episodes",
    "Entity": "graph_entities",
    "Community": "graph_communities",
    "MENTIONS": "graph_mentions",
    "RELATES_TO": "graph_relations",
}
_COLUMNS: Final[Mapping[str, tuple[str, ColumnType]]] = {
    "id": ("id", "id"),
    "content": ("content", "text"),
    "session_id": ("session_id", "id"),
    "state": ("state", "id"),
    "created_at": ("created_at", "moment"),
    "name": ("name", "text"),
    "type": ("type", "id"),
    "summary": ("summary", "text"),
    "member_count": ("member_count", "number"),
    "fact": ("fact", "text"),
    "weight": ("weight_milli", "milli"),
    "valid_from": ("valid_from", "moment"),
    "valid_to": ("valid_to", "moment"),
}
_MILLI: Final = 1_000
# Of a value that no id can have; as a pattern it would mean something else to SQLite.
_NOTHING: Final = "1 = 0"


def run_query(view: GraphView, query: GraphQuery, limit: int) -> list[Mapping[str, object]]:
    """Return the rows of a query, each by the names of its columns."""
    statement = _Statement(view, query)
    rows_max = min(limit, GRAPH_QUERY_ROWS_MAX, query.limit or GRAPH_QUERY_ROWS_MAX)
    if query.limit == 0:
        return []
    text, values = statement.write()
    rows = view.connection.execute(text, [*values, rows_max]).fetchall()
    return [
        {
            item.name: value if item.property is None else _read(item.property, value)
            for item, value in zip(query.items, row, strict=False)
        }
        for row in rows
    ]


@dataclass(slots=True)
class _Statement:
    view: GraphView
    query: GraphQuery
    _tables: list[str] = field(default_factory=list[str])
    _conditions: list[str] = field(default_factory=list[str])
    _values: list[Any] = field(default_factory=list[Any])
    # By variable.
    _aliases: dict[str, str] = field(default_factory=dict[str, str])
    _labels: dict[str, str] = field(default_factory=dict[str, str])

    def write(self) -> tuple[str, list[Any]]:
        self._add_path()
        if self.query.condition is not None:
            self._conditions.append(self._write(self.query.condition))
        counts = any(item.property is None for item in self.query.items)
        wanted = [item.property for item in self.query.items if item.property is not None]
        ordered = [one.item.property for one in self.query.order if one.item.property is not None]
        columns = {one: f"c{number}" for number, one in enumerate(dict.fromkeys(wanted + ordered))}
        self._refuse_unordered(ordered, wanted, counts=counts)
        inner = ", ".join(f"{self._column(one)} AS {name}" for one, name in columns.items())
        outer = ", ".join(
            "COUNT(*)" if item.property is None else columns[item.property]
            for item in self.query.items
        )
        text = (
            f"SELECT {'DISTINCT ' if self.query.is_distinct else ''}{outer} FROM "
            f"(SELECT {inner or '1 AS c0'} FROM {', '.join(self._tables)} "
            f"WHERE {' AND '.join(self._conditions)} LIMIT {GRAPH_QUERY_PATHS_MAX}) AS paths"
        )
        if counts and wanted:
            text += f" GROUP BY {', '.join(dict.fromkeys(columns[one] for one in wanted))}"
        if self.query.order:
            text += " ORDER BY " + ", ".join(
                ("COUNT(*)" if one.item.property is None else columns[one.item.property])
                + (" DESC" if one.descending else "")
                for one in self.query.order
            )
        return f"{text} LIMIT ?", self._values

    def _refuse_unordered(
        self, ordered: Sequence[Property], wanted: Sequence[Property], *, counts: bool
    ) -> None:
        for one in ordered:
            if one not in wanted and (counts or self.query.is_distinct):
                raise QueryRefusedError(
                    f"ORDER BY {one.variable}.{one.name}: with count(*) or DISTINCT a query is "
                    "ordered by what it returns, so return it too."
                )

    def _add_path(self) -> None:
        for number, node in enumerate(self.query.nodes):
            self._add_table(f"n{number}", node.variable, node.label)
        for number, relation in enumerate(self.query.relations):
            self._add_relation(number, relation)

    def _add_table(self, alias: str, variable: str, label: str) -> None:
        self._aliases[variable] = alias
        self._labels[variable] = label
        self._tables.append(f"{_TABLES[label]} {alias}")
        self._conditions.append(self.view.within(alias, searched=alias == "n0"))
        self._values += self.view.scope_numbers

    def _add_relation(self, number: int, relation: RelationPattern) -> None:
        alias, left, right = f"r{number}", f"n{number}", f"n{number + 1}"
        source, target = (right, left) if relation.direction == "in" else (left, right)
        if relation.type == "BELONGS_TO":
            self._aliases[relation.variable] = source
            self._labels[relation.variable] = relation.type
            self._conditions.append(f"{source}.community_no = {target}.number")
            return
        self._add_table(alias, relation.variable, relation.type)
        if relation.type == "MENTIONS":
            self._conditions.append(
                f"{alias}.episode_no = {source}.number AND {alias}.entity_no = {target}.number"
            )
            return
        there = f"({alias}.source_no = {source}.number AND {alias}.target_no = {target}.number)"
        back = f"({alias}.source_no = {target}.number AND {alias}.target_no = {source}.number)"
        joined = there if relation.direction != "either" else f"({there} OR {back})"
        # As in a path of Cypher, one relation is not walked twice.
        others = [f"{alias}.number <> r{other}.number" for other in range(number)
                  if self.query.relations[other].type == "RELATES_TO"]  # fmt: skip
        self._conditions.append(" AND ".join([joined, f"{alias}.retired_at IS NULL", *others]))

    def _write(self, condition: Condition) -> str:
        match condition:
            case Compare():
                return self._write_comparison(condition)
            case IsNull(property=found, is_null=is_null):
                return f"{self._column(found)} IS {'' if is_null else 'NOT '}NULL"
            case Not(condition=inner):
                return f"NOT ({self._write(inner)})"
            case Join(word=word, conditions=several):
                return "(" + f" {word} ".join(self._write(one) for one in several) + ")"

    def _write_comparison(self, condition: Compare) -> str:
        column = self._column(condition.property)
        kind = _COLUMNS[condition.property.name][1]
        if condition.operator in {"CONTAINS", "STARTS WITH"}:
            return self._write_part(condition, column, kind)
        if kind == "id" and not _is_plain(condition.value):
            return _NOTHING
        value = self._convert(condition, kind)
        alias = self._aliases[condition.property.variable]
        label = self._labels[condition.property.variable]
        if condition.operator == "=" and (label, condition.property.name) == ("Entity", "name"):
            # The index of names leaves a few rows to compare.
            self._values += [make_name_key(str(condition.value)), value]
            return f"({alias}.name_key = ? AND {column} = ?)"
        self._values.append(value)
        return f"{column} {condition.operator} ?"

    def _write_part(self, condition: Compare, column: str, kind: ColumnType) -> str:
        if kind not in {"text", "id"} or not isinstance(condition.value, str):
            raise QueryRefusedError(
                f"{condition.operator} compares texts, and {condition.property.variable}."
                f"{condition.property.name} {condition.operator} {condition.value!r} is none."
            )
        if kind == "id" and not _is_plain(condition.value):
            return _NOTHING
        if kind == "id":
            pattern = condition.value.replace("!", "!!").replace("%", "!%").replace("_", "!_")
            start = "" if condition.operator == "STARTS WITH" else "%"
            self._values.append(f"{start}{pattern}%")
            return f"{column} LIKE ? ESCAPE '!'"
        part = encode_text(condition.value)
        if condition.operator == "CONTAINS":
            self._values.append(part)
            return contains(self.view.connection, column)
        self._values += [len(part), part]
        return f"SUBSTR({column}, 1, ?) = ?"

    def _convert(self, condition: Compare, kind: ColumnType) -> object:
        value: QueryValue = condition.value
        where = f"{condition.property.variable}.{condition.property.name}"
        if kind == "moment":
            try:
                moment = datetime.fromisoformat(str(value))
            except ValueError:
                raise QueryRefusedError(
                    f"{where} is a moment, and {value!r} is none: write '2026-03-01T12:00:00Z'."
                ) from None
            zoned = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
            return self.view.connection.dialect.moment(zoned)
        if kind in {"number", "milli"}:
            if isinstance(value, str | bool):
                raise QueryRefusedError(f"{where} is a number, and {value!r} is none.")
            return round(value * _MILLI) if kind == "milli" else value
        if not isinstance(value, str):
            raise QueryRefusedError(f"{where} is a text: write '{value}' in quotes.")
        return encode_text(value) if kind == "text" else value

    def _column(self, wanted: Property) -> str:
        return f"{self._aliases[wanted.variable]}.{_COLUMNS[wanted.name][0]}"


def _is_plain(value: QueryValue) -> bool:
    return not isinstance(value, str) or ("\0" not in value and storable(value) == value)


def _read(wanted: Property, value: Any) -> object:
    if value is None:
        return None
    match _COLUMNS[wanted.name][1]:
        case "text":
            return decode_text(value)
        case "milli":
            return value / _MILLI
        case "moment":
            return read_moment(value).isoformat()
        case "id" | "number":
            return value
