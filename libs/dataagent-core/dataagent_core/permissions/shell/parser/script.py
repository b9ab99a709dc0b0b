"""Reads a script as its shell would: from its text where that is plain, else from its tree.

The tree is walked in `tree.py`; what a text is checked for first is `text_checks.py`'s.
"""

from dataagent_core.permissions.shell.line import ShellLine
from dataagent_core.permissions.shell.opener import CommandOpener
from dataagent_core.permissions.shell.parser.grammar import parse
from dataagent_core.permissions.shell.parser.plain_statement import plain_statement
from dataagent_core.permissions.shell.parser.text_checks import (
    doubt_about_script,
    join_lines,
    trouble_with,
)
from dataagent_core.permissions.shell.parser.tree import TreeReader, note_plain
from dataagent_core.permissions.shell.parser.tree_checks import UNREADABLE
from dataagent_core.permissions.shell.wrappers import READ_AS_BASH, UNLIKE_BASH


def read_script(text: str, line: ShellLine, scripts_deep: int = 0, shell: str = "bash") -> None:
    """Add what a script would do to the line."""
    line.plain = line.plain and scripts_deep == 0
    if trouble := trouble_with(text):
        line.doubt(trouble)
        return
    if shell in UNLIKE_BASH:
        line.doubt(f"{shell} reads its script otherwise than bash")
    text = join_lines(text)
    opener = CommandOpener(line, scripts_deep, read_script, shell)
    if plain := plain_statement(text.strip()):
        note_plain(plain, line, opener)
        return
    line.plain = False
    if shell not in READ_AS_BASH and (doubt := doubt_about_script(text, shell)):
        line.doubt(doubt)
    source = text.encode()
    root = parse(source)
    if root.has_error:
        line.doubt(UNREADABLE)
    TreeReader(source, line, opener).read(root)
