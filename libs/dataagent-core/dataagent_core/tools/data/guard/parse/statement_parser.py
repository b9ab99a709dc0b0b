"""Parses one statement, within limits that are checked before and after parsing."""

from sqlglot import ErrorLevel, exp
from sqlglot.dialects.dialect import Dialect
from sqlglot.errors import ParseError, SqlglotError
from sqlglot.tokenizer_core import Token, TokenType

from dataagent_core.config.limits.data import SQL_CHARS_MAX, SQL_DEEP_MAX, SQL_NODES_MAX
from dataagent_core.errors import QueryRefusedError
from dataagent_core.tools.data.guard.parse.sql_tokens import SqlTokens, tokenize_sql
from dataagent_core.tools.data.guard.refusals import make_not_allowed_error, quote_short

_BEGINNINGS = {"SELECT", "WITH", "FROM", "VALUES", "TABLE", "PIVOT", "UNPIVOT", "("}
READING_ONLY = "only a query that reads (SELECT, WITH, VALUES) may run"
_WAYS_OUT = {
    "DESCRIBE": "data_describe tells what a table holds",
    "DESC": "data_describe tells what a table holds",
    "SHOW": "data_list_sources and data_search_catalog tell what there is",
    "SUMMARIZE": "data_describe with profile=true tells what a table's columns hold",
    "EXPLAIN": "sql_check tells what a query would cost",
}
# The many nodes that have nothing under them.
LEAVES = frozenset({exp.Identifier, exp.Literal, exp.Var, exp.Null, exp.Boolean})
_OPENING = {TokenType.L_PAREN, TokenType.L_BRACKET, TokenType.L_BRACE, TokenType.CASE}
_CLOSING = {TokenType.R_PAREN, TokenType.R_BRACKET, TokenType.R_BRACE, TokenType.END}


def parse_statement(sql: str, dialect: Dialect) -> exp.Expr:
    """Parse the one statement of a text; anything else is refused."""
    return parse_with_tokens(sql, dialect)[0]


def parse_with_tokens(sql: str, dialect: Dialect) -> tuple[exp.Expr, SqlTokens]:
    """Parse the one statement of a text, and return it with its tokens."""
    if len(sql) > SQL_CHARS_MAX:
        raise QueryRefusedError(
            f"The SQL has {len(sql)} characters; at most {SQL_CHARS_MAX} are read: ask for less "
            "in one query."
        )
    if "\0" in sql or not _is_text(sql):
        raise make_not_allowed_error(
            "A character that is no text", "write the SQL in plain Unicode"
        )
    try:
        found = tokenize_sql(sql, dialect)
        _check_tokens(found.tokens)
        parser = dialect.parser(error_level=ErrorLevel.IMMEDIATE)
        trees = [tree for tree in parser.parse(found.tokens, found.sql) if tree is not None]
    except RecursionError:
        raise _make_too_deep_error() from None
    except ParseError as error:
        raise QueryRefusedError(_describe_location(error)) from None
    except (SqlglotError, ValueError, TypeError, AttributeError, LookupError) as error:
        # The parser fails on nonsense with various errors; all of them mean "not SQL".
        raise QueryRefusedError(f"The SQL cannot be read: {quote_short(str(error))}.") from None
    if len(trees) != 1:
        raise make_not_allowed_error("More than one statement", "send each query by itself")
    return trees[0], found


def _is_text(sql: str) -> bool:
    try:
        sql.encode()
    except UnicodeEncodeError:  # half a character
        return False
    return True


def _check_tokens(tokens: list[Token]) -> None:
    while tokens and tokens[-1].token_type is TokenType.SEMICOLON:
        tokens.pop()
    if not tokens:
        raise QueryRefusedError("There is no SQL: write one SELECT query.")
    first = tokens[0].text.upper()
    if first not in _BEGINNINGS:
        way_out = _WAYS_OUT.get(first, READING_ONLY)
        raise make_not_allowed_error(
            f"A statement that begins with {quote_short(first)}", way_out, READING_ONLY
        )
    deep = 0
    for token in tokens:
        if token.token_type is TokenType.SEMICOLON:
            raise make_not_allowed_error("More than one statement", "send each query by itself")
        if token.token_type in _OPENING:
            deep += 1
            if deep > SQL_DEEP_MAX:
                raise _make_too_deep_error()
        elif token.token_type in _CLOSING:
            deep -= 1


def list_nodes(tree: exp.Expr) -> list[exp.Expr]:
    """List a tree's nodes, from the root down; too many or too deep ones are refused."""
    nodes: list[exp.Expr] = []
    stack: list[tuple[exp.Expr, int]] = [(tree, 0)]
    while stack:
        node, deep = stack.pop()
        nodes.append(node)
        if deep > SQL_DEEP_MAX:
            raise _make_too_deep_error()
        if type(node) in LEAVES:
            continue
        # A chain (a AND b AND c ..., one UNION after another) is long, not deep.
        kind = type(node) if isinstance(node, (exp.Binary, exp.SetOperation)) else None
        stack += [(c, deep if type(c) is kind else deep + 1) for c in list_children(node)]
    if len(nodes) > SQL_NODES_MAX:
        raise QueryRefusedError(
            f"The SQL has {len(nodes)} parts; at most {SQL_NODES_MAX} are read: put long lists of "
            "values into a file that is a source, and join it."
        )
    return nodes


def list_children(node: exp.Expr) -> list[exp.Expr]:
    """List the nodes right under a node."""
    found: list[exp.Expr] = []
    for value in node.args.values():
        if isinstance(value, exp.Expr):
            found.append(value)
        elif isinstance(value, list):
            found += [item for item in value if isinstance(item, exp.Expr)]
    return found


def _make_too_deep_error() -> QueryRefusedError:
    return QueryRefusedError(
        f"The SQL is nested deeper than {SQL_DEEP_MAX} levels: split it with WITH, or ask in steps."
    )


def _describe_location(error: ParseError) -> str:
    first = error.errors[0] if error.errors else {}
    near = quote_short(f"{first.get('start_context', '')[-20:]}{first.get('highlight', '')}")
    location = f" at line {first['line']}, column {first['col']}" if first.get("line") else ""
    why = str(first.get("description") or "it is not one SELECT query").rstrip(".")
    return f"The SQL cannot be read{location}, near '{near}': {quote_short(why)}."
