"""The part of a catalogue that is not hidden by the source's owner."""

from dataclasses import replace

from dataagent_core.tools.data.data_model import Catalogue
from dataagent_core.tools.data.privacy.column_patterns import matches_patterns
from dataagent_core.tools.data.sources.source_spec import SourceSpec


def filter_visible(catalogue: Catalogue, spec: SourceSpec) -> Catalogue:
    """Leave out hidden tables and columns."""
    if not spec.hidden:
        return catalogue
    tables = tuple(
        replace(
            table,
            columns=tuple(
                column
                for column in table.columns
                if not matches_patterns(spec.hidden, table.qualified, column.name)
            ),
        )
        for table in catalogue.tables
        if not matches_patterns(spec.hidden, table.qualified)
    )
    return replace(catalogue, tables=tables)
