"""The part of a catalogue that is not hidden by the source's owner."""

from dataclasses import replace

from dataagent_core.tools.data.model import Catalogue
from dataagent_core.tools.data.privacy.marks import fits
from dataagent_core.tools.data.sources.spec import SourceSpec


def visible(catalogue: Catalogue, spec: SourceSpec) -> Catalogue:
    """Leave out hidden tables and columns."""
    if not spec.hidden:
        return catalogue
    tables = tuple(
        replace(
            table,
            columns=tuple(
                column
                for column in table.columns
                if not fits(spec.hidden, table.qualified, column.name)
            ),
        )
        for table in catalogue.tables
        if not fits(spec.hidden, table.qualified)
    )
    return replace(catalogue, tables=tables)
