"""Renders a table for a model or a person: columns, types, keys, comments, samples, profile."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from dataagent_core.config.limits.data import (
    CATALOGUE_COLUMNS_SHOWN_MAX,
    CATALOGUE_SAMPLE_CHARS_MAX,
)
from dataagent_core.tools.data.data_model import Column, ColumnProfile, Table
from dataagent_core.tools.data.privacy.cell_masks import scrub_text
from dataagent_core.tools.data.privacy.failure_text import remove_values
from dataagent_core.tools.data.results.result_preview import render_csv_line
from dataagent_core.tools.data.row_count import format_row_count

_HEADER = ("column", "type", "key", "nulls", "distinct", "min", "max", "samples", "comment")
_PLAIN_HEADER = ("column", "type", "key", "samples", "comment")


def render_table(
    table: Table,
    profiles: Sequence[ColumnProfile],
    personal: Mapping[str, str] | None,
    *,
    profile: bool,
    columns_shown_max: int = CATALOGUE_COLUMNS_SHOWN_MAX,
) -> str:
    """Render a table; `personal` columns show their kind instead of values, None shows all."""
    by_name = {one.name: one for one in profiles}
    about = "" if table.rows_exact else "about "
    count = "" if table.rows is None else f", {about}{format_row_count(table.rows)}"
    kind = "view" if table.is_view else "table"
    lines = [f"{kind} {table.qualified}{count}, {len(table.columns)} columns\n"]
    if table.comment:
        lines.append(f"{table.comment}\n")
    notes = table.notes if personal is None else map(remove_values, table.notes)
    lines += [f"(Note: {note})\n" for note in notes]
    if profile and any(not one.is_whole for one in profiles):
        lines.append("(Figures with ~, <= and >= are of a sample.)\n")
    lines.append(render_csv_line(_HEADER if profile else _PLAIN_HEADER))
    for column in table.columns[:columns_shown_max]:
        profiled = by_name.get(column.name)
        kind = personal.get(column.name) if personal else None
        shown = _scrub_profile(profiled) if profiled and personal is not None else profiled
        lines.append(render_csv_line(_render_column(column, shown, kind, profile=profile)))
    left = len(table.columns) - columns_shown_max
    if left > 0:
        lines.append(f"({left} more columns; data_search_catalog finds them by words)\n")
    return "".join(lines)


def _render_column(
    column: Column, profiled: ColumnProfile | None, masked_as: str | None, *, profile: bool
) -> list[str]:
    key = "primary" if column.primary else f"-> {column.references}" if column.references else ""
    samples = ""
    if masked_as:
        samples = f"[{masked_as}: masked for you]"
    elif profiled:
        samples = " | ".join(_shorten(sample) for sample in profiled.samples)
    known = [column.name, column.type, key]
    if not profile:
        return [*known, samples, column.comment]
    nulls, distinct, low, high = map(_shorten, render_profile(profiled))
    bounds = ["", ""] if masked_as else [low, high]
    return [*known, nulls, distinct, *bounds, samples, column.comment]


def render_profile(profiled: ColumnProfile | None) -> tuple[str, str, str, str]:
    """Render nulls, distinct values, minimum and maximum; each from a sample is marked."""
    if profiled is None:
        return "", "", "", ""
    # The minimum of a sample is not below the minimum of all rows.
    about, at_most, at_least = ("", "", "") if profiled.is_whole else ("~", "<=", ">=")
    return (
        "" if profiled.nulls_fraction is None else f"{about}{profiled.nulls_fraction:.1%}",
        "" if profiled.distinct is None else f"~{profiled.distinct}",
        f"{at_most}{profiled.minimum}" if profiled.minimum else "",
        f"{at_least}{profiled.maximum}" if profiled.maximum else "",
    )


def _scrub_profile(profiled: ColumnProfile) -> ColumnProfile:
    return replace(
        profiled,
        samples=tuple(map(scrub_text, profiled.samples)),
        minimum=scrub_text(profiled.minimum or ""),
        maximum=scrub_text(profiled.maximum or ""),
    )


def _shorten(text: str) -> str:
    if len(text) <= CATALOGUE_SAMPLE_CHARS_MAX:
        return text
    return f"{text[:CATALOGUE_SAMPLE_CHARS_MAX]}…"
