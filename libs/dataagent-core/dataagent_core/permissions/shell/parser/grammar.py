"""The one module that touches tree-sitter and its bash grammar, so that they can be replaced.

tree-sitter-bash was chosen over bashlex, which is GPL, reads neither `case` nor arithmetic, and
raises where this one marks the place. Its tree is not taken on faith: `tree_checks.py` refuses what
the grammar is known to read differently from bash.
"""

from functools import cache

import tree_sitter_bash
from tree_sitter import Language, Node, Parser

from dataagent_core.permissions.shell.line import names

__all__ = ["WORD_TYPES", "Node", "parse"]

# Kinds of nodes that become words of a command.
WORD_TYPES = names(
    "word number string raw_string ansi_c_string concatenation simple_expansion expansion "
    "command_substitution process_substitution arithmetic_expansion brace_expression command_name"
)


@cache
def _parser() -> Parser:
    return Parser(Language(tree_sitter_bash.language()))


def parse(source: bytes) -> Node:
    """Read a script; a tree with `has_error` is not to be used."""
    return _parser().parse(source).root_node
