"""Indexes one result, to find the cells that a figure could be."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pyarrow as pa

from dataagent_core.tools.data.receipts.measures.mentions import MeasureNames
from dataagent_core.tools.data.receipts.result_values.numeric_column import NumericColumn
from dataagent_core.tools.data.receipts.result_values.row_labels import (
    LabelColumn,
    make_label_column,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultIndex:
    """The numbers and the names of a result's rows."""

    result_id: str
    rows: int
    # It holds not all rows: no sum, mean, extreme or count of it says anything.
    truncated: bool
    numeric: tuple[NumericColumn, ...]
    labels: tuple[LabelColumn, ...]
    # What the numeric columns are called, in their order.
    names: MeasureNames

    def column(self, name: str) -> NumericColumn | None:
        """Find a numeric column by its name, however it is spelt."""
        wanted = spelt(name)
        return next((column for column in self.numeric if spelt(column.name) == wanted), None)


def index_result(
    result_id: str,
    table: pa.Table,
    *,
    truncated: bool,
    aliases: Mapping[str, Sequence[str]] | None = None,
) -> ResultIndex:
    """Index a result; `aliases` are other names of its columns."""
    numeric: list[NumericColumn] = []
    labels: list[LabelColumn] = []
    for name, column in zip(table.column_names, table.columns, strict=True):
        if _is_number(column.type):
            numeric.append(NumericColumn(name, column))
        if (named := make_label_column(name, column)) is not None:
            labels.append(named)
    return ResultIndex(
        result_id=result_id,
        rows=table.num_rows,
        truncated=truncated,
        numeric=tuple(numeric),
        labels=tuple(labels),
        names=MeasureNames([column.name for column in numeric], aliases),
    )


def spelt(name: str) -> str:
    """Reduce a name to what two spellings of it share."""
    return "".join(char for char in name.casefold() if char.isalnum() or char in "%/")


def _is_number(kind: pa.DataType) -> bool:
    return pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind)
