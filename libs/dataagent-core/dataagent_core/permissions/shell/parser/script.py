"""Parses a script as its shell would: a plain text directly, else through its syntax tree.

Before parsing, the text is checked for characters that the grammar reads differently from bash, and
lines that end in a backslash are joined. What would need a parser of its own is not parsed. The
grammar is bash's; a script for another shell may only contain tokens on which bash in POSIX mode,
dash and busybox agree.

`TreeReader` notes every simple command, opened file and doubt of a tree. A node of an unknown kind
is a doubt. `word_reader.py` reads words, `shell/opener.py` handles the words of a command.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable

from dataagent_core.config.limits import (
    SHELL_COMMAND_CHARS_MAX,
    SHELL_SIMPLE_COMMANDS_MAX,
    SHELL_TREE_DEEP_MAX,
)
from dataagent_core.permissions.shell.environment import explain_set_variable
from dataagent_core.permissions.shell.line import TOO_MUCH, ShellLine, Word, names
from dataagent_core.permissions.shell.opener import CommandOpener
from dataagent_core.permissions.shell.parser.grammar import WORD_TYPES, Node, parse
from dataagent_core.permissions.shell.parser.plain_statement import (
    PlainCommand,
    read_plain_statement,
)
from dataagent_core.permissions.shell.parser.redirections import REDIRECTIONS, RedirectionReader
from dataagent_core.permissions.shell.parser.tree_checks import (
    OPAQUE,
    UNREADABLE,
    SpacingCheck,
    explain_untrusted_arithmetic,
    explain_untrusted_expansion,
    explain_untrusted_test,
    is_believable,
)
from dataagent_core.permissions.shell.parser.variables import (
    SETTERS,
    AssignmentReader,
    find_first_assignments,
)
from dataagent_core.permissions.shell.parser.word_reader import WordReader
from dataagent_core.permissions.shell.wrappers import READ_AS_BASH, UNLIKE_BASH

# Kinds that do nothing but hold others.
_HOLDERS = names(
    "program list pipeline subshell compound_statement if_statement elif_clause else_clause "
    "while_statement do_group case_statement case_item negated_command "
    "variable_assignments command_substitution process_substitution expansion simple_expansion "
    "brace_expression arithmetic_expansion"
)
_CALCULATES = frozenset({"((", "$((", "$["})
_MAY_BE_PLAIN = frozenset({"command", "pipeline", "list", "redirected_statement"})
_READ = Word("read")
# `{1..5}`; with a blank in it bash sees words.
_SEQUENCE = re.compile(r"\{-?\w+\.\.-?\w+(\.\.-?\d+)?\}", re.ASCII)
_NAMES = frozenset({"variable_name", "special_variable_name", "file_descriptor"})
_UNUSUAL = re.compile(r"[^\n\t -~]")
_CONTINUED = re.compile(r"\\\n")
# Within these, quoting starts afresh or stops meaning anything.
_TOO_DEEP = re.compile(r"<<|`|\$\(|\$\{")
_PIECE = re.compile(
    r"""(?P<comment>(?:(?<=[\s;&|()])|(?<![\s\S]))\#[^\n]*)
      | (?P<raw>'[^']*')
      | (?P<ansi>\$'(?:[^'\\]|\\.)*')
      | (?P<join>\\\n)
      | (?P<string>"(?:[^"\\]|\\.)*")
      | (?P<escape>\\.)
      | (?P<other>.)""",
    re.VERBOSE | re.DOTALL,
)
_NAME = r"[A-Za-z_]\w*"
# Within these a parameter is set off, whatever shell reads it.
_PARAMETER = rf"\$(?:{_NAME}|\{{{_NAME}\}}|[0-9@*#?$!-](?!\w))"
_AGREED = re.compile(
    rf"""(?:
        [\w./:@%,~^*?-]++                       # ordinary characters and patterns
      | (?<![+\w\]])=|(?<=\w)=(?!\()            # an equals sign, not += and not =(
      | \+(?!=)
      | '[^']*+'
      | "(?:[^"\\$`]|\\[^\n]|{_PARAMETER}|\$\()*+"
      | {_PARAMETER}
      | \$\((?!\()
      | \\[^\n]
      | [ \t\n]++
      | \#[^\n]*+
      | ;(?![;&])|;;(?!&) | \|\|(?!&)|\|(?![|&]) | &&|&(?![&>])
      | \((?!\()|\)
      | \{{(?=[ \t\n])|\{{\}}|(?<=[ \t\n;])\}}
      | !(?=[ \t])
      | \[(?!\[)|\](?![=\]])
      | (?<![\w\]])[0-9]?(?:>>?|<)(?![<>&|(])   # to and from a file
      | (?<![\w\]])[0-9]?[<>]&(?:[0-9]|-)(?!\w)
    )*+""",
    re.VERBOSE | re.ASCII,
)
# Words of the language, or builtins, that only some shells have.
_WORDS = re.compile(r"\b(?:function|select|time|coproc|source|declare|typeset|let|shopt|local)\b")


def read_script(text: str, line: ShellLine, scripts_deep: int = 0, shell: str = "bash") -> None:
    """Add what a script would do to the line."""
    line.plain = line.plain and scripts_deep == 0
    if trouble := find_trouble(text):
        line.doubt(trouble)
        return
    if shell in UNLIKE_BASH:
        line.doubt(f"{shell} reads its script otherwise than bash")
    text = join_lines(text)
    opener = CommandOpener(line, scripts_deep, read_script, shell)
    if plain := read_plain_statement(text.strip()):
        add_plain_statement(plain, line, opener)
        return
    line.plain = False
    if shell not in READ_AS_BASH and (doubt := explain_other_shell(text, shell)):
        line.doubt(doubt)
    source = text.encode()
    root = parse(source)
    if root.has_error:
        line.doubt(UNREADABLE)
    TreeReader(source, line, opener).read(root)


def find_trouble(text: str) -> str | None:
    """Say why a line cannot be read, if so."""
    if len(text) > SHELL_COMMAND_CHARS_MAX:
        return f"it is longer than {SHELL_COMMAND_CHARS_MAX:,} characters"
    for character in set(_UNUSUAL.findall(text)):
        kind = unicodedata.category(character)
        if kind in {"Cc", "Cf", "Cs", "Zs", "Zl", "Zp"}:
            return f"it holds the character U+{ord(character):04X}, which does not show itself"
    if _CONTINUED.search(text) and _TOO_DEEP.search(text):
        return "it continues lines within a construct that reads them its own way"
    return None


def join_lines(text: str) -> str:
    r"""Join lines that end in `\`, except in single quotes and comments."""
    if not _CONTINUED.search(text):
        return text
    return "".join(_join_part(found) for found in _PIECE.finditer(text))


def _join_part(found: re.Match[str]) -> str:
    match found.lastgroup:
        case "join":
            return ""
        case "string":
            return re.sub(r"(?<!\\)((?:\\\\)*)\\\n", r"\1", found[0])
        case _:
            return found[0]


def explain_other_shell(text: str, shell: str) -> str | None:
    """Say why a script cannot be judged as bash where another shell reads it, if so."""
    if _AGREED.fullmatch(text) and not _WORDS.search(text):
        return None
    return f"{shell} may read its script otherwise than bash"


def add_plain_statement(
    statement: list[PlainCommand], line: ShellLine, opener: CommandOpener
) -> None:
    """Add the commands of a plain statement to the line."""
    for words, files in statement:
        if len(line.commands) > SHELL_SIMPLE_COMMANDS_MAX:
            line.doubt(TOO_MUCH)
            return
        line.files += files
        # The input of a shell here is a file or a pipe, whose content is unknown.
        opener.open(words, None)


class TreeReader:
    """Reads the tree of one script into a line."""

    def __init__(self, source: bytes, line: ShellLine, opener: CommandOpener) -> None:
        self._source = source
        self._line = line
        self._spacing = SpacingCheck(source, line)
        self._words = WordReader(source, line, self._visit)
        self._redirections = RedirectionReader(source, line, self._words, self._visit)
        self._assignments = AssignmentReader(line, self._words, self._visit)
        self._opener = opener
        self._visitors: dict[str, Callable[[Node], None]] = {
            "redirected_statement": self._visit_redirected,
            "function_definition": self._visit_function,
            "test_command": self._visit_calculation,
            "c_style_for_statement": self._visit_calculation,
            "subscript": self._visit_calculation,
            "array": self._visit_array,
            "for_statement": self._visit_loop,
            "variable_assignment": self._assignments.set_in_shell,
            "declaration_command": self._assignments.note_declaration,
            **dict.fromkeys(REDIRECTIONS, self._visit_redirection),
        }

    def read(self, root: Node) -> None:
        """Note everything in the tree."""
        self._spacing.check_edges(root)
        for assignment in find_first_assignments(root, self._source.decode()):
            name, value = assignment.children[0], self._words.read_word(assignment.children[2])
            if value.known:
                known = (assignment.end_byte, value.text)
                self._words.variables[self._words.get_text(name)] = known
        self._visit(root)
        if self._words.variables and any(c.name in SETTERS for c in self._line.commands):
            self._line.doubt("it sets a variable whose name is put together")

    def _visit(self, node: Node) -> None:
        self._line.deep += 1
        many = len(self._line.commands) > SHELL_SIMPLE_COMMANDS_MAX
        if many or self._line.deep > SHELL_TREE_DEEP_MAX:
            self._line.doubt(TOO_MUCH)
        else:
            if self._spacing.gaps_may_hide:
                self._spacing.check_gaps(node)
            self._visit_kind(node)
        self._line.deep -= 1

    def _visit_kind(self, node: Node) -> None:
        kind = node.type
        if kind in _MAY_BE_PLAIN and (plain := read_plain_statement(self._words.get_text(node))):
            add_plain_statement(plain, self._line, self._opener)
        elif kind == "command":
            self._visit_command(node)
        elif kind in _HOLDERS:
            self._visit_children(node)
        elif kind in WORD_TYPES:
            self._words.read_words(node)
        elif kind == "comment":
            self._spacing.check_comment(node)
        elif kind in OPAQUE or kind in _NAMES:
            if not is_believable(node, self._words.get_text(node)):
                self._line.doubt(f"it holds {self._words.get_text(node)!r:.40}")
        elif kind in self._visitors:
            self._visitors[kind](node)
        else:
            self._line.doubt(f"it holds a {kind.replace('_', ' ')}, which is not looked into")

    def _visit_redirection(self, node: Node) -> None:
        if self._redirections.note(node):
            self._line.doubt("words follow a redirection")

    def _visit_function(self, node: Node) -> None:
        self._visit_named(child for child in node.children if child.type != "word")

    def _visit_loop(self, node: Node) -> None:
        for child in node.children:
            if child.type == "variable_name":
                doubt = explain_set_variable(self._words.get_text(child))
                if doubt:
                    self._line.doubt(doubt)
        self._visit_children(node)

    def _visit_array(self, node: Node) -> None:
        if b"[" in self._source[node.start_byte : node.end_byte]:
            self._line.doubt("a subscript in a list may run what stands in it")
        self._visit_children(node)

    def _visit_named(self, nodes: Iterable[Node]) -> None:
        for node in nodes:
            if node.is_named:
                self._visit(node)

    def _visit_children(self, node: Node) -> None:
        children = node.children
        if children and children[0].type in _CALCULATES:
            self._visit_calculation(node)
            return
        if node.type == "expansion" and (
            doubt := explain_untrusted_expansion(node, self._words.get_text(node))
        ):
            self._line.doubt(doubt)
        if node.type == "command_substitution":
            self._check_substitution(self._source[node.start_byte : node.end_byte])
        if node.type != "brace_expression":
            self._spacing.check_separation(node)
        elif not _SEQUENCE.fullmatch(self._words.get_text(node)):
            self._line.doubt(UNREADABLE)
        self._visit_named(children)

    def _check_substitution(self, text: bytes) -> None:
        if text.startswith(b"`") and (b"\\" in text or b"`" in text[1:-1]):
            # Bash ends the substitution at the next backquote, within quotes too.
            self._line.doubt("it holds backquotes with escapes, or within others")
        if text.startswith(b"$(("):
            # Within `${a:-...}` the grammar sees a command in brackets, bash most often arithmetic.
            doubt = explain_untrusted_arithmetic(text.decode(errors="replace"))
            if doubt:
                self._line.doubt(doubt)

    def _visit_calculation(self, node: Node) -> None:
        """Look for substitutions in a test or in arithmetic, whatever else it holds."""
        text = self._words.get_text(node)
        if node.type == "test_command":
            doubt = explain_untrusted_test(text)
        elif (node.children and node.children[0].type in _CALCULATES) or "c_style" in node.type:
            doubt = explain_untrusted_arithmetic(text)
        else:
            doubt = None
        if doubt:
            self._line.doubt(doubt)
        for child in node.children:
            if child.type in WORD_TYPES or child.type in OPAQUE or child.type == "do_group":
                self._visit(child)
            elif child.is_named:
                self._visit_calculation(child)

    def _visit_command(self, node: Node, stdin: Word | None = None) -> None:
        self._spacing.check_one_line(node)
        words: list[Word] = []
        behind: list[Word] = []
        doubt: str | None = None
        splitting = True
        last = -1
        for child in node.children:
            kind = child.type
            if last == child.start_byte and kind in WORD_TYPES:
                self._line.doubt(UNREADABLE)
            last = child.end_byte
            if kind in WORD_TYPES:
                words += self._words.read_words(child)
            elif kind == "variable_assignment":
                doubt = self._assignments.read_prefix(child) or doubt
                splitting = splitting and self._words.get_text(child.children[0]) == "IFS"
            elif kind in REDIRECTIONS:
                behind += self._redirections.note(child)
                stdin = self._redirections.read_stdin(child) or stdin
            else:
                self._line.doubt(f"it holds {self._words.get_text(child)!r:.40}")
        if splitting and words[:1] == [_READ]:
            # How `read` takes its line apart, and nothing else: `while IFS= read -r line`.
            doubt = None
        self._opener.open(words + behind, stdin, doubt)

    def _visit_redirected(self, node: Node) -> None:
        """Read a statement and its redirections; the grammar puts words after one into it."""
        stdin: Word | None = None
        for child in node.children:
            if child.type in REDIRECTIONS:
                stdin = self._redirections.read_stdin(child) or stdin
        self._spacing.check_gaps(node)
        for child in node.children:
            if child.type == "command":
                self._spacing.check_gaps(child)
                self._visit_command(child, stdin)
            elif child.is_named:
                self._visit(child)
