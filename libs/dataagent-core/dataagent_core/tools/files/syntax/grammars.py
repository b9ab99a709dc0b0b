"""Languages whose tree-sitter grammar comes as a small wheel of its own.

A grammar forgives much, so only the first place it could not read at all is told. Each is loaded
when a file of its language is edited for the first time.
"""

from functools import cache
from importlib import import_module
from typing import Final

from tree_sitter import Language, Node, Parser

# (module, function that gives the grammar)
Grammar = tuple[str, str]

_BASH: Final = ("tree_sitter_bash", "language")
_JAVASCRIPT: Final = ("tree_sitter_javascript", "language")

GRAMMARS: Final[dict[str, Grammar]] = {
    ".bash": _BASH,
    ".cjs": _JAVASCRIPT,
    ".go": ("tree_sitter_go", "language"),
    ".java": ("tree_sitter_java", "language"),
    ".js": _JAVASCRIPT,
    ".jsx": _JAVASCRIPT,
    ".mjs": _JAVASCRIPT,
    ".rs": ("tree_sitter_rust", "language"),
    ".sh": _BASH,
    ".ts": ("tree_sitter_typescript", "language_typescript"),
    ".tsx": ("tree_sitter_typescript", "language_tsx"),
}


def find_grammar_error(grammar: Grammar, text: str) -> str | None:
    """Parse a text and tell the first place that does not fit."""
    source = text.encode()
    root = Parser(_language(grammar)).parse(source).root_node
    if not root.has_error:
        return None
    node = _first_error(root)
    what = f"{node.type!r} is missing" if node.is_missing else "this cannot be read"
    # Not `start_point`: tree-sitter 0.26.0 counts the references to it wrongly, and the process
    # crashes (py-tree-sitter issue 472).
    line = source.count(b"\n", 0, node.start_byte) + 1
    return f"line {line}: {what}"


@cache
def _language(grammar: Grammar) -> Language:
    module, function = grammar
    capsule: object = getattr(import_module(module), function)()
    return Language(capsule)


def _first_error(node: Node) -> Node:
    """Go down to the innermost first node that is wrong."""
    while not (node.is_error or node.is_missing):
        wrong = [child for child in node.children if child.has_error or child.is_missing]
        if not wrong:
            return node
        node = wrong[0]
    return node
