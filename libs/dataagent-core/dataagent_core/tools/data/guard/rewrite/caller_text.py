"""Writes the text that will run, with as much of the caller's own text as possible.

SQL that a parser wrote may mean something else to the engine. So the caller's tokens stay, except
names, which are quoted and spelled as in the catalogue, tables with hidden columns, texts, which
are escaped in one way, and comments, which are dropped; unnamed columns get names
(`output_names.py`).

Nothing here is trusted: `guard/sql_check.py` reads the text again, word by word and as a tree. It
runs only if that is the tree that was checked; otherwise the SQL is written from the tree.
"""

import re
from collections.abc import Sequence

from sqlglot import exp
from sqlglot.dialects.dialect import Dialect
from sqlglot.tokenizer_core import Token, TokenType

from dataagent_core.tools.data.guard.analysis.query_analysis import QueryAnalysis
from dataagent_core.tools.data.guard.known_tables import KnownTable
from dataagent_core.tools.data.guard.parse.sql_tokens import SqlTokens
from dataagent_core.tools.data.guard.rewrite.output_names import AFTER

# Quoted texts that engines end or unescape in different ways.
_UNSURE = frozenset(
    {
        TokenType.BYTE_STRING,
        TokenType.HEREDOC_STRING,
        TokenType.NATIONAL_STRING,
        TokenType.RAW_STRING,
        TokenType.UNICODE_STRING,
    }
)
# Words that no engine takes for a name without quotes, though a column may be named so.
_RESERVED = frozenset(
    {
        TokenType.ALIAS,
        TokenType.AND,
        TokenType.CASE,
        TokenType.DISTINCT,
        TokenType.ELSE,
        TokenType.FROM,
        TokenType.HAVING,
        TokenType.IN,
        TokenType.NOT,
        TokenType.NULL,
        TokenType.ON,
        TokenType.OR,
        TokenType.SELECT,
        TokenType.THEN,
        TokenType.UNION,
        TokenType.WHEN,
        TokenType.WHERE,
    }
)
_BRACKET = re.compile(r"\s*\(")
# By the start position: the end position, and the replacement.
_Edits = dict[int, tuple[int, str]]


def keep_caller_text(
    read: SqlTokens, nodes: Sequence[exp.Expr], analysis: QueryAnalysis
) -> str | None:
    """Return the caller's text with exact names; None if that is not possible."""
    edits = _collect_edits(nodes, analysis)
    if edits is None:
        return None
    names = _list_names(nodes, analysis)
    aliases = _collect_aliases(nodes, analysis.traits)
    parts: list[str] = []
    before = done = 0
    for token in read.tokens:
        if token.start < done:
            continue
        if token.start > before and parts:
            gap = read.sql[before : token.start]
            # PostgreSQL joins texts that stand on two lines.
            parts.append("\n" if "\n" in gap else " ")
        last, text = edits.get(token.start) or (
            token.end,
            _write_token(read, token, names, analysis),
        )
        if text is None:
            return None
        parts.append(text + aliases.get(last, ""))
        before = done = last + 1
    return "".join(parts)


def _write_token(
    read: SqlTokens, token: Token, names: set[str], analysis: QueryAnalysis
) -> str | None:
    """Write a token that is no name; None for one that an engine could read otherwise."""
    kind = token.token_type
    if kind is TokenType.STRING:
        return _quote_literal(token.text, analysis.traits)
    if kind is TokenType.NATIONAL_STRING and analysis.dialect == "mysql":
        return f"N{_quote_literal(token.text, analysis.traits)}"
    if kind is TokenType.IDENTIFIER or kind in _UNSURE:
        return None
    text = " ".join(read.sql[token.start : token.end + 1].split())
    if kind in _RESERVED or text.lower() not in names or _is_called(read.sql, token.end + 1):
        return text
    return None  # a part of a date, say, that could be a column


def is_same_tree(one: object, other: object) -> bool:
    """Compare two trees in every part but the quotes of names, which both have in the end."""
    stack: list[tuple[object, object]] = [(one, other)]
    while stack:
        left, right = stack.pop()
        if isinstance(left, exp.Expr) and isinstance(right, exp.Expr):
            if type(left) is not type(right):
                return False
            stack += [
                (left.args.get(name), right.args.get(name))
                for name in left.args.keys() | right.args.keys()
                if not (name == "quoted" and isinstance(left, exp.Identifier))
            ]
        elif isinstance(left, list) and isinstance(right, list):
            if len(left) != len(right):
                return False
            stack += zip(left, right, strict=True)
        elif left != right and (left or right):
            return False
    return True


def _collect_edits(nodes: Sequence[exp.Expr], analysis: QueryAnalysis) -> _Edits | None:
    traits = analysis.traits
    edits: _Edits = {}
    for node in nodes:
        if not isinstance(node, exp.Identifier) or (span := _get_span(node)) is None:
            continue
        start, last = span
        edit = (last, _quote_name(node.name, traits))
        if edits.setdefault(start, edit) != edit:
            return None
    for column in analysis.strings:
        if (span := _get_span(column.this)) is None:
            return None
        edits[span[0]] = (span[1], _quote_literal(column.name, traits))
    for node, known in analysis.found.values():
        spans = [_get_span(part) for part in node.parts]
        found = [span for span in spans if span is not None]
        if len(found) != len(spans):
            return None
        for start, _ in found:
            edits.pop(start, None)
        edits[min(found)[0]] = (max(found)[1], _write_table(node, known, traits))
    return edits


def _collect_aliases(nodes: Sequence[exp.Expr], traits: Dialect) -> dict[int, str]:
    """Return the aliases of `output_names.py` by the position after which they belong."""
    return {
        span: f" AS {_quote_name(node.name, traits)}"
        for node in nodes
        if isinstance(node, exp.Identifier) and (span := node.meta.get(AFTER)) is not None
    }


def _list_names(nodes: Sequence[exp.Expr], analysis: QueryAnalysis) -> set[str]:
    """List the names that a bare word could mean, in lower case."""
    own = {node.name.lower() for node in nodes if isinstance(node, exp.Identifier)}
    tables = (known.table for _, known in analysis.found.values())
    return own | {column.name.lower() for table in tables for column in table.columns}


def _is_called(sql: str, end: int) -> bool:
    return _BRACKET.match(sql, end) is not None


def _get_span(node: exp.Expr) -> tuple[int, int] | None:
    start, last = node.meta.get("start"), node.meta.get("end")
    return (start, last) if isinstance(start, int) and isinstance(last, int) else None


def _write_table(node: exp.Table, known: KnownTable, traits: Dialect) -> str:
    """Write a table's name as `tree_rewrite.make_exact` does."""
    table = known.table
    *catalog, schema = table.schema.split(".") if table.schema else [""]
    parts = (".".join(catalog), schema, table.name)
    text = ".".join(_quote_name(part, traits) for part in parts if part)
    if known.hidden:
        shown = ", ".join(_quote_name(name, traits) for name in known.visible)
        text = f"(SELECT {shown} FROM {text})"
    alias = node.args.get("alias")
    renamed = (known.hidden and not node.args.get("pivots")) or node.name != table.name
    if renamed and not (alias and alias.this):
        text = f"{text} AS {_quote_name(node.name, traits)}"
    return text


def _quote_name(name: str, traits: Dialect) -> str:
    return traits.generate(exp.to_identifier(name, quoted=True))


def _quote_literal(text: str, traits: Dialect) -> str:
    return traits.generate(exp.Literal.string(text))
