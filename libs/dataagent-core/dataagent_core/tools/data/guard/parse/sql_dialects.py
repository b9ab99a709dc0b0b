"""Parses and writes each engine's SQL: sqlglot's dialects with corrections.

Each correction exists because an engine refused or misread what sqlglot wrote.
"""

from collections.abc import Callable
from functools import lru_cache
from importlib.metadata import version
from typing import Any

from sqlglot import ErrorLevel, exp
from sqlglot.dialects.dialect import Dialect, NormalizationStrategy
from sqlglot.dialects.duckdb import DuckDB
from sqlglot.dialects.mysql import MySQL
from sqlglot.dialects.postgres import Postgres
from sqlglot.dialects.sqlite import SQLite
from sqlglot.errors import SqlglotError
from sqlglot.generator import Generator
from sqlglot.tokenizer_core import TokenType

from dataagent_core.errors import QueryRefusedError
from dataagent_core.tools.data import data_model
from dataagent_core.tools.data.guard.parse.name_keys import lower_ascii, upper_ascii
from dataagent_core.tools.data.guard.refusals import quote_short

# Under this name an item of a SELECT's list has its text and the place where that ends.
WRITTEN = "written"


def _write_regexp(generator: Generator, node: exp.RegexpLike) -> str:
    return generator.binary(node, "REGEXP")


def _make_utc_writer(name: str) -> Callable[[Generator, exp.Func], str]:
    return lambda generator, node: generator.func(name, node.args.get("this"))


def _parse_hexadecimal(parser: Any, token: Any) -> exp.HexString:
    """Tell 0x41, which may be a number, from x'41', which is a text or bytes."""
    is_number = parser.sql[token.start : token.start + 2].lower() == "0x"
    return exp.HexString(this=token.text, is_integer=is_number)


def _write_hexadecimal(_: Generator, node: exp.HexString) -> str:
    return f"0x{node.name}" if node.args.get("is_integer") else f"x'{node.name}'"


def _parse_item(parser: Any) -> exp.Expr | None:
    """Read one item of a SELECT's list, with its own text and the place where that ends."""
    first = parser._curr  # noqa: SLF001 - a part of the parser's own
    node = parser._parse_expression()  # noqa: SLF001
    if isinstance(node, exp.Expr):
        end = parser._prev.end  # noqa: SLF001
        node.meta[WRITTEN] = (parser.sql[first.start : end + 1], end)
    return node


def _write_json_column(generator: Generator, node: exp.JSONColumnDef) -> str:
    """Write a column of JSON_TABLE with what it is where the path finds nothing."""
    found = generator.jsoncolumndef_sql(node)
    for name in ("empty", "error"):
        given = node.args.get(name)
        if isinstance(given, exp.Expr):
            found += f" DEFAULT {generator.sql(given)} ON {name.upper()}"
        elif given:
            found += f" {given}"
    return found


class _MySQL(MySQL):
    class Parser(MySQL.Parser):
        PRIMARY_PARSERS = {  # noqa: RUF012 - the library's own way
            **MySQL.Parser.PRIMARY_PARSERS,
            TokenType.HEX_STRING: _parse_hexadecimal,
        }

        def _parse_projections(self) -> Any:
            """Note each item's text: it is the name of a column that has no other."""
            return self._parse_csv(lambda: _parse_item(self)), None

        def _parse_statement(self) -> Any:
            """Read VALUES as rows, as MariaDB does; the parser takes it for a function."""
            if self._match(TokenType.VALUES, advance=False):
                return self._parse_query_modifiers(self._parse_select())
            return super()._parse_statement()

        def _parse_json_column_def(self) -> Any:
            column = super()._parse_json_column_def()
            for name in ("empty", "error"):
                if given := self._parse_on_handling(name.upper(), "NULL", "ERROR"):
                    column.set(name, given)
            return column

    class Generator(MySQL.Generator):
        # MariaDB has it, and none of what would be written instead.
        SUPPORTS_MEDIAN = True
        TRANSFORMS = {  # noqa: RUF012 - the library's own way
            **MySQL.Generator.TRANSFORMS,
            # MariaDB has no REGEXP_LIKE; both have the operator.
            exp.RegexpLike: _write_regexp,
            exp.JSONColumnDef: _write_json_column,
            exp.HexString: _write_hexadecimal,
            exp.UtcDate: _make_utc_writer("UTC_DATE"),
            exp.UtcTime: _make_utc_writer("UTC_TIME"),
            exp.UtcTimestamp: _make_utc_writer("UTC_TIMESTAMP"),
        }


class _Postgres(Postgres):
    class Parser(Postgres.Parser):
        # It gives a float, EXTRACT a decimal.
        FUNCTIONS = {  # noqa: RUF012 - the library's own way
            name: build for name, build in Postgres.Parser.FUNCTIONS.items() if name != "DATE_PART"
        }
        FUNCTION_PARSERS = {  # noqa: RUF012
            name: parse
            for name, parse in Postgres.Parser.FUNCTION_PARSERS.items()
            if name != "DATE_PART"
        }


class _SQLite(SQLite):
    class Tokenizer(SQLite.Tokenizer):
        # The first is written. SQLite takes a double-quoted name it does not know for a string.
        IDENTIFIERS = ["`", '"', ("[", "]")]  # noqa: RUF012 - the library's own way

    class Parser(SQLite.Parser):
        PRIMARY_PARSERS = {  # noqa: RUF012
            **SQLite.Parser.PRIMARY_PARSERS,
            TokenType.HEX_STRING: _parse_hexadecimal,
        }

        def _parse_projections(self) -> Any:
            """Note each item's text: it is the name of a column that has no other."""
            return self._parse_csv(lambda: _parse_item(self)), None

    class Generator(SQLite.Generator):
        # REAL would turn whole numbers into floats.
        TYPE_MAPPING = {  # noqa: RUF012
            **SQLite.Generator.TYPE_MAPPING,
            exp.DType.DECIMAL: "NUMERIC",
            exp.DType.BOOLEAN: "NUMERIC",
        }
        TRANSFORMS = {  # noqa: RUF012
            **SQLite.Generator.TRANSFORMS,
            exp.HexString: _write_hexadecimal,
        }


class _DuckDB(DuckDB):
    class Parser(DuckDB.Parser):
        # Its `reduce` has no second function, its `apply` is one of lists.
        FUNCTIONS = {  # noqa: RUF012 - the library's own way
            name: build
            for name, build in DuckDB.Parser.FUNCTIONS.items()
            if name not in {"REDUCE", "APPLY"}
        }

        FUNC_TOKENS = DuckDB.Parser.FUNC_TOKENS | {TokenType.APPLY}

        def _parse_field(
            self, any_token: Any = None, tokens: Any = None, anonymous_func: Any = None
        ) -> Any:
            """Mark a call after a dot: the parser takes what is before for a schema."""
            field = super()._parse_field(any_token, tokens, anonymous_func)
            return (
                exp.Paren(this=field) if type(field) is exp.Anonymous and anonymous_func else field
            )

        def _parse_simplified_pivot(self, is_unpivot: Any = None) -> Any:
            """Read what may follow PIVOT, as DuckDB does: ORDER BY and LIMIT."""
            pivot = super()._parse_simplified_pivot(is_unpivot)
            following: Any = self._curr
            if following is None or following.token_type not in _AFTER_PIVOT:
                return pivot
            whole = exp.select("*").from_(exp.Subquery(this=pivot), copy=False)
            return self._parse_query_modifiers(whole)


_AFTER_PIVOT = {TokenType.ORDER_BY, TokenType.LIMIT, TokenType.OFFSET}
_CORRECTED: dict[data_model.Dialect, type[Dialect]] = {
    "mysql": _MySQL,
    "postgres": _Postgres,
    "sqlite": _SQLite,
}


@lru_cache
def get_sql_dialect(name: data_model.Dialect) -> Dialect:
    """Return the object that parses and writes an engine's SQL."""
    if name == "duckdb":
        # What `~` means depends on it.
        return _DuckDB(version=version("duckdb"))
    return Dialect.get_or_raise(_CORRECTED.get(name, name))


def fold_unquoted_name(name: str, dialect: Dialect) -> str:
    """Spell an unquoted name as the engine will look it up."""
    match dialect.normalization_strategy:
        case NormalizationStrategy.LOWERCASE:
            return lower_ascii(name)
        case NormalizationStrategy.UPPERCASE:
            return upper_ascii(name)
        case _:
            return name


def write_sql(tree: exp.Expr, dialect: Dialect) -> str:
    """Write a tree as SQL: no comments, every name quoted."""
    try:
        return dialect.generate(
            tree,
            copy=False,
            comments=False,
            identify=True,
            unsupported_level=ErrorLevel.RAISE,
        )
    except (SqlglotError, ValueError, TypeError, AttributeError, LookupError) as error:
        # The writer fails on unknown nodes with various errors.
        raise QueryRefusedError(
            f"The SQL cannot be written back exactly: {quote_short(str(error))}; write it "
            "more plainly."
        ) from None
