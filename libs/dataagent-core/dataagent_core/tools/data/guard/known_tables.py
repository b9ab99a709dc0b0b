"""Looks up the tables and columns of a source as a query names them, and which are hidden.

Built once for a catalogue and its hidden patterns; a pattern is `table`, `table.column`,
`schema.table` or `schema.table.column`, each part a glob, case does not matter.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import lru_cache

from dataagent_core.config.limits.data import GUARD_CATALOGUES_MAX
from dataagent_core.tools.data.data_model import Catalogue, Table
from dataagent_core.tools.data.guard.analysis.sql_relations import SqlRelation


@dataclass(frozen=True, slots=True)
class KnownTable:
    """A table as queries may see it."""

    table: Table
    relation: SqlRelation
    # Lower case.
    hidden: frozenset[str]

    @property
    def visible(self) -> tuple[str, ...]:
        """List the columns that are not hidden, as the catalogue spells them."""
        return tuple(c.name for c in self.table.columns if c.name.lower() not in self.hidden)


class KnownTables:
    """The tables of one catalogue, by every name a query may give them."""

    def __init__(self, catalogue: Catalogue, hidden: tuple[str, ...]) -> None:
        self._exact: dict[str, KnownTable] = {}
        self._folded: dict[str, KnownTable] = {}
        self._hidden: set[str] = set()
        self.visible_tables: list[str] = []
        self._notes = catalogue.notes
        # Lower case; a name that some table hides, for the person's message.
        self.hidden_columns: set[str] = set()
        patterns = self._patterns = [tuple(pattern.lower().split(".")) for pattern in hidden]
        for table in catalogue.tables:
            names = _list_spellings(table, catalogue)
            hidden_columns = frozenset(
                c.name.lower() for c in table.columns if _is_column_hidden(table, c.name, patterns)
            )
            if _is_table_hidden(table, patterns) or (
                hidden_columns and len(hidden_columns) == len(table.columns)
            ):
                self._hidden.update(name.lower() for name in names)
                continue
            self.hidden_columns |= hidden_columns
            known = KnownTable(table, _make_relation(table, hidden_columns), hidden_columns)
            self.visible_tables.append(names[-1])
            for name in names:
                self._exact.setdefault(name, known)
                self._folded.setdefault(name.lower(), known)

    def find(self, name: str) -> KnownTable | None:
        """Find a table by its name, in the same letters if there is one so."""
        return self._exact.get(name) or self._folded.get(name.lower())

    def is_hidden(self, name: str) -> bool:
        """Say whether a table is hidden."""
        return name.lower() in self._hidden

    def note_on(self, name: str) -> str | None:
        """Say why a file of this name is no table: a note begins with the file's own name."""
        wanted = name.rpartition(".")[2].lower()
        if any(_matches_pattern((wanted,), pattern) for pattern in self._patterns):
            return None
        for note in self._notes:
            file, _, _ = note.partition(": ")
            stem = re.sub(r"\W", "_", file.partition(".")[0]).lower()
            if stem == wanted:
                return note
        return None


def _list_spellings(table: Table, catalogue: Catalogue) -> list[str]:
    """List the ways to write a table's name, the plainest last."""
    if table.schema and table.schema != catalogue.default_schema:
        return [table.qualified]
    schemas = {table.schema, catalogue.default_schema}
    if catalogue.dialect in {"duckdb", "sqlite"} and not table.schema:
        schemas.add("main")
    return [*(f"{schema}.{table.name}" for schema in sorted(schemas - {""})), table.name]


def _make_relation(table: Table, hidden_columns: frozenset[str]) -> SqlRelation:
    return SqlRelation(
        tuple(
            (c.name, frozenset({(table.qualified, c.name)}))
            for c in table.columns
            if c.name.lower() not in hidden_columns
        ),
        key=frozenset((table.qualified, c.name) for c in table.columns if c.primary),
    )


def _list_name_parts(table: Table) -> Iterator[tuple[str, ...]]:
    yield (table.name.lower(),)
    if table.schema:
        yield (*table.schema.lower().split("."), table.name.lower())


def _is_table_hidden(table: Table, patterns: list[tuple[str, ...]]) -> bool:
    return any(_matches_pattern(name, p) for name in _list_name_parts(table) for p in patterns)


def _is_column_hidden(table: Table, column: str, patterns: list[tuple[str, ...]]) -> bool:
    return any(
        _matches_pattern((*n, column.lower()), p) for n in _list_name_parts(table) for p in patterns
    )


def _matches_pattern(parts: tuple[str, ...], pattern: tuple[str, ...]) -> bool:
    return len(parts) == len(pattern) and all(map(fnmatchcase, parts, pattern))


@dataclass(frozen=True, slots=True, eq=False)
class _CatalogueIdentity:
    """A catalogue compared by identity: hashing a thousand tables costs more than the check."""

    catalogue: Catalogue

    def __hash__(self) -> int:
        return id(self.catalogue)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _CatalogueIdentity) and other.catalogue is self.catalogue


@lru_cache(maxsize=GUARD_CATALOGUES_MAX)
def _make_known_tables(itself: _CatalogueIdentity, hidden: tuple[str, ...]) -> KnownTables:
    return KnownTables(itself.catalogue, hidden)


def get_known_tables(catalogue: Catalogue, hidden: tuple[str, ...]) -> KnownTables:
    """Return the tables of a catalogue, made once while the catalogue is in use."""
    return _make_known_tables(_CatalogueIdentity(catalogue), hidden)
