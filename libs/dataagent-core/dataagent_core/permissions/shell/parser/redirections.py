"""Reads redirections: which files they open, and what a command reads from them.

Where a here-document begins and ends is checked against the text. The grammar does not see every
substitution in a body, so one that bash expands and that holds one is never taken for plain text.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

from dataagent_core.permissions.shell.line import UNKNOWN, FileUse, ShellLine, Word, known_word
from dataagent_core.permissions.shell.parser.grammar import WORD_TYPES, Node
from dataagent_core.permissions.shell.parser.tree_checks import gap_is_blank, token_is_itself
from dataagent_core.permissions.shell.parser.word_reader import WordReader

REDIRECTIONS = frozenset({"file_redirect", "heredoc_redirect", "herestring_redirect"})

_WRITES = frozenset({">", ">>", "&>", "&>>", ">|", ">&"})
_READS = frozenset({"<", "<&"})
_COPIES = frozenset({">&", "<&"})

_SEPARATES = frozenset({b" ", b"\t", b"\n", b";", b"&", b"|", b"(", b")"})
_UNREADABLE = "it redirects in a way that cannot be read"
_PLAIN = re.compile(r"[\w./-]+")
# Most redirections: to a plain path, or to another descriptor. They need no tree.
_PLAIN_REDIRECTION = re.compile(
    r"(?P<number>\d*)(?:(?P<sign>>>?|&>>?|<)[ \t]*(?P<path>[\w./-]+)|[<>]&(?:\d+|-))", re.ASCII
)
# Without the end of a line, behind which bash begins a new command.
_BLANK = re.compile(rb"[ \t]*")

_DELIMITER = re.compile(rb"(?P<quote>['\"]?)(?P<name>\w+)(?P=quote)")
_ODD = re.compile(rb"[\\'\"`({]")
_RUNS = re.compile(rb"`|\$\(|\$\[|\$\{\w*[^\w}]")
_EXPANDS = re.compile(rb"[$\\]")


@dataclass(frozen=True, slots=True)
class HereDocument:
    """A body; `literal` is its text where bash leaves it as it is."""

    literal: str | None
    doubt: str | None = None


class RedirectionReader:
    """Reads the redirections of one script."""

    def __init__(
        self, source: bytes, line: ShellLine, words: WordReader, visit: Callable[[Node], None]
    ) -> None:
        self._source = source
        self._line = line
        self._words = words
        self._visit = visit

    def note(self, node: Node) -> list[Word]:
        """Note what a redirection opens; return the words behind it, which are the command's."""
        plain = _PLAIN_REDIRECTION.fullmatch(self._words.get_text(node))
        if plain and (not plain["number"] or self._is_apart(node)):
            if plain["path"]:
                self._note_file(plain["sign"], known_word((plain["path"], False, False)))
            return []
        if not self._descriptor_is_one(node):
            self._line.doubt(_UNREADABLE)
        if node.type == "heredoc_redirect":
            self._note_document(node)
            return []
        targets = [child for child in node.children if child.type in WORD_TYPES]
        if not self._is_readable(node, len(targets)):
            self._line.doubt(_UNREADABLE)
        if node.type == "herestring_redirect":
            # The text itself is no word of the command; what is substituted in it runs.
            for target in targets[:1]:
                self._words.read_word(target)
            return [word for target in targets[1:] for word in self._words.read_words(target)]
        words = [word for target in targets for word in self._words.read_words(target)]
        sign = next((child.type for child in node.children if not child.is_named), "")
        if sign in {">&-", "<&-"}:
            return words
        if not words or len(words) != len(targets):
            self._line.doubt("it redirects to more than one place")
            return []
        self._note_file(sign, words[0])
        return words[1:]

    def read_stdin(self, node: Node) -> Word | None:
        """Give what a command reads from a redirection, if that is known."""
        if node.type == "heredoc_redirect":
            literal = _read_heredoc(node, self._source).literal
            return Word(UNKNOWN if literal is None else literal)
        if node.type == "herestring_redirect":
            return self._words.read_word(node.children[1])
        return Word(UNKNOWN) if "<" in self._words.get_text(node) else None

    def _descriptor_is_one(self, node: Node) -> bool:
        """Say whether bash, too, takes what stands before the sign for a number of a file."""
        first = node.children[0]
        if first.type != "file_descriptor":
            return first.is_named or token_is_itself(first)
        return self._is_apart(node) and self._words.get_text(first).isdecimal()

    def _is_apart(self, node: Node) -> bool:
        before = self._source[node.start_byte - 1 : node.start_byte] or b" "
        return before in _SEPARATES

    def _is_readable(self, node: Node, targets: int) -> bool:
        end = node.start_byte
        for child in node.children:
            if not gap_is_blank(self._source, end, child.start_byte, _BLANK):
                return False
            end = child.end_byte
            targets += child.type == "file_descriptor"
        return targets == sum(child.is_named for child in node.children)

    def _note_document(self, node: Node) -> None:
        document = _read_heredoc(node, self._source)
        if document.doubt:
            self._line.doubt(document.doubt)
        for child in node.children:
            if child.type == "heredoc_body":
                for inner in child.children:
                    if inner.type != "heredoc_content":
                        self._visit(inner)
            elif child.is_named and child.type not in {"heredoc_start", "heredoc_end"}:
                self._visit(child)

    def _note_file(self, sign: str, target: Word) -> None:
        if sign in _COPIES and target.known and target.text.rstrip("-").isdecimal():
            return
        if sign in _COPIES and target.text == "-":
            return
        if sign in _COPIES and not _PLAIN.fullmatch(target.text):
            # Bash expands such a name twice.
            self._line.doubt(f"it redirects with {sign!r}")
        if sign in _WRITES:
            self._line.files.append(FileUse(target, "write"))
        elif sign in _READS:
            self._line.files.append(FileUse(target, "read"))
        else:
            self._line.doubt(f"it redirects with {sign!r}")


def _read_heredoc(node: Node, source: bytes) -> HereDocument:
    by_type = {child.type: child for child in node.children}
    start, end = by_type.get("heredoc_start"), by_type.get("heredoc_end")
    found = start and _DELIMITER.fullmatch(source, start.start_byte, start.end_byte)
    if not start or not end or not found:
        return HereDocument(None, "its here-document cannot be read")
    line_end = source.find(b"\n", start.end_byte)
    if line_end < 0 or _ODD.search(source, start.end_byte, line_end):
        return HereDocument(None, "its here-document cannot be read")
    body = source[line_end + 1 : end.start_byte]
    lines = body.split(b"\n")
    if "<<-" in by_type:
        lines = [line.lstrip(b"\t") for line in lines]
    if found["name"] in lines or lines[-1] or not _is_delimiter_line(source, end, found["name"]):
        return HereDocument(None, "its here-document cannot be read")
    text = b"\n".join(lines)
    if found["quote"]:
        return HereDocument(text.decode())
    if _RUNS.search(text):
        return HereDocument(None, "its here-document runs commands")
    return HereDocument(None if _EXPANDS.search(text) else text.decode())


def _is_delimiter_line(source: bytes, end: Node, name: bytes) -> bool:
    after = source[end.end_byte : end.end_byte + 1]
    return source[end.start_byte : end.end_byte] == name and after in {b"", b"\n"}
