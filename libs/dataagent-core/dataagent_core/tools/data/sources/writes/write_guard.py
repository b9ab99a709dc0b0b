"""Checks a write: one INSERT, UPDATE or DELETE on one table.

All its expressions go into a SELECT, which the SQL guard checks and rewrites; the write is then
built from the rewritten expressions. So a write can use only the tables, columns and functions that
a query can, and none of the caller's own text runs.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlglot import ErrorLevel, exp
from sqlglot.dialects.dialect import Dialect
from sqlglot.errors import ParseError, SqlglotError

from dataagent_core.config.limits.data import SQL_CHARS_MAX
from dataagent_core.errors import QueryRefusedError
from dataagent_core.tools.data.data_model import Catalogue, ColumnOrigin
from dataagent_core.tools.data.guard import check
from dataagent_core.tools.data.guard.known_tables import KnownTable, get_known_tables
from dataagent_core.tools.data.guard.parse.sql_dialects import get_sql_dialect, write_sql
from dataagent_core.tools.data.guard.refusals import (
    make_no_column_error,
    make_not_allowed_error,
    quote_short,
)

_PARTS: dict[type[exp.Expr], frozenset[str]] = {
    exp.Insert: frozenset({"this", "expression"}),
    exp.Update: frozenset({"this", "expressions", "where"}),
    exp.Delete: frozenset({"this", "where"}),
}
_TARGET_PARTS = frozenset({"this", "db", "catalog", "alias"})
_VERBS = frozenset({"INSERT", "UPDATE", "DELETE"})
_ONE_CHANGE = "write one INSERT, UPDATE or DELETE on one table"


@dataclass(frozen=True, slots=True)
class CheckedWrite:
    """A write as it will run, and its table."""

    sql: str
    verb: str
    schema: str
    table: str
    # Every column it reads or may quote in an error: all columns of the table it changes.
    touches: frozenset[ColumnOrigin] = frozenset()


def check_write(
    sql: str, catalogue: Catalogue, *, hidden: Sequence[str] = (), all_rows: bool = False
) -> CheckedWrite:
    """Return the write to run, or refuse it; with `all_rows` it needs no WHERE."""
    writer = _Writer(catalogue, tuple(hidden))
    try:
        tree = _parse_write(sql, writer.traits)
        return writer.check_and_build(tree, all_rows=all_rows)
    except RecursionError:
        raise make_not_allowed_error("SQL that is nested this deeply", _ONE_CHANGE) from None


class _Writer:
    """Checks and builds the writes of one catalogue."""

    def __init__(self, catalogue: Catalogue, hidden: tuple[str, ...]) -> None:
        self._catalogue = catalogue
        self._hidden = hidden
        self._names = get_known_tables(catalogue, hidden)
        self.traits = get_sql_dialect(catalogue.dialect)
        self._reads = set[ColumnOrigin]()

    def check_and_build(self, tree: exp.Expr, *, all_rows: bool) -> CheckedWrite:
        """Check a write and rebuild it."""
        _check_parts(tree)
        target, columns = _get_target(tree)
        match tree:
            case exp.Insert():
                known = self._find_table(self._check_as_select([], target, None))
                built = self._build_insert(tree, known, columns)
            case exp.Update():
                built, known = self._build_update(tree, target, all_rows=all_rows)
            case _:
                checked_select = self._check_as_select([], target, tree.args.get("where"))
                known = self._find_table(checked_select)
                where = _get_where(checked_select, all_rows=all_rows)
                built = exp.Delete(this=_get_table(checked_select), where=where)
        if known.table.is_view:
            raise make_not_allowed_error(
                f"Writing to the view {known.table.name}", "name the table itself"
            )
        verb = type(tree).__name__.upper()
        return CheckedWrite(
            write_sql(built, self.traits),
            verb,
            known.table.schema,
            known.table.name,
            frozenset(self._reads | known.relation.everything),
        )

    def _build_insert(
        self, tree: exp.Insert, known: KnownTable, columns: Sequence[exp.Expr]
    ) -> exp.Insert:
        if not columns:
            raise make_not_allowed_error(
                "An INSERT without column names", "name them: INSERT INTO t (a, b)"
            )
        names = [self._find_column(known, column) for column in columns]
        rows = tree.args.get("expression")
        if isinstance(rows, exp.Values):
            expression = self._build_values(rows, len(names))
        elif isinstance(rows, exp.Query):
            expression = self._check_query(rows)
        else:
            raise make_not_allowed_error(
                "An INSERT without values", "write VALUES (...) or a SELECT"
            )
        table = exp.Schema(
            this=_make_table(known), expressions=[_make_identifier(name) for name in names]
        )
        return exp.Insert(this=table, expression=expression)

    def _build_values(self, rows: exp.Values, width: int) -> exp.Values:
        given: list[exp.Expr] = []
        for row in rows.expressions:
            if not isinstance(row, exp.Tuple) or len(row.expressions) != width:
                raise QueryRefusedError(f"Each row of VALUES must hold {width} values: (a, b).")
            given += row.expressions
        values = [
            _drop_alias(value) for value in self._check_as_select(given, None, None).expressions
        ]
        return exp.Values(
            expressions=[
                exp.Tuple(expressions=values[start : start + width])
                for start in range(0, len(values), width)
            ]
        )

    def _build_update(
        self, tree: exp.Update, target: exp.Table, *, all_rows: bool
    ) -> tuple[exp.Update, KnownTable]:
        pairs = [_split_assignment(each) for each in tree.expressions]
        checked_select = self._check_as_select(
            [value for _, value in pairs], target, tree.args.get("where")
        )
        known = self._find_table(checked_select)
        names = [self._find_column(known, column) for column, _ in pairs]
        if len({name.lower() for name in names}) != len(names):
            raise make_not_allowed_error("Setting a column twice", "set each column once")
        assignments = [
            exp.EQ(this=exp.Column(this=_make_identifier(name)), expression=_drop_alias(value))
            for name, value in zip(names, checked_select.expressions, strict=True)
        ]
        where = _get_where(checked_select, all_rows=all_rows)
        return exp.Update(
            this=_get_table(checked_select), expressions=assignments, where=where
        ), known

    def _check_as_select(
        self, values: Sequence[exp.Expr], target: exp.Table | None, where: exp.Expr | None
    ) -> exp.Select:
        """Check a SELECT of these expressions, and return it as the guard rewrote it."""
        expressions = [value.copy() for value in values] or [exp.Literal.number(1)]
        select = exp.Select(expressions=expressions)
        if target is not None:
            select.set("from_", exp.From(this=target.copy()))
        if where is not None:
            select.set("where", where.copy())
        read = self._check_query(select)
        if not isinstance(read, exp.Select) or len(read.expressions) != len(expressions):
            raise make_not_allowed_error("A value that stands for several", "name every column")
        return read

    def _check_query(self, query: exp.Expr) -> exp.Expr:
        read = check(write_sql(query.copy(), self.traits), self._catalogue, hidden=self._hidden)
        self._reads |= read.reads
        return _parse_one(read.sql, self.traits)

    def _find_table(self, checked_select: exp.Select) -> KnownTable:
        table = _get_table(checked_select)
        known = self._names.find(f"{table.db}.{table.name}" if table.db else table.name)
        if known is None or known.hidden:
            raise make_not_allowed_error(
                f"Writing to {quote_short(table.name)}, of which a part is hidden,", "ask its owner"
            )
        return known

    def _find_column(self, known: KnownTable, column: exp.Expr) -> str:
        if not isinstance(column, (exp.Column, exp.Identifier)):
            raise make_not_allowed_error(
                f"Setting {quote_short(column.sql())}", "set whole columns by their names"
            )
        name = column.name
        for each in known.visible:
            if each == name or each.lower() == name.lower():
                return each
        raise make_no_column_error(name, known.visible)


def _parse_write(sql: str, traits: Dialect) -> exp.Expr:
    if len(sql) > SQL_CHARS_MAX or "\0" in sql:
        raise QueryRefusedError(f"The SQL may have at most {SQL_CHARS_MAX} characters, all text.")
    # Before parsing: the parser accepts an unknown statement as an opaque command.
    if not _VERBS & {word.upper() for word in sql.split(maxsplit=1)[:1]}:
        raise make_not_allowed_error(f"A statement like {quote_short(sql)!r}", _ONE_CHANGE)
    tree = _parse_one(sql, traits)
    if type(tree) not in _PARTS:
        raise make_not_allowed_error(f"A statement like {quote_short(sql)!r}", _ONE_CHANGE)
    return tree


def _parse_one(sql: str, traits: Dialect) -> exp.Expr:
    try:
        tokens = traits.tokenize(sql)
        parser = traits.parser(error_level=ErrorLevel.IMMEDIATE)
        trees = [tree for tree in parser.parse(tokens, sql) if tree is not None]
    except (SqlglotError, ValueError, TypeError, AttributeError, LookupError) as error:
        # The parser fails on nonsense with various errors; all of them mean "not SQL".
        first = error.errors[0] if isinstance(error, ParseError) and error.errors else {}
        why = first.get("description") or f"it is not {_ONE_CHANGE.removeprefix('write ')}"
        raise QueryRefusedError(f"The SQL cannot be read: {quote_short(str(why))}.") from None
    if len(trees) != 1:
        raise make_not_allowed_error("More than one statement", _ONE_CHANGE)
    return trees[0]


def _check_parts(tree: exp.Expr) -> None:
    for name, value in tree.args.items():
        if value and name not in _PARTS[type(tree)]:
            part = name.strip("_").upper()
            raise make_not_allowed_error(f"{part} in {type(tree).__name__.upper()}", _ONE_CHANGE)


def _get_target(tree: exp.Expr) -> tuple[exp.Table, Sequence[exp.Expr]]:
    target, columns = tree.this, list[exp.Expr]()
    if isinstance(target, exp.Schema):
        target, columns = target.this, target.expressions
    more = isinstance(target, exp.Table) and [
        name for name, value in target.args.items() if value and name not in _TARGET_PARTS
    ]
    if not isinstance(target, exp.Table) or not isinstance(target.this, exp.Identifier) or more:
        raise make_not_allowed_error("More than the name of one table", _ONE_CHANGE)
    return target, columns


def _split_assignment(each: exp.Expr) -> tuple[exp.Expr, exp.Expr]:
    if type(each) is not exp.EQ:
        raise make_not_allowed_error(
            f"Setting {quote_short(each.sql())}", "write SET column = value"
        )
    return each.this, each.expression


def _get_table(checked_select: exp.Select) -> exp.Table:
    source = checked_select.args["from_"].this
    if not isinstance(source, exp.Table):
        raise make_not_allowed_error(
            "Writing to a table of which a part is hidden", "ask its owner"
        )
    return source


def _get_where(checked_select: exp.Select, *, all_rows: bool) -> exp.Expr | None:
    where = checked_select.args.get("where")
    if not all_rows and (where is None or where.find(exp.Column) is None):
        raise QueryRefusedError(
            "The change has no WHERE that chooses rows, so it would reach all of them. Say which "
            "rows, or ask for all rows on purpose with all_rows=true."
        )
    return where


def _make_table(known: KnownTable) -> exp.Table:
    schema = _make_identifier(known.table.schema) if known.table.schema else None
    return exp.Table(this=_make_identifier(known.table.name), db=schema)


def _drop_alias(value: exp.Expr) -> exp.Expr:
    return value.this if isinstance(value, exp.Alias) else value


def _make_identifier(name: str) -> exp.Identifier:
    return exp.to_identifier(name, quoted=True)
