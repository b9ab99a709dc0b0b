"""Parses a query by its grammar; whatever is not in it is refused. Pure."""

from collections.abc import Mapping
from typing import Final, cast

from dataagent_core.config.limits.graph import GRAPH_QUERY_CHARS_MAX
from dataagent_core.memory.graph.query.graph_schema import PROPERTIES
from dataagent_core.memory.graph.query.path_parser import ParsedPath, parse_path
from dataagent_core.memory.graph.query.query_tokens import refuse, split_tokens
from dataagent_core.memory.graph.query.query_tree import (
    Compare,
    Comparison,
    Condition,
    GraphQuery,
    IsNull,
    Join,
    Not,
    OrderItem,
    Property,
    ReturnItem,
)
from dataagent_core.memory.graph.query.token_reader import QueryReader

_COMPARISONS: Final = frozenset({"=", "<>", "<", "<=", ">", ">="})
_DEPTH_MAX: Final = 20
_CONDITIONS_MAX: Final = 30
_ITEMS_MAX: Final = 30


def parse_query(query: str) -> GraphQuery:
    """Parse a query; a `QueryRefusedError` says what is wrong where."""
    if len(query) > GRAPH_QUERY_CHARS_MAX:
        refuse(GRAPH_QUERY_CHARS_MAX, f"it is longer than {GRAPH_QUERY_CHARS_MAX:,} characters")
    return _Parser(QueryReader(split_tokens(query))).parse()


class _Parser:
    def __init__(self, reader: QueryReader) -> None:
        self._reader = reader
        self._labels: Mapping[str, str] = {}
        self._conditions = 0

    def parse(self) -> GraphQuery:
        reader = self._reader
        if not reader.take_words("MATCH"):
            refuse(reader.peek().place, "a query begins with MATCH, and it only reads")
        path = parse_path(reader)
        self._labels = {
            **{one.variable: one.label for one in path.nodes},
            **{one.variable: one.type for one in path.relations},
        }
        if reader.take(","):
            refuse(reader.peek().place, "a query has one path")
        where = self._parse_or(0) if reader.take_words("WHERE") else None
        conditions = [*path.conditions, *([where] if where else [])]
        self._check_start(path, conditions)
        if not reader.take_words("RETURN"):
            refuse(reader.peek().place, "RETURN is expected: other clauses are not read")
        is_distinct = reader.take_words("DISTINCT")
        items = self._parse_items()
        order = self._parse_order(items) if reader.take_words("ORDER", "BY") else []
        limit = self._parse_limit() if reader.take_words("LIMIT") else None
        if reader.peek().kind != "end":
            refuse(reader.peek().place, f"{reader.peek().text!r} is one too many: the query ends")
        return GraphQuery(
            nodes=path.nodes,
            relations=path.relations,
            condition=Join("AND", tuple(conditions)) if conditions else None,
            items=tuple(items),
            is_distinct=is_distinct,
            order=tuple(order),
            limit=limit,
        )

    def _check_start(self, path: ParsedPath, conditions: list[Condition]) -> None:
        """Refuse a long path from everywhere to everywhere: it would read the whole graph."""
        if len(path.relations) > 1 and not any(map(_is_start, conditions)):
            refuse(1, "a path of several relations starts somewhere: add a property, {name: 'Ada'}")

    def _parse_or(self, depth: int) -> Condition:
        found = [self._parse_and(depth)]
        while self._reader.take_words("OR"):
            found.append(self._parse_and(depth))
        return found[0] if len(found) == 1 else Join("OR", tuple(found))

    def _parse_and(self, depth: int) -> Condition:
        found = [self._parse_one(depth)]
        while self._reader.take_words("AND"):
            found.append(self._parse_one(depth))
        return found[0] if len(found) == 1 else Join("AND", tuple(found))

    def _parse_one(self, depth: int) -> Condition:
        reader = self._reader
        if depth > _DEPTH_MAX:
            refuse(reader.peek().place, f"conditions are nested more than {_DEPTH_MAX} deep")
        if reader.take_words("NOT"):
            return Not(self._parse_one(depth + 1))
        if reader.take("("):
            inner = self._parse_or(depth + 1)
            reader.expect(")")
            return inner
        self._conditions += 1
        if self._conditions > _CONDITIONS_MAX:
            refuse(reader.peek().place, f"there are more than {_CONDITIONS_MAX} conditions")
        wanted = self._parse_property()
        if reader.take_words("IS", "NULL"):
            return IsNull(wanted, is_null=True)
        if reader.take_words("IS", "NOT", "NULL"):
            return IsNull(wanted, is_null=False)
        return Compare(wanted, self._parse_comparison(), reader.read_value())

    def _parse_comparison(self) -> Comparison:
        if self._reader.take_words("CONTAINS"):
            return "CONTAINS"
        if self._reader.take_words("STARTS", "WITH"):
            return "STARTS WITH"
        sign = self._reader.next()
        if sign.kind != "sign" or sign.text not in _COMPARISONS:
            refuse(
                sign.place, f"{sign.text!r} compares nothing: use =, <>, <, >, CONTAINS, IS NULL"
            )
        return cast("Comparison", sign.text)

    def _parse_property(self) -> Property:
        variable = self._reader.expect_word("a variable")
        label = self._labels.get(variable.text)
        if label is None:
            refuse(variable.place, f"no part of the path is called {variable.text!r}")
        self._reader.expect(".")
        name = self._reader.expect_word("a property")
        if name.text not in PROPERTIES[label]:
            known = ", ".join(PROPERTIES[label]) or "none"
            refuse(name.place, f"{label} has no property {name.text!r}: it has {known}")
        return Property(variable.text, name.text)

    def _parse_items(self) -> list[ReturnItem]:
        items: list[ReturnItem] = []
        while True:
            items += self._parse_item()
            if len(items) > _ITEMS_MAX:
                refuse(self._reader.peek().place, f"there are more than {_ITEMS_MAX} columns")
            if not self._reader.take(","):
                return items

    def _parse_item(self) -> list[ReturnItem]:
        reader = self._reader
        if reader.take_words("COUNT"):
            reader.expect("(")
            if not reader.take("*"):
                self._expect_variable()
            reader.expect(")")
            return [ReturnItem(self._parse_alias("count"), None)]
        start = reader.peek()
        wanted = self._parse_property() if self._is_property() else None
        if wanted is not None:
            return [ReturnItem(self._parse_alias(f"{wanted.variable}.{wanted.name}"), wanted)]
        variable = self._expect_variable()
        found = PROPERTIES[self._labels[variable]]
        if not found:
            refuse(start.place, f"{self._labels[variable]} has no properties to return")
        return [ReturnItem(f"{variable}.{name}", Property(variable, name)) for name in found]

    def _is_property(self) -> bool:
        return self._reader.peek(1).kind == "sign" and self._reader.peek(1).text == "."

    def _expect_variable(self) -> str:
        token = self._reader.expect_word("a property such as a.name, a variable or count(*)")
        if token.text not in self._labels:
            refuse(token.place, f"no part of the path is called {token.text!r}")
        return token.text

    def _parse_alias(self, name: str) -> str:
        return self._reader.expect_word("a name").text if self._reader.take_words("AS") else name

    def _parse_order(self, items: list[ReturnItem]) -> list[OrderItem]:
        order: list[OrderItem] = []
        while True:
            order.append(OrderItem(self._parse_ordered(items), self._is_descending()))
            if len(order) > _ITEMS_MAX:
                refuse(self._reader.peek().place, "too much to order by")
            if not self._reader.take(","):
                return order

    def _parse_ordered(self, items: list[ReturnItem]) -> ReturnItem:
        start = self._reader.peek()
        alias = next((one for one in items if one.name == start.text), None)
        if alias is not None and not self._is_property() and start.text not in self._labels:
            if self._reader.next().text.lower() == "count" and self._reader.take("("):
                self._reader.take("*")
                self._reader.expect(")")
            return alias
        if self._reader.peek().text.lower() == "count":
            refuse(start.place, "to order by count(*), return it")
        wanted = self._parse_property()
        return ReturnItem(f"{wanted.variable}.{wanted.name}", wanted)

    def _is_descending(self) -> bool:
        if self._reader.take_words("DESC") or self._reader.take_words("DESCENDING"):
            return True
        if not self._reader.take_words("ASC"):
            self._reader.take_words("ASCENDING")
        return False

    def _parse_limit(self) -> int:
        token = self._reader.next()
        if token.kind != "number" or "." in token.text or len(token.text) > len("999999999"):
            refuse(token.place, "LIMIT takes a whole number")
        return int(token.text)


def _is_start(condition: Condition) -> bool:
    """Say whether a condition leaves few nodes: one value of one property."""
    match condition:
        case Compare(operator="="):
            return condition.property.name in {"id", "name", "session_id"}
        case Join(word="AND"):
            return any(map(_is_start, condition.conditions))
        case Join(word="OR"):
            return all(map(_is_start, condition.conditions))
        case _:
            return False
