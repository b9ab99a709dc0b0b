"""Which parts of the tree can be believed.

The grammar sometimes takes characters into a word where bash sees a separator or a substitution: a
leaf that holds what bash would not leave in it makes the line unreadable. And all the grammar
leaves out between two nodes is blanks, backslashes before blanks, and a `-` before a numbered
redirection. To bash the latter two are a word, or part of one.
"""

import re
from itertools import pairwise
from typing import Final

from dataagent_core.permissions.shell.line import ShellLine
from dataagent_core.permissions.shell.parser.grammar import WORD_TYPES, Node

UNREADABLE: Final = "it cannot be read as bash"

_RUNS = re.compile(r"(?<!\\)(?:\\\\)*(?:`|\$\(|\$\{|\$\[|\$')")
_PROCESS = re.compile(r"[<>]\(")
_WORD = re.compile(r"(?:[^\s'\"`$|&;<>()\\]|\\[^\n])+")

# Leaves whose text bash may still expand.
OPAQUE = frozenset({"regex", "extglob_pattern", "test_operator", "heredoc_content"})

# Kinds whose parts are separated by a new line, where not by a sign.
_STATEMENTS = frozenset({"program", "compound_statement", "subshell", "do_group"})
# Words of the language that bash only knows when a blank follows.
_NEEDS_BLANK = frozenset({"!", "{", "if", "then", "else", "elif", "while", "until", "do", "in"})
_BEFORE_COMMENT = frozenset({b" ", b"\t", b"\n", b";", b"&", b"|", b"(", b")"})
_HIDDEN = re.compile(rb"\\\s|-\s+\d")
_BLANK = re.compile(rb"[ \t\n]*")


def is_believable(node: Node, text: str) -> bool:
    """Say whether a leaf holds only what bash would leave in it."""
    match node.type:
        case "word" | "number" | "variable_name" | "special_variable_name" | "file_descriptor":
            return bool(_WORD.fullmatch(text)) or node.type == "special_variable_name"
        case "string_content":
            return not _RUNS.search(text.replace("$'", ""))
        case kind if kind in OPAQUE:
            return not _RUNS.search(text) and not _PROCESS.search(text)
        case _:
            return True


def gap_is_blank(source: bytes, start: int, end: int, blank: re.Pattern[bytes] = _BLANK) -> bool:
    """Say whether nothing was dropped between two nodes."""
    return start == end or blank.fullmatch(source, start, end) is not None


def token_is_itself(token: Node) -> bool:
    """Say whether a sign spans just its own characters; the grammar takes `-c<<` for a `<<`."""
    return token.end_byte - token.start_byte == len(token.type)


class SpacingCheck:
    """Checks the nodes of one script."""

    def __init__(self, source: bytes, line: ShellLine) -> None:
        self._source = source
        self._line = line
        self.gaps_may_hide = _HIDDEN.search(source) is not None

    def check_edges(self, root: Node) -> None:
        """Look before the first and behind the last node of a script."""
        children = root.children
        first = children[0].start_byte if children else len(self._source)
        last = children[-1].end_byte if children else 0
        self._check_gap(0, first)
        self._check_gap(last, len(self._source))

    def check_gaps(self, node: Node) -> None:
        """Look between the nodes inside one, as far as something can hide there."""
        if not self.gaps_may_hide or node.type in WORD_TYPES or node.type == "heredoc_redirect":
            return
        for before, child in pairwise(node.children):
            self._check_gap(before.end_byte, child.start_byte)

    def check_comment(self, node: Node) -> None:
        """Refuse a comment that to bash is the rest of a word, as in `}#`."""
        before = self._source[node.start_byte - 1 : node.start_byte]
        if before and before not in _BEFORE_COMMENT:
            self._line.doubt(UNREADABLE)

    def check_one_line(self, node: Node) -> None:
        """Refuse a node that goes on behind the end of a line, where bash begins a new command."""
        for before, child in pairwise(node.children):
            if b"\n" in self._source[before.end_byte : child.start_byte]:
                self._line.doubt(UNREADABLE)

    def check_separation(self, node: Node) -> None:
        """Refuse nodes inside one that touch where bash would see one word."""
        for before, child in pairwise(node.children):
            if not before.is_named:
                if not token_is_itself(before):
                    self._line.doubt(UNREADABLE)
                touches = before.type in _NEEDS_BLANK and before.end_byte == child.start_byte
            elif child.is_named and before.type != "comment" != child.type:
                gap = self._source[before.end_byte : child.start_byte]
                touches = b"\n" not in gap if node.type in _STATEMENTS else not gap
            else:
                touches = False
            if touches:
                self._line.doubt(UNREADABLE)

    def _check_gap(self, start: int, end: int) -> None:
        if not gap_is_blank(self._source, start, end):
            self._line.doubt(UNREADABLE)
