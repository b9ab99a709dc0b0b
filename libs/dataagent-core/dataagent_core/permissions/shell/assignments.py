"""Variables a script sets: for itself, for one program, or for every program after."""

import re
from collections.abc import Callable

from dataagent_core.permissions.shell.environment import (
    doubt_about_exporting,
    doubt_about_handing_on,
    doubt_about_setting,
)
from dataagent_core.permissions.shell.grammar import Node
from dataagent_core.permissions.shell.line import ShellLine
from dataagent_core.permissions.shell.words import WORD_TYPES, WordReader

_NAME = re.compile(r"[A-Za-z_]\w*", re.ASCII)


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
        elif doubt := self._misread(name) or doubt_about_setting(self._words.text_of(name)):
            self._line.doubt(doubt)
        for child in node.children[1:]:
            if child.is_named:
                self._visit(child)

    def handed_on(self, node: Node) -> str | None:
        """Read `a=b` in front of a program; say why that makes the program uncertain, if so."""
        name, value = node.children[0], node.children[-1]
        word = self._words.word(value) if value.type in WORD_TYPES else None
        if word is None and value.is_named:
            self._visit(value)
        return self._misread(name) or doubt_about_handing_on(self._words.text_of(name), word)

    def _misread(self, name: Node) -> str | None:
        """Say where the grammar sees a variable and bash a command such as `1=`."""
        text = self._words.text_of(name)
        return None if _NAME.fullmatch(text) else f"{text!r:.40} is not the name of a variable"

    def declared(self, node: Node) -> None:
        """Note `export a=b` and its relatives."""
        if len(node.children) == 1:
            self._line.doubt("it prints every variable")
        exports = self._words.text_of(node.children[0]) == "export"
        for child in node.children[1:]:
            if exports and child.type == "variable_name":
                self._line.doubt(doubt_about_exporting(self._words.text_of(child)))
            elif child.type == "variable_assignment":
                if doubt := self.handed_on(child):
                    self._line.doubt(doubt)
            elif child.type != "variable_name":
                self._line.doubt("it declares variables with options")
                if child.is_named:
                    self._visit(child)
