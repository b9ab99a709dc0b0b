"""Fencing: a process that lost a run must not write to it any more, even without knowing it.

A process that takes a run over raises its number in `agent_executions`. A write carries the number
its process holds; the transaction compares it while it locks the row, so that the number cannot
change until the commit.
"""

from collections.abc import Collection
from typing import Protocol

from sqlalchemy import Connection, select

from dataagent_core.session.stores.sql.connection import SqlConnection
from dataagent_server.common.errors import LeaseLostError
from dataagent_server.db.tables.runs import agent_executions as runs


class Fences(Protocol):
    """The numbers this process holds."""

    def fence_of(self, run_id: str) -> int | None:
        """Return the number, or None for what is not fenced: tests, tools, the terminal."""
        ...


class NoFences:
    """Nothing is fenced."""

    def fence_of(self, run_id: str) -> int | None:
        del run_id


def locked_fences(
    connection: Connection, tenant_id: str, run_ids: Collection[str]
) -> dict[str, int]:
    """Lock the rows of these runs and return their numbers.

    An exclusive lock: the same transaction may end a run, and upgrading a shared lock could
    deadlock on MySQL.
    """
    statement = (
        select(runs.c.run_id, runs.c.fence)
        .where(runs.c.tenant_id == tenant_id, runs.c.run_id.in_(sorted(run_ids)))
        .order_by(runs.c.run_id)
        .with_for_update()
    )
    return {row.run_id: row.fence for row in connection.execute(statement)}


def hold_run(connection: SqlConnection, run_id: str, fence: int | None) -> None:
    """Lock a run's row, or raise if another process has taken it over."""
    if fence is None:
        return
    found = connection.execute(
        f"SELECT fence FROM agent_executions WHERE run_id = ?{connection.dialect.for_share}",
        (run_id,),
    ).fetchone()
    if found is None or found[0] != fence:
        raise lease_lost(run_id)


def lease_lost(run_id: str) -> LeaseLostError:
    """Return the error for a run with another worker."""
    return LeaseLostError(f"run {run_id} was taken over by another process.")
