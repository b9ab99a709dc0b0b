"""The tables of patterns: S2 §13's `interaction_patterns`, and an inverted index of their terms.

A server derives its own tables from them, as from those of `session/stores/sql/tables.py`.
"""

from typing import Final

from dataagent_core.session.stores.sql.tables import SqlColumn, SqlTable

_ID: Final = SqlColumn("id")
_MOMENT: Final = SqlColumn("moment")
_OPTIONAL_MOMENT: Final = SqlColumn("moment", optional=True)
_JSON: Final = SqlColumn("json")
_COUNT: Final = SqlColumn("big_integer", default=0)

INTERACTION_PATTERNS: Final = SqlTable(
    name="interaction_patterns",
    columns={
        "tenant_id": _ID,
        "id": _ID,
        "pattern_signature": SqlColumn("text", 64),
        "name": SqlColumn("text", 200),
        "description": SqlColumn("long_text"),
        "steps": _JSON,
        "tool_compositions": _JSON,
        "success_count": _COUNT,
        "failure_count": _COUNT,
        "avg_execution_time_ms": SqlColumn("big_integer", optional=True),
        "usage_count": _COUNT,
        "created_at": _MOMENT,
        "updated_at": _MOMENT,
        # Beside S2's columns.
        "user_id": _ID,
        "state": SqlColumn("text", 20),
        "consecutive_failures": _COUNT,
        "last_used_at": _OPTIONAL_MOMENT,
        "last_queried_at": _OPTIONAL_MOMENT,
        # Success factors, preferences, corrections, terms, runs and metadata.
        "details": _JSON,
        "version": _COUNT,
    },
    key=("tenant_id", "id"),
    indexes={
        "idx_interaction_patterns_signature": ("tenant_id", "pattern_signature", "updated_at"),
        "idx_interaction_patterns_tenant": ("tenant_id", "updated_at"),
        "idx_interaction_patterns_user": ("tenant_id", "user_id", "updated_at"),
        "idx_interaction_patterns_state": ("tenant_id", "state", "updated_at"),
    },
    has_rowid=True,
)
PATTERN_TERMS: Final = SqlTable(
    name="interaction_pattern_terms",
    columns={
        "tenant_id": _ID,
        "pattern_id": _ID,
        "term": SqlColumn("key"),
        # That of the pattern, so that the newest ones of a term are found without reading all.
        "updated_at": _MOMENT,
    },
    key=("tenant_id", "pattern_id", "term"),
    indexes={"idx_pattern_terms": ("tenant_id", "term", "updated_at", "pattern_id")},
)
PATTERN_TABLES: Final = (INTERACTION_PATTERNS, PATTERN_TERMS)
