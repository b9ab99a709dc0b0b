"""The guard's result: the SQL to run and the lineage of each output."""

from dataclasses import dataclass

from dataagent_core.tools.data.data_model import ColumnOrigin

# The name of an output that stands for any number of columns, which only the engine can count.
MANY = "*"


@dataclass(frozen=True, slots=True)
class QueryOutput:
    """One column of the result, or `MANY` of them, and the catalogue's columns it derives from."""

    name: str
    columns: frozenset[ColumnOrigin]


@dataclass(frozen=True, slots=True)
class CheckedSql:
    """SQL that may run. An output's name is empty where the engine makes one up."""

    sql: str
    # Qualified, as in the catalogue.
    tables: tuple[str, ...]
    outputs: tuple[QueryOutput, ...]
    # Every column the engine looks at, shown or not: its errors may quote any of them.
    reads: frozenset[ColumnOrigin] = frozenset()
    # Columns whose values become names of the result's columns: PIVOT ON without a list.
    names_from: frozenset[ColumnOrigin] = frozenset()

    def columns_of(self, position: int, width: int) -> frozenset[ColumnOrigin]:
        """Say what the column at this position of a result this wide derives from.

        Outputs before a `MANY` are counted from the left, those after it from the right. Where
        that does not fit the result, everything the query reads is the only safe answer.
        """
        many = [n for n, output in enumerate(self.outputs) if output.name == MANY]
        if not many and width == len(self.outputs):
            return self.outputs[position].columns
        if many and width >= len(self.outputs) - len(many):
            after = width - (len(self.outputs) - 1 - many[-1])
            if position < many[0]:
                return self.outputs[position].columns
            if position >= after:
                return self.outputs[position - width].columns
        return frozenset[ColumnOrigin]().union(*(output.columns for output in self.outputs))
