"""Variables a script sets: for itself, for one program, or for every program after.

The value of some is certain: of those set once, at the top of the line, to something known.
`a=rm; $a x` is `rm x`. Anything that could set the name again, or not set it at all, leaves it
unknown; the check is on the text, so that it holds for every way bash knows of setting a variable.
"""

import re
from collections.abc import Callable

from dataagent_core.permissions.shell.environment import (
    explain_exported_variable,
    explain_passed_variable,
    explain_set_variable,
)
from dataagent_core.permissions.shell.line import ShellLine, names
from dataagent_core.permissions.shell.parser.grammar import WORD_TYPES, Node
from dataagent_core.permissions.shell.parser.word_reader import WordReader

# Bash itself gives these their values, whatever they are set to.
_OF_BASH = names(
    "_ FUNCNAME DIRSTACK GROUPS LINENO RANDOM SRANDOM SECONDS EPOCHSECONDS EPOCHREALTIME HISTCMD "
    "PIPESTATUS REPLY OPTARG OPTIND MAPFILE COPROC UID EUID PPID"
)
# These may set a variable whose name is put together at run time, or later (`trap`).
SETTERS = names(
    "read printf mapfile readarray getopts declare typeset local export readonly unset let eval "
    "source . select wait trap"
)
# However they are quoted the reader finds them; here they stand as they are, or as `${a:=b}`.
_SETS = re.compile(
    r"\b(?:" + "|".join(sorted(SETTERS - {"."})) + r")\b|(?:^|[\s;&|(])\.\s|\$\{\w+\s*:?="
)
_NAME = re.compile(r"[A-Za-z_]\w*", re.ASCII)


def find_first_assignments(root: Node, text: str) -> list[Node]:
    """List the assignments that are certain to be made, and made once; the values are not read."""
    statements = _find_certain_statements(root)
    if not statements or _SETS.search(text):
        return []
    return [
        node
        for statement in statements
        for node in ([statement] if statement.type == "variable_assignment" else statement.children)
        if node.type == "variable_assignment" and _is_set_once(node, text)
    ]


def _find_certain_statements(root: Node) -> list[Node]:
    found: list[Node] = []
    children = root.children
    for index, child in enumerate(children):
        following = children[index + 1].type if index + 1 < len(children) else ""
        if following == "&":
            continue
        node = child
        while node.type == "list":
            node = node.children[0]
        if node.type in {"variable_assignment", "variable_assignments"}:
            found.append(node)
    return found


def _is_set_once(assignment: Node, text: str) -> bool:
    name, sign, *value = assignment.children
    if (
        name.type != "variable_name"
        or sign.type != "="
        or len(value) != 1
        or value[0].type == "array"
    ):
        return False
    written = (name.text or b"").decode()
    if written in _OF_BASH:
        return False
    return len(re.findall(rf"(?<![$\w])(?<!\$\{{){written}(?!\w)", text)) == 1


class AssignmentReader:
    """Reads the assignments of one script."""

    def __init__(self, line: ShellLine, words: WordReader, visit: Callable[[Node], None]) -> None:
        self._line = line
        self._words = words
        self._visit = visit

    def set_in_shell(self, node: Node) -> None:
        """Note `a=b` on its own."""
        name = node.children[0]
        if name.type == "subscript":
            self._line.doubt("it sets an element of an array")
            self._visit(name)
        elif doubt := self._explain_misread(name) or explain_set_variable(
            self._words.get_text(name)
        ):
            self._line.doubt(doubt)
        for child in node.children[1:]:
            if child.is_named:
                self._visit(child)

    def read_prefix(self, node: Node) -> str | None:
        """Read `a=b` in front of a program; say why that makes the program uncertain, if so."""
        name, value = node.children[0], node.children[-1]
        word = self._words.read_word(value) if value.type in WORD_TYPES else None
        if word is None and value.is_named:
            self._visit(value)
        return self._explain_misread(name) or explain_passed_variable(
            self._words.get_text(name), word
        )

    def _explain_misread(self, name: Node) -> str | None:
        """Say where the grammar sees a variable and bash a command such as `1=`."""
        text = self._words.get_text(name)
        return None if _NAME.fullmatch(text) else f"{text!r:.40} is not the name of a variable"

    def note_declaration(self, node: Node) -> None:
        """Note `export a=b` and its relatives."""
        if len(node.children) == 1:
            self._line.doubt("it prints every variable")
        exports = self._words.get_text(node.children[0]) == "export"
        for child in node.children[1:]:
            if exports and child.type == "variable_name":
                self._line.doubt(explain_exported_variable(self._words.get_text(child)))
            elif child.type == "variable_assignment":
                if doubt := self.read_prefix(child):
                    self._line.doubt(doubt)
            elif child.type != "variable_name":
                self._line.doubt("it declares variables with options")
                if child.is_named:
                    self._visit(child)
