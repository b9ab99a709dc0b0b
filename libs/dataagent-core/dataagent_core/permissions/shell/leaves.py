"""Which pieces of the tree can be believed.

The grammar sometimes takes characters into a word where bash sees a separator or a substitution.
A leaf that holds what bash would not leave in it makes the line unreadable; what may get lost
between two nodes is `spacing.py`'s.
"""

import re

from dataagent_core.permissions.shell.grammar import Node

_RUNS = re.compile(r"(?<!\\)(?:\\\\)*(?:`|\$\(|\$\{|\$\[|\$')")
_PROCESS = re.compile(r"[<>]\(")
_WORD = re.compile(r"(?:[^\s'\"`$|&;<>()\\]|\\[^\n])+")

# Leaves whose text bash may still expand.
OPAQUE = frozenset({"regex", "extglob_pattern", "test_operator", "heredoc_content"})


def believable(node: Node, text: str) -> bool:
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
