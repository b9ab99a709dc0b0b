"""Which columns of a table, and of a query's result, are personal."""

from collections.abc import Iterable, Mapping

from dataagent_core.tools.data.data_model import ColumnOrigin, Table
from dataagent_core.tools.data.privacy.column_patterns import matches_patterns
from dataagent_core.tools.data.privacy.personal_kinds import detect_name_kind
from dataagent_core.tools.data.sources.source_spec import SourceSpec

_MARKED = "personal"


def find_personal_columns(
    spec: SourceSpec, table: Table, seen: Mapping[str, str]
) -> dict[str, str]:
    """Name the personal columns of a table and their kinds.

    They are marked by the owner, or look so by their name, or by values: `seen` gives the kinds
    that a sample showed. The owner's word that a column is not personal goes before both looks.
    """
    kinds: dict[str, str] = {}
    for column in table.columns:
        looks = detect_name_kind(column.name) or seen.get(column.name)
        if matches_patterns(spec.personal, table.qualified, column.name):
            kinds[column.name] = looks or _MARKED
        elif looks and not matches_patterns(spec.not_personal, table.qualified, column.name):
            kinds[column.name] = looks
    return kinds


def find_personal_outputs(
    personal: Mapping[ColumnOrigin, str], outputs: Iterable[tuple[str, Iterable[ColumnOrigin]]]
) -> dict[str, str]:
    """Name the columns of a result that carry something of a personal column, and their kinds.

    `outputs` gives for each the columns it derives from; of two of one name, either counts.
    """
    kinds: dict[str, str] = {}
    for output, origins in outputs:
        kind = next((personal[origin] for origin in sorted(origins) if origin in personal), None)
        if kind:
            kinds.setdefault(output, kind)
    return kinds
