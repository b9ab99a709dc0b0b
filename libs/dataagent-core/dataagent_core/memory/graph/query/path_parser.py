"""Reads the path of a query: its nodes and relations, with the labels that it leaves out. Pure."""

from dataclasses import dataclass
from typing import Final, Literal, cast, get_args

from dataagent_core.config.limits.graph import GRAPH_HOPS_MAX
from dataagent_core.memory.graph.query.graph_schema import ENDS, PROPERTIES, Label, RelationType
from dataagent_core.memory.graph.query.query_tokens import refuse
from dataagent_core.memory.graph.query.query_tree import (
    Compare,
    NodePattern,
    Property,
    RelationPattern,
)
from dataagent_core.memory.graph.query.token_reader import QueryReader

_LABELS: Final = get_args(Label)
_TYPES: Final = get_args(RelationType)
Direction = Literal["out", "in", "either"]


@dataclass(slots=True)
class _Part:
    """A node or a relation as it is written."""

    variable: str
    label: str
    place: int
    direction: Direction = "either"


@dataclass(frozen=True, slots=True)
class ParsedPath:
    """A path, and the conditions in its braces."""

    nodes: tuple[NodePattern, ...]
    relations: tuple[RelationPattern, ...]
    conditions: tuple[Compare, ...]


def parse_path(reader: QueryReader) -> ParsedPath:
    """Read a path."""
    conditions: list[Compare] = []
    nodes, relations = [_parse_node(reader, conditions, 0)], list[_Part]()
    while reader.peek().text in {"-", "<-", "->"} and reader.peek().kind == "sign":
        if len(relations) == GRAPH_HOPS_MAX:
            refuse(reader.peek().place, f"a path has at most {GRAPH_HOPS_MAX} relations")
        relations.append(_parse_relation(reader, len(relations)))
        nodes.append(_parse_node(reader, conditions, len(nodes)))
    _find_labels(nodes, relations)
    variables = [part.variable for part in (*nodes, *relations)]
    for part in (*nodes, *relations):
        if variables.count(part.variable) > 1:
            refuse(part.place, f"the variable {part.variable!r} is used twice: give each its own")
    for one in conditions:
        _check_property(nodes, one.property)
    return ParsedPath(
        tuple(NodePattern(one.variable, cast("Label", one.label)) for one in nodes),
        tuple(
            RelationPattern(one.variable, cast("RelationType", one.label), one.direction)
            for one in relations
        ),
        tuple(conditions),
    )


def _parse_node(reader: QueryReader, conditions: list[Compare], number: int) -> _Part:
    place = reader.expect("(").place
    part = _parse_name(reader, f" n{number}", place, _LABELS)
    if reader.take("{"):
        while True:
            name = reader.expect_word("a property")
            reader.expect(":")
            value = reader.read_value()
            conditions.append(Compare(Property(part.variable, name.text), "=", value))
            if not reader.take(","):
                break
        reader.expect("}")
    reader.expect(")")
    return part


def _parse_relation(reader: QueryReader, number: int) -> _Part:
    first = reader.next()
    part = _Part(f" r{number}", "", first.place)
    if first.text != "->" and reader.take("["):
        part = _parse_name(reader, f" r{number}", first.place, _TYPES)
        if reader.peek().text == "*":
            refuse(reader.peek().place, "paths of any length are not read: write each relation")
        reader.expect("]")
        last = reader.next()
    else:
        last = first if first.text == "->" else reader.next()
    if first.text == "<-" and last.text == "-":
        part.direction = "in"
    elif first.text == "-" and last.text == "->":
        part.direction = "out"
    elif (first.text, last.text) != ("-", "-"):
        refuse(last.place, "a relation is written -[r:RELATES_TO]->, <-[r:RELATES_TO]- or -[r]-")
    return part


def _parse_name(reader: QueryReader, unnamed: str, place: int, known: tuple[str, ...]) -> _Part:
    variable = reader.next().text if reader.peek().kind == "word" else unnamed
    label = ""
    if reader.take(":"):
        found = reader.expect_word("a label")
        if found.text not in known:
            refuse(found.place, f"{found.text!r} is not known here: use {', '.join(known)}")
        label = found.text
    return _Part(variable, label, place)


def _find_labels(nodes: list[_Part], relations: list[_Part]) -> None:
    """Fill in what is left out, where the rest leaves one possibility."""
    for _ in range(len(nodes) + 1):
        for number, relation in enumerate(relations):
            left, right = nodes[number], nodes[number + 1]
            fits = [
                (kind, ends)
                for kind, pair in ENDS.items()
                for ends in _turn(pair, relation.direction)
                if relation.label in {"", kind}
                and left.label in {"", ends[0]}
                and right.label in {"", ends[1]}
            ]
            if not fits:
                refuse(relation.place, _explain_relation(relation.label))
            kinds = {kind for kind, _ in fits}
            lefts, rights = {ends[0] for _, ends in fits}, {ends[1] for _, ends in fits}
            relation.label = kinds.pop() if len(kinds) == 1 else relation.label
            left.label = lefts.pop() if len(lefts) == 1 else left.label
            right.label = rights.pop() if len(rights) == 1 else right.label
    for number, relation in enumerate(relations):
        # One that is written without a direction, between unlike ends, has only one.
        pair = ENDS[cast("RelationType", relation.label)] if relation.label else None
        if pair and pair[0] != pair[1]:
            relation.direction = "out" if nodes[number].label == pair[0] else "in"
    for part in (*nodes, *relations):
        if not part.label:
            refuse(part.place, "the label or the type is missing: write (a:Entity), -[:MENTIONS]-")


def _turn(pair: tuple[str, str], direction: Direction) -> list[tuple[str, str]]:
    there, back = pair, (pair[1], pair[0])
    return {"out": [there], "in": [back], "either": list({there, back})}[direction]


def _explain_relation(label: str) -> str:
    if not label:
        return "no relation joins these labels"
    source, target = ENDS[cast("RelationType", label)]
    return f"{label} leads from {source} to {target}"


def _check_property(nodes: list[_Part], wanted: Property) -> None:
    part = next(one for one in nodes if one.variable == wanted.variable)
    if wanted.name not in PROPERTIES[part.label]:
        known = ", ".join(PROPERTIES[part.label])
        refuse(part.place, f"{part.label} has no property {wanted.name!r}: it has {known}")
