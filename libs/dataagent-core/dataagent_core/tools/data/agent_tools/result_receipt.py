"""The receipt of a query, which figures of an answer are traced to; no model writes it."""

from typing import Any

from dataagent_core.tools.data.receipts.result_facts import RESULT_KEY
from dataagent_core.tools.data.results.stored_result import StoredResult

__all__ = ["RESULT_KEY", "make_result_receipt"]


def make_result_receipt(kept: StoredResult) -> dict[str, Any]:
    """Name the result, the SQL as it ran, the hash of the rows, and how they were read."""
    return {
        "result_id": kept.result_id,
        "source": kept.source,
        "sql": kept.sql,
        "sha256": kept.sha256,
        "row_count": kept.row_count,
        "truncated": kept.truncated,
        **({"notes": list(kept.lineage.notes)} if kept.lineage.notes else {}),
    }
