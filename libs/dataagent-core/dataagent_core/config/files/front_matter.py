"""Reads a Markdown file that begins with YAML between two lines `---`: skills and sub-agents.

It is lenient where people of other tools are: a byte-order mark, blank lines before the first
`---`, and one-line values with a colon that YAML would have in quotes. A question in a list
(`[Is it right?]`) is YAML that PyYAML cannot read; it is read here. Aliases and deep nesting, which
make a small file large, are refused. What the fields mean, and what a key that is there twice does,
is said by `skills/skill_file.py` and `subagents/subagent_file.py`.
"""

import json
import math
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, cast

import yaml

from dataagent_core.config.files.yaml_file import YamlLoader
from dataagent_core.config.limits.data import DATA_YAML_DEEP_MAX
from dataagent_core.config.limits.skills import FRONT_MATTER_VALUES_MAX
from dataagent_core.errors import FrontMatterError
from dataagent_core.language.unicode_text import storable

_MARK: Final = "---"
# A top-level field with its value on the same line.
_FIELD = re.compile(r"(?P<key>[A-Za-z_][\w.-]*):[ \t]+(?P<value>\S.*)")
# One whose value is a list of plain texts, on one line.
_LIST_FIELD = re.compile(r"(?P<key>[A-Za-z_][\w.-]*):\s+\[(?P<items>[^\[\]{}#]*)\]\s*")
# Values that YAML reads as something other than plain text.
_NOT_PLAIN = ('"', "'", "[", "{", "|", ">")
_NOTHING = frozenset({"", "~", "null", "Null", "NULL"})


class FieldPlace(NamedTuple):
    """Where a key stands in its file; both count from 1."""

    line: int
    column: int


class RepeatedKey(NamedTuple):
    """A key that is there twice, the field it is in (or is), and where the second one stands."""

    key: str
    field: str
    place: FieldPlace


class MisreadValue(NamedTuple):
    """A value that is not of the type that YAML takes it for, as a date of a 13th month."""

    text: str
    kind: str
    place: FieldPlace


@dataclass(frozen=True, slots=True, kw_only=True)
class FrontMatter:
    """The fields, the text after them, and where both are in the file (lines count from 1)."""

    fields: Mapping[str, Any]
    # Of a field, and as `metadata.tags` of a key in one.
    places: Mapping[str, FieldPlace]
    body: str
    body_line: int
    # Fields whose value had to be put in quotes before it could be read.
    repaired: tuple[str, ...] = ()
    # Keys that are there twice, also inside of fields.
    repeated: tuple[RepeatedKey, ...] = ()
    # Values that are read as text, because they are not what YAML takes them for.
    misread: tuple[MisreadValue, ...] = ()


def read_front_matter(
    text: str,
    what: str,
    bytes_max: int,
    *,
    as_text: bool = False,
    typed: Collection[str] = (),
) -> FrontMatter:
    """Read a file; `what` names it in errors. A broken one is a `FrontMatterError`.

    `as_text`: numbers, dates and words such as `yes` stay as they are written, except within the
    values of the keys `typed`, where numbers, `true` and `false` are such.
    """
    size = len(text.encode("utf-8", "replace"))
    if size > bytes_max:
        raise FrontMatterError(
            f"{what} has {size:,} bytes, {bytes_max:,} are possible: shorten it."
        )
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    lines = text.split("\n")
    start = next((number for number, line in enumerate(lines) if line.strip()), 0)
    if lines[start].rstrip() != _MARK:
        raise FrontMatterError(
            f"{what} does not begin with a line ---: write its fields between two such lines, "
            "then the text.",
            line=start + 1,
            column=1,
        )
    end = next((n for n in range(start + 1, len(lines)) if lines[n].rstrip() == _MARK), None)
    if end is None:
        raise FrontMatterError(
            f"{what} has no second line ---, which ends its fields: write one below them.",
            line=len(lines),
            column=1,
        )
    reader = _FieldText(lines[start + 1 : end], start + 2, what)
    try:
        node, repaired = reader.compose(), ()
    except FrontMatterError:
        quoted, repaired = reader.quote_loose_values()
        if quoted is None:
            raise
        node = quoted.compose()
    if node and as_text:
        fields, misread = _to_texts(node, typed), ()
    else:
        fields, misread = reader.construct(node)
    return FrontMatter(
        fields=fields,
        places={} if node is None else dict(reader.places_of(node)),
        body="\n".join(lines[end + 1 :]).strip("\n"),
        body_line=end + 2,
        repaired=repaired,
        repeated=() if node is None else tuple(reader.list_repeated_keys(node)),
        misread=misread,
    )


def make_repeated_key_error(what: str, repeated: RepeatedKey) -> FrontMatterError:
    """Say that a key may be there once only: a limit may be lost with the other."""
    return FrontMatterError(
        f"{what} has the key {repeated.key!r:.80} twice. Keep one of them.",
        line=repeated.place.line,
        column=repeated.place.column,
    )


class _NodeLoader(YamlLoader):
    """Composes nodes; refuses what makes a small file large."""

    what = ""
    broken_at: Callable[[str, yaml.Mark], FrontMatterError]
    _deep = 0
    _values = 0

    def compose_node(self, parent: Any, index: Any) -> Any:
        event = self.peek_event()
        what, mark = self.what, event.start_mark
        self._values += 1
        if self._values > FRONT_MATTER_VALUES_MAX:
            raise self.broken_at(
                f"{what} has more than {FRONT_MATTER_VALUES_MAX:,} keys and values between its "
                "lines ---. Shorten them.",
                mark,
            )
        if isinstance(event, yaml.AliasEvent):
            raise self.broken_at(f"{what} uses YAML aliases (*name). Write the values out.", mark)
        if self._deep >= DATA_YAML_DEEP_MAX:
            raise self.broken_at(
                f"{what} is nested more than {DATA_YAML_DEEP_MAX} deep. Write it flatter.", mark
            )
        if isinstance(event, yaml.ScalarEvent):
            if "\0" in event.value:
                raise self.broken_at(
                    f"{what} writes the character NUL (\\0), which cannot be stored. Remove it.",
                    mark,
                )
            if event.tag is not None and event.tag.startswith("!"):
                # `!important do it`: a tag that nobody defined is the beginning of a text.
                event.value, event.tag = f"{event.tag} {event.value}".strip(), None
                event.implicit = (False, True)
            # "\ud83d\ude00" in quotes: two halves of one character.
            event.value = storable(event.value)
        self._deep += 1
        try:
            return super().compose_node(parent, index)
        finally:
            self._deep -= 1


class _ValueLoader(YamlLoader):
    """Makes values of nodes; one that cannot be made is its text."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.misread: list[yaml.ScalarNode] = []

    def construct_object(self, node: yaml.Node, deep: bool = False) -> Any:  # noqa: FBT001, FBT002 (the library's signature)
        try:
            return super().construct_object(node, deep)
        except (ValueError, ArithmeticError, LookupError, AttributeError, yaml.YAMLError):
            if not isinstance(node, yaml.ScalarNode):
                raise
            self.misread.append(node)
            return node.value


class _FieldText:
    """The lines between the two marks, the first of which is line `first` of the file."""

    def __init__(self, head: list[str], first: int, what: str) -> None:
        self._head = head
        self._first = first
        self._what = what

    def compose(self) -> yaml.MappingNode | None:
        written = "\n".join(self._head)
        try:
            return self._compose(_NodeLoader(written))
        except yaml.reader.ReaderError as error:
            before = written[: error.position]
            place = yaml.Mark(
                "", 0, before.count("\n"), len(before) - before.rfind("\n") - 1, "", 0
            )
            character = chr(error.character) if isinstance(error.character, int) else "?"
            raise self._broken_at(
                f"{self._what} has the character {character!r}, which YAML does not allow. "
                "Remove it.",
                place,
            ) from error
        except yaml.MarkedYAMLError as error:
            raise self._explain(error) from error

    def _compose(self, loader: "_NodeLoader") -> yaml.MappingNode | None:
        loader.what, loader.broken_at = self._what, self._broken_at
        try:
            node = loader.get_single_node()
        except (ValueError, OverflowError) as error:
            # The number of an escape such as "\U00110000" is not checked by PyYAML.
            raise self._broken_at(
                f"{self._what} writes a character that does not exist (\\U...). Correct it.",
                loader.get_mark(),
            ) from error
        if node is not None and not isinstance(node, yaml.MappingNode):
            raise self._broken_at(
                f"{self._what} holds no fields between its lines ---: write one `name: value` on "
                "each line.",
                None,
            )
        return node

    def _explain(self, error: yaml.MarkedYAMLError) -> FrontMatterError:
        """Say what YAML met, and where the value that it was reading begins."""
        begin, why = error.context_mark, error.problem or error.context
        line = self._first + (begin.line if begin is not None else 0)
        message = (
            f"{self._what} cannot be read as YAML: {why}, in the value from line {line} on. Close "
            "its quotes and brackets, or put the whole value in quotes."
            if begin is not None
            else f"{self._what} cannot be read as YAML: {why}. Put the value in quotes."
        )
        return self._broken_at(message, error.problem_mark or begin)

    def _broken_at(self, message: str, mark: yaml.Mark | None) -> FrontMatterError:
        line, column = (mark.line, mark.column) if mark else (0, 0)
        return FrontMatterError(message, line=self._first + line, column=column + 1)

    def quote_loose_values(self) -> "tuple[_FieldText | None, tuple[str, ...]]":
        """Put values that cannot be read as they are in quotes; name the fields with a fault.

        None if there is none.
        """
        repaired: list[str] = []
        head: list[str] = []
        lines = iter(enumerate(self._head))
        for number, line in lines:
            loose = _find_loose_value(line)
            if loose is None:
                head.append(_quote_questions(line))
                continue
            # An indented line goes on with the value of the one before it.
            more: list[str] = []
            while self._is_indented(number + 1 + len(more)):
                more.append(next(lines)[1])
            key, value = loose
            repaired.append(key)
            # Every line keeps its number.
            head += [f"{key}: {_quote([value, *more])}", *[""] * len(more)]
        if head == self._head:
            return None, ()
        return _FieldText(head, self._first, self._what), tuple(repaired)

    def _is_indented(self, number: int) -> bool:
        line = self._head[number] if number < len(self._head) else ""
        return line.startswith(" ") and not line.isspace()

    def construct(
        self, node: yaml.MappingNode | None
    ) -> tuple[dict[str, Any], tuple[MisreadValue, ...]]:
        if node is None:
            return {}, ()
        loader = _ValueLoader("")
        try:
            found = cast("dict[object, Any]", loader.construct_document(node))
        except yaml.MarkedYAMLError as error:
            raise self._explain(error) from error
        misread = (
            MisreadValue(_text(one), one.tag.rpartition(":")[2], self._place(one))
            for one in loader.misread
        )
        return {str(key): value for key, value in found.items()}, tuple(misread)

    def places_of(self, node: yaml.MappingNode) -> Iterator[tuple[str, FieldPlace]]:
        for key, value in node.value:
            yield _text(key), self._place(key)
            if isinstance(value, yaml.MappingNode):
                for inner, _ in value.value:
                    yield f"{_text(key)}.{_text(inner)}", self._place(inner)

    def list_repeated_keys(self, node: yaml.Node, field: str = "") -> Iterator[RepeatedKey]:
        if isinstance(node, yaml.SequenceNode):
            for item in node.value:
                yield from self.list_repeated_keys(item, field)
        elif isinstance(node, yaml.MappingNode):
            seen: set[str] = set()
            for key, value in node.value:
                name = _text(key)
                if name in seen:
                    yield RepeatedKey(name, field or name, self._place(key))
                seen.add(name)
                yield from self.list_repeated_keys(value, field or name)

    def _place(self, node: yaml.Node) -> FieldPlace:
        mark = node.start_mark
        return FieldPlace(self._first + mark.line, mark.column + 1)


def _find_loose_value(line: str) -> tuple[str, str] | None:
    """Find a field whose value cannot be read as it is."""
    found = _FIELD.fullmatch(line)
    if found is None or found["value"].startswith(_NOT_PLAIN):
        return None
    value = found["value"].rstrip()
    if ": " not in value and not value.endswith(":") and not value.startswith(("@", "`", "*", "%")):
        return None
    return found["key"], value


def _quote(lines: list[str]) -> str:
    # Other tools write line breaks of such a value as two characters.
    whole = " ".join(line.strip() for line in lines).replace("\\n", "\n")
    return json.dumps(whole, ensure_ascii=False)


def _quote_questions(line: str) -> str:
    """Put the items of a one-line list that have a question mark in quotes."""
    found = _LIST_FIELD.fullmatch(line)
    if found is None:
        return line
    items = [item.strip() for item in found["items"].split(",")]
    if any(item.startswith(('"', "'")) for item in items):
        return line
    quoted = [json.dumps(item, ensure_ascii=False) if "?" in item else item for item in items]
    return f"{found['key']}: [{', '.join(quoted)}]"


def _to_texts(node: yaml.Node, typed: Collection[str], *, is_typed: bool = False) -> Any:
    """Give text, lists, mappings, and `None` where nothing is written."""
    if isinstance(node, yaml.MappingNode):
        return {
            _text(key): _to_texts(value, typed, is_typed=is_typed or _text(key) in typed)
            for key, value in node.value
        }
    if isinstance(node, yaml.SequenceNode):
        return [_to_texts(one, typed, is_typed=is_typed) for one in node.value]
    text = _text(node)
    if not isinstance(node, yaml.ScalarNode) or node.style is not None:
        return text
    if text in _NOTHING:
        return None
    return _read_number(text) if is_typed else text


def _read_number(text: str) -> Any:
    """Read a number, `true` or `false` as JSON has them; anything else is the text."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return text
    return value if isinstance(value, int) or _is_finite(value) else text


def _is_finite(value: object) -> bool:
    return isinstance(value, float) and math.isfinite(value)


def _text(node: yaml.Node) -> str:
    return str(node.value) if isinstance(node, yaml.ScalarNode) else "?"
