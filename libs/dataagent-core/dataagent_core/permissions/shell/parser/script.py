"""Parses a script as its shell would: a plain text directly, else through its syntax tree.

Before parsing, the text is checked for characters that the grammar reads differently from bash, and
lines that end in a backslash are joined. What would need a parser of its own is not parsed. The
tree is walked in `tree.py`. The grammar is bash's; a script for another shell may only contain
tokens on which bash in POSIX mode, dash and busybox agree.
"""

import re
import unicodedata

from dataagent_core.config.limits import SHELL_COMMAND_CHARS_MAX
from dataagent_core.permissions.shell.line import ShellLine
from dataagent_core.permissions.shell.opener import CommandOpener
from dataagent_core.permissions.shell.parser.grammar import parse
from dataagent_core.permissions.shell.parser.plain_statement import read_plain_statement
from dataagent_core.permissions.shell.parser.tree import TreeReader, add_plain_statement
from dataagent_core.permissions.shell.parser.tree_checks import UNREADABLE
from dataagent_core.permissions.shell.wrappers import READ_AS_BASH, UNLIKE_BASH

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
