"""The columns of a table or a query, each with the catalogue's columns it derives from."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from dataagent_core.tools.data.data_model import ColumnOrigin, Dialect
from dataagent_core.tools.data.guard.checked_sql import MANY, QueryOutput
from dataagent_core.tools.data.guard.parse.name_keys import make_name_key

ColumnLineage = frozenset[ColumnOrigin]
NO_LINEAGE: ColumnLineage = frozenset()


@dataclass(frozen=True, slots=True)
class SqlRelation:
    """Something with columns. Of an `open` one only the engine knows how many there are."""

    columns: tuple[tuple[str, ColumnLineage], ...] = ()
    open: bool = False
    # What columns nobody listed may derive from.
    rest: ColumnLineage = NO_LINEAGE
    # However many there are, no name but the listed ones is among them.
    all_named: bool = False
    # Of a table: its primary key, which SQLite also calls `rowid`.
    key: ColumnLineage = NO_LINEAGE
    # Of a CTE: its name as WITH spells it.
    cte: str = field(default="", compare=False)
    _by_name: dict[str, ColumnLineage] = field(init=False, repr=False, compare=False)
    _spelled: frozenset[str] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        by_name: dict[str, ColumnLineage] = {}
        for name, lineage in self.columns:
            key = name.lower()
            by_name[key] = by_name[key] | lineage if key in by_name else lineage
        object.__setattr__(self, "_by_name", by_name)
        object.__setattr__(self, "_spelled", frozenset(name for name, _ in self.columns))

    def find(self, name: str) -> ColumnLineage | None:
        """Return the lineage of a column, ignoring case; None if there is none."""
        return self._by_name.get(name.lower())

    def spells(self, name: str) -> bool:
        """Say whether a column is named in exactly these letters."""
        return name in self._spelled

    @property
    def lenient(self) -> bool:
        """Say whether a name that is not listed may still be one of its columns."""
        return self.open and not self.all_named

    @property
    def everything(self) -> ColumnLineage:
        """The lineage of all its columns."""
        return self.rest.union(*(lineage for _, lineage in self.columns))

    @property
    def outputs(self) -> tuple[QueryOutput, ...]:
        """List its columns as `*` would; of an open one only that there are some."""
        if self.open:
            return (QueryOutput(MANY, self.everything),)
        return tuple(QueryOutput(name, lineage) for name, lineage in self.columns)

    def renamed(self, names: Sequence[str]) -> "SqlRelation":
        """Rename the first columns, as `AS t(a, b)` does."""
        if not names:
            return self
        if self.open:  # which columns are meant only the engine knows
            everything = self.everything
            listed = tuple((name, everything) for name in names)
            return SqlRelation(listed, open=True, rest=everything, all_named=self.all_named)
        changed = zip(names, (lineage for _, lineage in self.columns), strict=False)
        return SqlRelation((*changed, *self.columns[len(names) :]))


def make_relation(outputs: Iterable[QueryOutput]) -> SqlRelation:
    """Make a relation of the outputs of a query."""
    many = [output.columns for output in outputs if output.name == MANY]
    listed = tuple((o.name, o.columns) for o in outputs if o.name != MANY)
    return SqlRelation(listed, open=bool(many), rest=NO_LINEAGE.union(*many))


def merge_relations(one: SqlRelation, other: SqlRelation) -> SqlRelation:
    """Merge two relations of the same name, of which either may be meant: the columns of both."""
    return SqlRelation(
        (*one.columns, *other.columns),
        open=True,
        rest=one.rest | other.rest,
        all_named=not (one.lenient or other.lenient),
        key=one.key | other.key,
    )


def unite_outputs(
    left: Sequence[QueryOutput], right: Sequence[QueryOutput], *, by_name: Dialect | None = None
) -> tuple[QueryOutput, ...]:
    """Put the outputs of a set operation's sides together, by place, or by a dialect's names."""
    if any(output.name == MANY for output in (*left, *right)):
        return (QueryOutput(MANY, merge_lineage((*left, *right))),)
    if by_name is not None:
        theirs = {make_name_key(o.name, by_name): o for o in right}
        mine = {make_name_key(o.name, by_name) for o in left}
        both = (
            QueryOutput(o.name, o.columns | theirs[key].columns)
            if (key := make_name_key(o.name, by_name)) in theirs
            else o
            for o in left
        )
        return (*both, *(o for o in right if make_name_key(o.name, by_name) not in mine))
    others = [o.columns for o in right] + [NO_LINEAGE] * len(left)
    return tuple(QueryOutput(o.name, o.columns | of) for o, of in zip(left, others, strict=False))


def merge_lineage(outputs: Iterable[QueryOutput]) -> ColumnLineage:
    """Return the lineage of all outputs."""
    return NO_LINEAGE.union(*(output.columns for output in outputs))
