"""Resolves names to columns: of the sources of one query, its aliases, and the outer queries."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from sqlglot import exp

from dataagent_core.tools.data.data_model import Dialect
from dataagent_core.tools.data.guard.analysis.sql_relations import (
    NO_LINEAGE,
    ColumnLineage,
    SqlRelation,
    merge_relations,
)
from dataagent_core.tools.data.guard.checked_sql import MANY, QueryOutput
from dataagent_core.tools.data.guard.parse.name_keys import make_name_key

# Columns every table has without listing them.
_OWN_COLUMNS: dict[Dialect, frozenset[str]] = {
    # The last is that of full-text tables.
    "sqlite": frozenset({"rowid", "oid", "_rowid_", "rank"}),
    "duckdb": frozenset({"rowid"}),
}


@dataclass(slots=True)
class QueryScope:
    """What names mean inside one query. A star's columns are kept in the order the engine gives."""

    dialect: Dialect
    outer: "QueryScope | None" = None
    # By alias, lower case.
    sources: dict[str, SqlRelation] = field(default_factory=dict[str, SqlRelation])
    # Their aliases as they are spelled.
    spelled: set[str] = field(default_factory=set[str])
    aliases: dict[str, ColumnLineage] = field(default_factory=dict[str, ColumnLineage])
    # Aliases of the list of outputs, known by name before they are read.
    later: set[str] = field(default_factory=set[str])
    # Names bound by a list comprehension.
    bound: set[str] = field(default_factory=set[str])
    # SQLite's tables by their own names, lower case: a column of those that are full-text tables.
    full_text: dict[str, ColumnLineage] = field(default_factory=dict[str, ColumnLineage])
    star: list[QueryOutput] = field(default_factory=list[QueryOutput])
    # A comma in FROM: what is joined after it is joined first.
    has_comma: bool = False
    # Whether some of these were joined by their names.
    is_merged: bool = False
    # Functions in FROM and what they derive from, as far as the sources before them tell.
    functions: list[tuple[exp.Expr, ColumnLineage]] = field(
        default_factory=list[tuple[exp.Expr, ColumnLineage]]
    )

    def add(self, alias: str, relation: SqlRelation, *, in_star: bool = True) -> None:
        """Add a source; one without a name can only be reached by its columns.

        Two whose names differ in schema or case may both be meant by either name.
        """
        self._add(alias.lower() or f" {len(self.sources)}", relation)
        self.spelled.add(alias)
        if in_star:
            self.star += relation.outputs

    def take_names(self, within: "QueryScope") -> None:
        """Let the sources of a join in brackets be named as if there were none."""
        for key, relation in within.sources.items():
            self._add(key, relation)
        self.spelled |= within.spelled

    def _add(self, key: str, relation: SqlRelation) -> None:
        known = self.sources.get(key)
        self.sources[key] = relation if known is None else merge_relations(known, relation)

    def chain(self) -> Iterator["QueryScope"]:
        """Walk from this query outwards."""
        scope: QueryScope | None = self
        while scope is not None:
            yield scope
            scope = scope.outer

    @property
    def everything(self) -> ColumnLineage:
        """The lineage of everything readable here, including the outer queries."""
        return NO_LINEAGE.union(*(r.everything for s in self.chain() for r in s.sources.values()))

    def column(self, name: str) -> ColumnLineage | None:
        """Return the lineage of an unqualified name; None if nothing has that name.

        Only a source's column of exactly this name ends the search. Whether an engine takes an
        alias, a name bound by a comprehension or one in other letters before a column of the query
        around depends on it.
        """
        read: ColumnLineage | None = None
        for scope in self.chain():
            found = scope.here(name)
            if found is None:
                opened = [r.everything for r in scope.sources.values() if r.lenient]
                found = NO_LINEAGE.union(*opened) if opened else None
            if found is not None:
                read = found | read if read else found
            if any(relation.spells(name) for relation in scope.sources.values()):
                return read
        if read is None and name.lower() in _OWN_COLUMNS.get(self.dialect, ()):
            relations = (r for scope in self.chain() for r in scope.sources.values())
            return NO_LINEAGE.union(*map(self._row_number, relations))
        return read

    def here(self, name: str) -> ColumnLineage | None:
        """Look a name up in this query alone."""
        found = [of for r in self.sources.values() if (of := self.find(r, name)) is not None]
        if found:
            return found[0] if len(found) == 1 else NO_LINEAGE.union(*found)
        key = name.lower()
        if key in self.bound:
            return NO_LINEAGE
        if key in self.aliases:
            return self.aliases[key]
        if key in self.later:
            return self.everything
        row = self.sources.get(key)  # the whole row as one value
        return row.everything if row else self.full_text.get(key)

    def find(self, relation: SqlRelation, name: str) -> ColumnLineage | None:
        """Return the lineage of a column of a source; None if it has no such column."""
        # PostgreSQL calls f(x) for x.f where x has no column f in exactly these letters.
        if self.dialect == "postgres" and not relation.spells(name):
            return None
        return relation.find(name)

    def column_of(self, table: str, name: str) -> ColumnLineage | None:
        """Return the lineage of `table.name`; None if the table has no such column."""
        relation = self.source(table)
        if relation is None:  # a field of a column that holds a struct
            return self.column(table)
        found = self.find(relation, name)
        if found is None and relation.lenient:
            return relation.everything
        if found is None and name.lower() in _OWN_COLUMNS.get(self.dialect, ()):
            return self._row_number(relation)
        return found

    def _row_number(self, relation: SqlRelation) -> ColumnLineage:
        """Return the lineage of `rowid`: in SQLite it is the key if that is a number."""
        return relation.key if self.dialect == "sqlite" else NO_LINEAGE

    def source(self, alias: str) -> SqlRelation | None:
        """Find a source by its alias, the nearest first.

        One in other letters may be meant, or one of the query around.
        """
        key = alias.lower()
        found: SqlRelation | None = None
        for scope in self.chain():
            if key in scope.sources:
                relation = scope.sources[key]
                found = relation if found is None else merge_relations(found, relation)
                if alias in scope.spelled:
                    break
        return found

    def listed(self) -> list[str]:
        """List the names a column may have here, nearest first."""
        return [
            name
            for scope in self.chain()
            for relation in scope.sources.values()
            for name, _ in relation.columns
        ]

    def merge(self, names: set[str] | None, right: SqlRelation, *, first: bool) -> None:
        """Show columns joined by USING once, before all others or where the left has them."""
        self.is_merged = True
        if self.has_comma or right.open or any(output.name == MANY for output in self.star):
            lineages = [output.columns for output in self.star]
            self.star = [QueryOutput(MANY, right.everything.union(*lineages))]
            return
        left = {self._key(output.name) for output in self.star}
        common = names if names is not None else {self._key(n) for n, _ in right.columns} & left
        merged = [
            QueryOutput(o.name, o.columns | (right.find(o.name) or NO_LINEAGE))
            if self._key(o.name) in common
            else o
            for o in self.star
        ]
        if first:
            merged.sort(key=lambda output: self._key(output.name) not in common)
        added = [QueryOutput(n, of) for n, of in right.columns if self._key(n) not in common]
        self.star = merged + added

    def _key(self, name: str) -> str:
        return make_name_key(name, self.dialect)
