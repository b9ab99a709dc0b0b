"""Which column a name means: the sources of one query, its aliases, and the queries around it."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from dataagent_core.tools.data.guard.checked import MANY, Output
from dataagent_core.tools.data.guard.relations import NOTHING, Lineage, Relation
from dataagent_core.tools.data.model import Dialect

# Columns every table has without listing them.
_OWN_COLUMNS: dict[Dialect, frozenset[str]] = {
    # The last is that of full-text tables.
    "sqlite": frozenset({"rowid", "oid", "_rowid_", "rank"}),
    "duckdb": frozenset({"rowid"}),
}


@dataclass(slots=True)
class Scope:
    """What names mean inside one query. A star's columns are kept in the order the engine gives."""

    dialect: Dialect
    outer: "Scope | None" = None
    # By alias, lower case.
    sources: dict[str, Relation] = field(default_factory=dict[str, Relation])
    aliases: dict[str, Lineage] = field(default_factory=dict[str, Lineage])
    # Aliases of the list of outputs, known by name before they are read.
    later: set[str] = field(default_factory=set[str])
    # Names bound by a list comprehension.
    bound: set[str] = field(default_factory=set[str])
    star: list[Output] = field(default_factory=list[Output])

    def add(self, alias: str, relation: Relation, *, in_star: bool = True) -> None:
        """Add a source; one without a name can only be reached by its columns."""
        self.sources[alias.lower() or f" {len(self.sources)}"] = relation
        if in_star:
            self.star += relation.outputs

    def chain(self) -> Iterator["Scope"]:
        """Walk from this query outwards."""
        scope: Scope | None = self
        while scope is not None:
            yield scope
            scope = scope.outer

    @property
    def everything(self) -> Lineage:
        """Give what anything readable here derives from, the queries around included."""
        return NOTHING.union(*(r.everything for s in self.chain() for r in s.sources.values()))

    def column(self, name: str) -> Lineage | None:
        """Give what an unqualified name derives from; None where nothing has that name."""
        key = name.lower()
        unsure: Lineage | None = None
        for scope in self.chain():
            found = scope.here(key)
            if found is not None:
                return found | unsure if unsure else found
            opened = [r.everything for r in scope.sources.values() if r.lenient]
            if opened:
                unsure = NOTHING.union(*opened, unsure or NOTHING)
        if unsure is None and key in _OWN_COLUMNS.get(self.dialect, ()):
            return NOTHING
        return unsure

    def here(self, key: str) -> Lineage | None:
        """Look a name, in lower case, up in this query alone."""
        found = [of for r in self.sources.values() if (of := r.find(key)) is not None]
        if found:
            return found[0] if len(found) == 1 else NOTHING.union(*found)
        if key in self.bound:
            return NOTHING
        if key in self.aliases:
            return self.aliases[key]
        if key in self.later:
            return self.everything
        row = self.sources.get(key)  # the whole row as one value
        return row.everything if row else None

    def column_of(self, table: str, name: str) -> Lineage | None:
        """Give what `table.name` derives from; None where the table has no such column."""
        relation = self.source(table)
        if relation is None:  # a field of a column that holds a struct
            return self.column(table)
        found = relation.find(name)
        if found is None and relation.lenient:
            return relation.everything
        if found is None and name.lower() in _OWN_COLUMNS.get(self.dialect, ()):
            return NOTHING
        return found

    def source(self, alias: str) -> Relation | None:
        """Find a source by its alias, the nearest first."""
        key = alias.lower()
        return next((s.sources[key] for s in self.chain() if key in s.sources), None)

    def listed(self) -> list[str]:
        """List the names a column may have here, nearest first."""
        return [
            name
            for scope in self.chain()
            for relation in scope.sources.values()
            for name, _ in relation.columns
        ]

    def merge(self, names: set[str] | None, right: Relation, *, first: bool) -> None:
        """Show columns joined by USING once, before all others or where the left has them."""
        if right.open or any(output.name == MANY for output in self.star):
            lineages = [output.columns for output in self.star]
            self.star = [Output(MANY, right.everything.union(*lineages))]
            return
        left = {output.name.lower() for output in self.star}
        common = names if names is not None else {n.lower() for n, _ in right.columns} & left
        merged = [
            Output(o.name, o.columns | (right.find(o.name) or NOTHING))
            if o.name.lower() in common
            else o
            for o in self.star
        ]
        if first:
            merged.sort(key=lambda output: output.name.lower() not in common)
        added = [Output(n, of) for n, of in right.columns if n.lower() not in common]
        self.star = merged + added
