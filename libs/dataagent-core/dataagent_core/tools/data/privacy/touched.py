"""Which of the columns a query touches are personal: marked, named so, or seen to be so."""

from collections.abc import Iterable
from dataclasses import replace

from dataagent_core.tools.data.model import Catalogue, Origin, Table
from dataagent_core.tools.data.privacy.marks import fits
from dataagent_core.tools.data.privacy.outputs import personal_columns
from dataagent_core.tools.data.sources.pool import OpenSource
from dataagent_core.tools.data.sources.spec import SourceSpec


async def personal_among(
    opened: OpenSource, catalogue: Catalogue, columns: Iterable[Origin]
) -> dict[Origin, str]:
    """Give the kinds of the personal ones; the tables they are of may be looked at first."""
    read: dict[str, set[str]] = {}
    for table, column in columns:
        read.setdefault(table, set()).add(column)
    personal: dict[Origin, str] = {}
    for table in catalogue.tables:
        if touched := read.get(table.qualified):
            shown = _shown(table, opened.spec)
            seen = await opened.catalogue.sampled.of(catalogue, shown, touched)
            kinds = personal_columns(opened.spec, shown, seen)
            personal |= {(table.qualified, name): kinds[name] for name in touched & kinds.keys()}
    return personal


def _shown(table: Table, spec: SourceSpec) -> Table:
    """Leave out what is hidden: the login may not even be able to read it."""
    if not spec.hidden:
        return table
    columns = (c for c in table.columns if not fits(spec.hidden, table.qualified, c.name))
    return replace(table, columns=tuple(columns))
