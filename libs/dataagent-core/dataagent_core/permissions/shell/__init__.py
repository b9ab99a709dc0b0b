"""Parses a command line: which simple commands it runs, and which files it opens.

`read_line` is the only function other packages need. It is pure and never fails: what cannot be
parsed is a doubt in the result.
"""

from dataagent_core.permissions.shell.line import UNKNOWN, FileUse, ShellLine, SimpleCommand, Word

__all__ = ["UNKNOWN", "FileUse", "ShellLine", "SimpleCommand", "Word", "read_line"]


def read_line(text: str) -> ShellLine:
    """Read a command line as bash would."""
    # The grammar is loaded when it is first needed: most commands of the CLI never do.
    from dataagent_core.permissions.shell.parser.script import read_script

    line = ShellLine()
    read_script(text, line)
    return line
