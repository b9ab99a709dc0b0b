"""Which parts of the tree can be trusted.

The grammar sometimes takes characters into a word where bash sees a separator or a substitution: a
leaf that holds what bash would not leave in it makes the line unreadable. And all the grammar
leaves out between two nodes is blanks, backslashes before blanks, and a `-` before a numbered
redirection. To bash the latter two are a word, or part of one.

Bash evaluates the value of a variable as code in array subscripts, in arithmetic, through `${!x}`
and `${x@P}`. Such an expansion cannot be trusted, because an unknown value would decide what runs.
"""

import re
from itertools import pairwise
from typing import Final

from dataagent_core.permissions.shell.line import ShellLine
from dataagent_core.permissions.shell.parser.grammar import WORD_TYPES, Node

_SUBSTRING = re.compile(r"\$\{\w+:\s*-?\d+\s*(:\s*-?\d+\s*)?\}", re.ASCII)
_SUBSCRIPT = re.compile(r"\[(\d+|@|\*)\]")
_NUMBERS_ONLY = re.compile(r"[\d\s+*/%()<>=!&|^~?:,.-]*")
# Within double quotes and here-documents single quotes in `${...}` mean nothing to bash: what the
# grammar takes for a string may run, or end the expansion.
_PLAIN_QUOTED = re.compile(r"'[\w ./:,=+@%-]*'", re.ASCII)
_BY_NAME = re.compile(r"(?:^|[\s(!])-[vR](?!\w)")
# To bash `[` is a command like others, so `[ a || b ]` is two of them; the grammar sees one test.
# Here are only words, and no two that are unknown side by side, which may become `-v a[...]`.
_KNOWN = r"""(?:[\w./:@%+=,^~!-]|'[^']*'|"[^"$`\\]*"|\\[^\n])"""
_UNKNOWN = r"""(?:"[^"`\\$]*(?:\$\w+|\$\{\w+\}|\$\([^()"'`\\$]*\))[^"`\\$]*"|\$[?#$!])"""
_TEST_WORD = re.compile(rf"[ \t]++(?P<unknown>{_UNKNOWN})?(?:{_KNOWN}|{_UNKNOWN})*+(?=[ \t])")
_TEST_END = re.compile(r"[ \t]++\]")
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


def explain_untrusted_expansion(node: Node, text: str) -> str | None:
    """Say why a parameter expansion cannot be trusted, if so."""
    if "'" in text and "'" in _PLAIN_QUOTED.sub("", text):
        return f"{text:.40} holds quotes that may not quote"
    signs = {child.type for child in node.children if not child.is_named}
    if "!" in signs or "@" in signs:
        return f"{text:.40} runs what a variable holds"
    if "=" in signs or ":=" in signs:
        return f"{text:.40} sets a variable"
    if ":" in signs and not _SUBSTRING.fullmatch(text):
        return f"{text:.40} calculates with what a variable holds"
    if any(child.type == "subscript" for child in node.children) and not _SUBSCRIPT.search(text):
        return f"{text:.40} calculates with what a variable holds"
    return None


def explain_untrusted_arithmetic(text: str) -> str | None:
    """Say why arithmetic cannot be trusted, if so."""
    inside = text.removeprefix("$").strip("()[]")
    if _NUMBERS_ONLY.fullmatch(inside):
        return None
    return f"{text:.40} calculates with what a variable holds"


def explain_untrusted_test(text: str) -> str | None:
    """Say why `[[ ... ]]` or `[ ... ]` cannot be trusted, if so."""
    if _BY_NAME.search(text):
        return "a test of a variable by name may run what stands in its subscript"
    if text.startswith("[["):
        if re.search(r"-(eq|ne|lt|le|gt|ge)\b", text):
            return "[[ ]] calculates with what a variable holds"
        return None
    return None if _is_plain_test(text) else "what [ ] tests cannot be read for certain"


def _is_plain_test(text: str) -> bool:
    index, unknown_before = 1, False
    while not _TEST_END.fullmatch(text, index):
        found = _TEST_WORD.match(text, index)
        if found is None or (unknown_before and found["unknown"]):
            return False
        index, unknown_before = found.end(), bool(found["unknown"])
    return True
