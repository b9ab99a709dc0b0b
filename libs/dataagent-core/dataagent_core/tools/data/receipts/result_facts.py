"""The facts of a query that the harness records, so that figures can be traced to it.

A tool that kept a result attaches this to its message under `result`; the receipt of the call, in
the log and in the journal, carries it on. Imported by every tool call: it must stay light.
"""

from collections.abc import Mapping
from typing import Any

RESULT_KEY = "result"


def read_result_facts(facts: Mapping[str, Any]) -> dict[str, Any] | None:
    """Read the facts a tool attached about a result; None if they are malformed."""
    match facts.get(RESULT_KEY):
        case {
            "result_id": str(result_id),
            "source": str(source),
            "sql": str(sql),
            "sha256": str(sha256),
            "row_count": int(row_count),
            "truncated": bool(truncated),
        }:
            notes = facts[RESULT_KEY].get("notes")
            return {
                "result_id": result_id,
                "source": source,
                "sql": sql,
                "sha256": sha256,
                "row_count": row_count,
                "truncated": truncated,
                **({"notes": [str(note) for note in notes]} if isinstance(notes, list) else {}),
            }
        case _:
            return None
