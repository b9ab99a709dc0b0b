"""Finds the personal columns that a query touches."""

from collections.abc import Iterable
from dataclasses import replace

from dataagent_core.tools.data.data_model import Catalogue, ColumnOrigin, Table
from dataagent_core.tools.data.privacy.personal_columns import (
    find_personal_columns,
    matches_patterns,
)
from dataagent_core.tools.data.sources.engines.engine_pool import OpenSource
from dataagent_core.tools.data.sources.source_spec import SourceSpec


async def find_personal_among(
    opened: OpenSource, catalogue: Catalogue, columns: Iterable[ColumnOrigin]
) -> dict[ColumnOrigin, str]:
    """Return the kinds of the personal columns; their tables may be sampled first."""
    read: dict[str, set[str]] = {}
    for table, column in columns:
        read.setdefault(table, set()).add(column)
    personal: dict[ColumnOrigin, str] = {}
    for table in catalogue.tables:
        if touched := read.get(table.qualified):
            visible = _drop_hidden_columns(table, opened.spec)
            seen = await opened.catalogue.sampled.of(catalogue, visible, touched)
            kinds = find_personal_columns(opened.spec, visible, seen)
            personal |= {(table.qualified, name): kinds[name] for name in touched & kinds.keys()}
    return personal


def _drop_hidden_columns(table: Table, spec: SourceSpec) -> Table:
    """Leave out hidden columns: the login may not be able to read them."""
    if not spec.hidden:
        return table
    columns = (
        c for c in table.columns if not matches_patterns(spec.hidden, table.qualified, c.name)
    )
    return replace(table, columns=tuple(columns))
