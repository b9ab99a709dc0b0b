"""Fencing: a process that lost a run must not write to it any more, even if it does not know.

Whoever takes a run over raises its number in `agent_executions`. A write brings the number its
process believes in; the transaction that writes compares, holding the row, so that the number
cannot change until it is over.
"""

from collections.abc import Collection
from typing import Protocol

from sqlalchemy import Connection, select

from dataagent_core.session.stores.sql.connection import SqlConnection
from dataagent_server.common.errors import LeaseLostError
from dataagent_server.db.tables.runs import agent_executions as runs


class Fences(Protocol):
    """Which number this process holds for a run."""

    def fence_of(self, run_id: str) -> int | None:
        """Return the number, or None for what is not fenced: tests, tools, the command line."""
        ...


class NoFences:
    """Nothing is fenced."""

    def fence_of(self, run_id: str) -> int | None:
        del run_id


def locked_fences(
    connection: Connection, tenant_id: str, run_ids: Collection[str]
) -> dict[str, int]:
    """Lock the rows of these runs and return their numbers.

    For writing: the same transaction may end a run, and MySQL would answer the wish for more with
    a deadlock.
    """
    statement = (
        select(runs.c.run_id, runs.c.fence)
        .where(runs.c.tenant_id == tenant_id, runs.c.run_id.in_(sorted(run_ids)))
        .order_by(runs.c.run_id)
        .with_for_update()
    )
    return {row.run_id: row.fence for row in connection.execute(statement)}


def hold_run(connection: SqlConnection, run_id: str, fence: int | None) -> None:
    """Lock a run's row, whatever its tenant, or say that another process has taken it over."""
    if fence is None:
        return
    found = connection.execute(
        f"SELECT fence FROM agent_executions WHERE run_id = ?{connection.dialect.for_share}",
        (run_id,),
    ).fetchone()
    if found is None or found[0] != fence:
        raise lease_lost(run_id)


def lease_lost(run_id: str) -> LeaseLostError:
    """Say that a run has another worker now."""
    return LeaseLostError(f"run {run_id} was taken over by another process.")
