"""Finds the personal columns of a table and of a query's result.

An owner marks columns by patterns of `table.column`: `customers.email`, `*.phone`, `hr_*`.
"""

from collections.abc import Iterable, Mapping
from fnmatch import fnmatchcase

from dataagent_core.tools.data.data_model import ColumnOrigin, Table
from dataagent_core.tools.data.privacy.personal_kinds import detect_name_kind
from dataagent_core.tools.data.sources.source_spec import SourceSpec

_MARKED = "personal"


def matches_patterns(patterns: Iterable[str], table: str, column: str | None = None) -> bool:
    """Say whether a pattern matches a table or its column; one without a dot matches tables.

    Matching ignores case: most engines do, and a pattern that misses because of a capital letter
    would show what it should hide.
    """
    names = {table.lower(), table.lower().rpartition(".")[2]}
    for pattern in patterns:
        wanted = pattern.lower()
        if any(fnmatchcase(name, wanted) for name in names):
            return True
        if column is not None and any(
            fnmatchcase(f"{name}.{column.lower()}", wanted) for name in names
        ):
            return True
    return False


def find_personal_columns(
    spec: SourceSpec, table: Table, seen: Mapping[str, str]
) -> dict[str, str]:
    """Return the personal columns of a table with their kinds.

    The owner marked them, or their name or values look personal: `seen` gives the kinds that a
    sample showed. The owner's `not_personal` overrides both names and values.
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
    """Return the columns of a result that derive from a personal column, with their kinds.

    `outputs` gives the origins of each column; with two columns of one name, either counts.
    """
    kinds: dict[str, str] = {}
    for output, origins in outputs:
        kind = next((personal[origin] for origin in sorted(origins) if origin in personal), None)
        if kind:
            kinds.setdefault(output, kind)
    return kinds
