"""The leases of runs: a process claims runs, and proves with a number that it holds them.

The number (`fence`) grows whenever a run changes its owner. Log and checkpoints compare it in the
transaction of every write, so a process that was frozen, and wakes after its runs were given to
another, can write nothing.
"""

from collections.abc import Collection, Generator
from contextlib import contextmanager

from sqlalchemy import Connection, case, exists, func, or_, select, update

from dataagent_server.db.database_clock import database_now
from dataagent_server.db.tables.conversations import agent_execution_events as events
from dataagent_server.db.tables.people import tenants
from dataagent_server.db.tables.runs import OPEN
from dataagent_server.db.tables.runs import agent_executions as runs
from dataagent_server.runs.limits import LOST_ATTEMPTS_UNSUSPECTED_MAX
from dataagent_server.runs.run_row import RUN_COLUMNS, RunRow, run_of
from dataagent_server.runs.run_rows import is_run, requeue

# No run ever has this number.
_NEVER = -1
_RUNNING = runs.c.status == "running"
# What counts as progress when a run is resumed; text and calls without a result are repeated.
_PROGRESS = ("tool_result", "hitl_answer")


class Leases:
    """The runs this process holds; it may write only for those."""

    def __init__(self) -> None:
        self._held: dict[str, int] = {}
        self._copied: set[str] = set()

    def hold(self, run: RunRow) -> None:
        """Store a claim."""
        self._held[run.run_id] = run.fence

    def drop(self, run_id: str) -> None:
        """Stop writing for a run."""
        self._held.pop(run_id, None)

    def fence_of(self, run_id: str) -> int | None:
        """Return the fence of a run; a number that never matches if it is not held."""
        return None if run_id in self._copied else self._held.get(run_id, _NEVER)

    @contextmanager
    def copying(self, run_id: str) -> Generator[None]:
        """Let this process write for the run of a copy: nobody else knows it yet."""
        self._copied.add(run_id)
        try:
            yield
        finally:
            self._copied.discard(run_id)

    @property
    def run_ids(self) -> list[str]:
        """The runs held."""
        return list(self._held)


def claim(
    connection: Connection, instance_id: str, *, limit: int, busy_with: Collection[str] = ()
) -> list[RunRow]:
    """Claim the next run of sessions without an active run, of any tenant.

    `busy_with` names the runs this process has not released yet. One may be over in the database
    already; until its agent has cleaned up, its session takes no other.
    """
    earlier, here = runs.alias("earlier"), runs.alias("here")
    blocked = exists().where(
        earlier.c.tenant_id == runs.c.tenant_id,
        earlier.c.session_id == runs.c.session_id,
        earlier.c.position < runs.c.position,
        earlier.c.status.in_(OPEN),
    )
    busy = exists().where(
        here.c.tenant_id == runs.c.tenant_id,
        here.c.session_id == runs.c.session_id,
        here.c.run_id.in_(list(busy_with)),
    )
    suspect = runs.c.lost_attempts > LOST_ATTEMPTS_UNSUSPECTED_MAX
    held = select(runs.c.run_id).where(_RUNNING, runs.c.owner == instance_id, suspect)
    suspect_held = connection.execute(held.limit(1)).first() is not None
    ready = (
        select(*RUN_COLUMNS)
        .where(runs.c.status == "queued", ~blocked, ~busy)
        # Runs of a suspended tenant wait.
        .where(runs.c.tenant_id.in_(select(tenants.c.tenant_id).where(tenants.c.is_active)))
        .order_by(case((suspect, 1), else_=0), runs.c.created_at)
        .limit(limit)
    )
    if connection.dialect.name != "sqlite":
        # Rows that another process is claiming are skipped.
        ready = ready.with_for_update(of=runs, skip_locked=True)
    now = database_now(connection)
    taken: list[RunRow] = []
    for found in [run_of(row) for row in connection.execute(ready).mappings()]:
        if found.lost_attempts > LOST_ATTEMPTS_UNSUSPECTED_MAX:
            if suspect_held:
                continue
            suspect_held = True
        changed = connection.execute(
            update(runs)
            .where(
                runs.c.tenant_id == found.tenant_id,
                runs.c.run_id == found.run_id,
                runs.c.status == "queued",
                runs.c.fence == found.fence,
            )
            .values(
                status="running",
                owner=instance_id,
                fence=found.fence + 1,
                attempt=found.attempt + 1,
                started_at=found.started_at or now,
                updated_at=now,
            )
        )
        if changed.rowcount:
            row = connection.execute(
                select(*RUN_COLUMNS).where(
                    runs.c.tenant_id == found.tenant_id, runs.c.run_id == found.run_id
                )
            )
            taken.append(run_of(row.mappings().one()))
    return taken


def release_of(connection: Connection, owners: Collection[str]) -> int:
    """Release the runs of ended processes."""
    return requeue(connection, _RUNNING, runs.c.owner.in_(list(owners)))


def release_all_but(connection: Connection, living: Collection[str]) -> int:
    """Release the runs of all processes but these, and count that as a loss."""
    gone = or_(runs.c.owner.is_(None), runs.c.owner.not_in(list(living)))
    lost = connection.execute(select(*RUN_COLUMNS).where(_RUNNING, gone)).mappings()
    return sum(_release_lost(connection, run_of(row)) for row in lost.all())


def release_unknown(connection: Connection, instance_id: str, *, known: Collection[str]) -> None:
    """Release runs claimed in a transaction whose outcome this process does not know."""
    claimed = (runs.c.owner == instance_id, runs.c.run_id.not_in(list(known)))
    requeue(connection, _RUNNING, *claimed)


def give_back(connection: Connection, run: RunRow) -> bool:
    """Release a run that this process cannot continue, unless it has another owner."""
    return requeue(connection, _RUNNING, is_run(run), runs.c.fence == run.fence) == 1


def _release_lost(connection: Connection, run: RunRow) -> int:
    """Release a run of a lost process; count it, from 1 again if the run made progress."""
    reached = connection.execute(
        select(func.max(events.c.seq)).where(
            events.c.tenant_id == run.tenant_id,
            events.c.session_id == run.session_id,
            events.c.event_type.in_(_PROGRESS),
            events.c.run_id == run.run_id,
        )
    ).scalar_one()
    further = (reached or 0) > run.progress_seq
    return requeue(
        connection,
        _RUNNING,
        is_run(run),
        runs.c.fence == run.fence,
        lost_attempts=1 if further else run.lost_attempts + 1,
        progress_seq=reached or 0,
    )
