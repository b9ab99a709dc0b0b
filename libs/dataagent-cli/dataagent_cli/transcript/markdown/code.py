"""Code in the colours of its language. Pure.

Only languages a person meets here have colours, and only so much at once: a lexer runs over hostile
text, and some take a time that grows with its square.
"""

from collections.abc import Sequence

from rich.syntax import Syntax
from rich.text import Text

from dataagent_cli.transcript.limits import COLOURED_CHARS_MAX
from dataagent_cli.transcript.terminal.line_breaks import behind, fold_line

_INDENT = Text("  ")
_THEME = "ansi_dark"
_NAMES = """
    bash c c++ console cpp csharp css csv diff dockerfile go html ini java javascript js json jsx
    kotlin latex lua make makefile markdown md mysql perl php plpgsql postgresql powershell py
    python python3 r rb rs ruby rust scala scss sh shell sql sqlite3 swift toml ts tsx typescript
    xml yaml yml zsh
"""
_LANGUAGES = frozenset(_NAMES.split())
_OTHER_NAMES = {"sqlite3": "sql", "jsx": "javascript", "rs": "rust"}


def code_lines(lines: Sequence[str], language: str, width_cells: int) -> list[Text]:
    """Write code, a little to the right; a line that does not fit goes on below."""
    code = "\n".join(lines)
    name = language.lower()
    if name in _LANGUAGES and len(code) <= COLOURED_CHARS_MAX:
        text = Syntax(code, _OTHER_NAMES.get(name, name), theme=_THEME).highlight(code)
    else:
        text = Text(code)
    # The lexer may add a line's end, and must not take one away.
    coloured = text.split("\n", allow_blank=True)[: len(lines)]
    room = width_cells - len(_INDENT)
    return behind(_INDENT, _INDENT, [part for line in coloured for part in fold_line(line, room)])
