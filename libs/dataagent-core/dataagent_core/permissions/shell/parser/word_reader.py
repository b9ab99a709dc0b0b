"""From a node of the tree to the words it becomes; substitutions inside are handed to `visit`.

Quotes are removed first, then braces are expanded: `a{b,c}` becomes `ab ac`. The braces and commas
that count are marked while the word is read, because quoted ones do not count.
"""

import re
from collections.abc import Callable
from itertools import pairwise
from typing import Final

from dataagent_core.config.limits import SHELL_BRACE_WORDS_MAX
from dataagent_core.permissions.shell.line import SOMETHING, UNKNOWN, ShellLine, Word, known_word
from dataagent_core.permissions.shell.parser.grammar import WORD_TYPES, Node
from dataagent_core.permissions.shell.parser.tree_checks import is_believable

_ESCAPE = re.compile(r"\\(.)|([{},])|([*?\[])", re.DOTALL)
_IN_STRING = re.compile(r'\\([$`"\\])|\\\n')
_ANSI = re.compile(r"\\(x[0-9A-Fa-f]{1,2}|u[0-9A-Fa-f]{1,4}|[0-7]{1,3}|.)", re.DOTALL)
_ANSI_NAMES = {"n": "\n", "t": "\t", "\\": "\\", "'": "'", '"': '"', "?": "?", "e": UNKNOWN}
OPEN: Final = "\x01"
COMMA: Final = "\x02"
CLOSE: Final = "\x03"
_MARKS = str.maketrans({"{": OPEN, ",": COMMA, "}": CLOSE})
_UNMARKS = str.maketrans({OPEN: "{", COMMA: ",", CLOSE: "}"})
_SEQUENCE = re.compile("\x01[^\x01\x03]*\\.\\.[^\x01\x03]*\x03")
_PLAIN = re.compile(r"[\w./:@%+=-]+", re.ASCII)
_NUMBERS = frozenset({"$?", "$#", "$$", "$!"})


class TooManyWordsError(Exception):
    """The braces stand for more words than anybody would look at."""


class WordReader:
    """Reads words of one script."""

    def __init__(self, source: bytes, line: ShellLine, visit: Callable[[Node], None]) -> None:
        self._source = source
        # Where a byte is a character, no slice needs to be decoded.
        self._ascii = source.decode() if source.isascii() else None
        self._line = line
        self._visit = visit
        self.variables: dict[str, tuple[int, str]] = {}

    def get_text(self, node: Node) -> str:
        if self._ascii is not None:
            return self._ascii[node.start_byte : node.end_byte]
        return self._source[node.start_byte : node.end_byte].decode()

    def read_words(self, node: Node) -> list[Word]:
        """Give the words a node becomes, braces expanded."""
        text = self.get_text(node)
        if _PLAIN.fullmatch(text):
            return [known_word((text, False, False))]
        text, splits = self._read_piece(node, text, starts=True)
        if OPEN not in text and COMMA not in text and CLOSE not in text:
            return [Word(text, splits, splits and node.type == "word")]
        if _SEQUENCE.search(text):
            return [SOMETHING]
        try:
            return [Word(one, splits) for one in expand_braces(text)]
        except TooManyWordsError:
            self._line.doubt("its braces stand for too many words")
            return [SOMETHING]

    def read_word(self, node: Node) -> Word:
        """Give the one word a node becomes, or something unknown where it may be several."""
        found = self.read_words(node)
        return found[0] if len(found) == 1 else SOMETHING

    def _read_piece(self, node: Node, text: str, *, starts: bool) -> tuple[str, bool]:
        match node.type:
            case "word" | "number":
                found = self._read_plain(node, text, starts=starts)
            case "raw_string":
                found = text[1:-1], False
            case "ansi_c_string":
                found = unquote_ansi_c(text), False
            case "string":
                found = self._read_string(node), False
            case "command_name":
                inner = node.children[0]
                found = self._read_piece(inner, self.get_text(inner), starts=starts)
            case "concatenation":
                found = self._read_concatenation(node)
            case "simple_expansion" | "expansion":
                found = self._read_expansion(node, text)
            case kind:
                found = self._read_substitution(node, kind, text)
        return found

    def _read_substitution(self, node: Node, kind: str, text: str) -> tuple[str, bool]:
        if kind not in WORD_TYPES:
            self._line.doubt(f"it holds {text!r:.40}, which cannot be read")
            return UNKNOWN, True
        self._visit(node)
        if kind == "process_substitution":
            return "/dev/fd/" + UNKNOWN, False
        return UNKNOWN, kind != "arithmetic_expansion"

    def _read_plain(self, node: Node, text: str, *, starts: bool) -> tuple[str, bool]:
        if node.children or not is_believable(node, text):
            self._line.doubt(f"it holds {text!r:.40}, which cannot be read")
            return UNKNOWN, True
        if starts and text.startswith("~"):
            # Whose home it is, only the machine knows; `$HOME` is no different.
            slash = text.find("/")
            text, splits = unquote(text[slash:]) if slash >= 0 else ("", False)
            return UNKNOWN + text, splits
        return unquote(text)

    def _read_concatenation(self, node: Node) -> tuple[str, bool]:
        texts, splits, end = list[str](), False, node.start_byte
        for index, child in enumerate(node.children):
            if child.start_byte != end:
                self._line.doubt("it holds a word with a gap in it")
            end = child.end_byte
            text, child_splits = self._read_piece(child, self.get_text(child), starts=index == 0)
            texts.append(text)
            splits = splits or child_splits
        return "".join(texts), splits

    def _read_string(self, node: Node) -> str:
        parts, end = list[str](), node.start_byte + 1
        for child in node.children[1:-1]:
            if child.type == "string_content":
                if not is_believable(child, self.get_text(child)):
                    self._line.doubt("it holds a string that cannot be read")
                continue
            parts.append(unquote_string(self._decode(end, child.start_byte)))
            parts.append(self._read_quoted(child))
            end = child.end_byte
        parts.append(unquote_string(self._decode(end, node.end_byte - 1)))
        return "".join(parts)

    def _decode(self, start: int, end: int) -> str:
        # A string that is never closed may end within a character; it is a doubt already.
        return self._source[start:end].decode(errors="replace")

    def _read_quoted(self, node: Node) -> str:
        if node.type in {"simple_expansion", "expansion"}:
            value = self._find_value(node)
            return (
                value if value is not None else self._read_expansion(node, self.get_text(node))[0]
            )
        if not node.is_named:
            return self.get_text(node)
        return self._read_piece(node, self.get_text(node), starts=False)[0]

    def _find_value(self, node: Node) -> str | None:
        if len(node.children) not in {2, 3} or node.children[1].type != "variable_name":
            return None
        set_at, value = self.variables.get(self.get_text(node.children[1]), (-1, ""))
        return value if 0 <= set_at <= node.start_byte else None

    def _read_expansion(self, node: Node, text: str) -> tuple[str, bool]:
        value = self._find_value(node)
        if value is not None and not re.search(r"[\s*?\[\\]", value):
            return value, not value
        if node.type == "expansion":
            self._visit(node)
        # What these stand for is a number.
        return UNKNOWN, text not in _NUMBERS


def unquote(text: str) -> tuple[str, bool]:
    """Read an unquoted piece: braces marked, escapes gone; say whether a file name is expanded."""
    globs = False

    def replace(found: re.Match[str]) -> str:
        nonlocal globs
        escape, brace, glob = found.groups()
        if glob:
            globs = True
            return UNKNOWN
        return brace.translate(_MARKS) if brace else escape

    return _ESCAPE.sub(replace, text), globs


def unquote_string(text: str) -> str:
    """Read a literal piece between double quotes."""
    return _IN_STRING.sub(lambda found: found[1] or "", text) if "\\" in text else text


def unquote_ansi_c(text: str) -> str:
    """Read `$'...'`; control characters and rarer escapes count as unknown."""
    return _ANSI.sub(_decode_ansi_escape, text[2:-1])


def _decode_ansi_escape(found: re.Match[str]) -> str:
    code = found[1]
    if code in _ANSI_NAMES:
        return _ANSI_NAMES[code]
    if code[0] in "xu" and len(code) > 1:
        value = int(code[1:], 16)
    elif code[0] in "01234567":
        value = int(code, 8)
    else:
        return UNKNOWN
    return chr(value) if " " <= chr(value) <= "~" else UNKNOWN


def expand_braces(text: str) -> list[str]:
    """Give the words a marked text stands for."""
    words = _expand(text) if OPEN in text and COMMA in text else [text]
    return [word.translate(_UNMARKS) for word in words]


def _expand(text: str) -> list[str]:
    found = _find_first_group(text)
    if found is None:
        return [text]
    start, end, commas = found
    edges = [start, *commas, end]
    words = [
        text[:start] + middle + tail
        for left, right in pairwise(edges)
        for middle in _expand(text[left + 1 : right])
        for tail in _expand(text[end + 1 :])
    ]
    if len(words) > SHELL_BRACE_WORDS_MAX:
        raise TooManyWordsError
    return words


def _find_first_group(text: str) -> tuple[int, int, list[int]] | None:
    """Find the first braces that hold a comma of their own."""
    for start, character in enumerate(text):
        if character != OPEN:
            continue
        depth, commas = 0, list[int]()
        for index in range(start, len(text)):
            depth += {OPEN: 1, CLOSE: -1}.get(text[index], 0)
            if text[index] == COMMA and depth == 1:
                commas.append(index)
            if depth == 0:
                if commas:
                    return start, index, commas
                break
    return None
