"""The SQL of the book of use."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    and_,
    delete,
    false,
    func,
    insert,
    or_,
    select,
    tuple_,
    union_all,
    update,
)

from dataagent_core.usage import (
    Amount,
    Budget,
    BudgetKey,
    CallUse,
    Reservation,
    Spender,
    Tokens,
    Total,
    UsageQuery,
    UsageRow,
)
from dataagent_core.usage.book import GroupBy
from dataagent_core.usage.judging import Held
from dataagent_core.usage.spender import Cell, day_of
from dataagent_server.db.tables.usage import (
    budget_counters,
    budget_reservations,
    budgets,
    usage,
    usage_days,
)
from dataagent_server.db.upsert import insert_ignore, upsert

_count = budget_counters.c
_KEY = (_count.scope, _count.scope_id, _count.period, _count.period_start)
SUMS = (
    "calls",
    "unpriced_calls",
    "input_tokens",
    "output_tokens",
    "cached_read_tokens",
    "cached_write_tokens",
    "reasoning_tokens",
    "cost_nano",
)
# Of these a day's sums are; runs and sessions have rows in the ledger only.
OWNER = ("tenant_id", "day", "user_id", "project_id", "model")
_NAMES: Mapping[GroupBy, str] = {
    "day": "day",
    "user": "user_id",
    "project": "project_id",
    "tenant": "tenant_id",
    "model": "model",
    "session": "session_id",
    "run": "run_id",
}


@dataclass(frozen=True, slots=True)
class Counter:
    """A row of `budget_counters`."""

    held: Held = field(default_factory=Held)
    warned: bool = False


def make_counters(connection: Connection, tenant_id: str, cells: Sequence[Cell]) -> None:
    """Make the rows that are missing, then lock the tenant's own.

    One transaction at a time counts for a tenant, so that what is read is what is there, and
    nobody waits in a circle.
    """
    known = select(*_KEY).where(*_these(tenant_id, cells))
    there = {tuple(row) for row in connection.execute(known)}
    for cell in cells:
        if _key(cell) not in there:
            insert_ignore(connection, budget_counters, {"tenant_id": tenant_id, **_row(cell)})
    lock = select(_count.warned).where(*_these(tenant_id, cells[:1])).with_for_update()
    connection.execute(lock)


def hold(
    connection: Connection,
    tenant_id: str,
    cells: Sequence[Cell],
    limits: Mapping[BudgetKey, Budget],
    worst: Amount,
) -> bool:
    """Hold an amount in all counters if it fits into each, else in none: one statement."""
    # A derived table, because MySQL reads no table that it changes.
    known = select(budget_counters).where(*_these(tenant_id, cells)).subquery()
    full = [
        and_(_is(known.c, cell), _over(known.c, limits[cell.key], worst))
        for cell in cells
        if cell.key in limits
    ]
    no_room = select(known.c.scope).where(or_(false(), *full)).exists()
    changed = connection.execute(
        update(budget_counters)
        .where(*_these(tenant_id, cells), ~no_room)
        .values(_adding(held_tokens=worst.tokens, held_cost_nano=worst.cost_nano or 0))
    )
    return changed.rowcount == len(cells)


def unhold(connection: Connection, tenant_id: str, cells: Sequence[Cell], worst: Amount) -> None:
    """Take back what was held for a call."""
    connection.execute(
        update(budget_counters)
        .where(*_these(tenant_id, cells))
        .values(_adding(held_tokens=-worst.tokens, held_cost_nano=-(worst.cost_nano or 0)))
    )


def count(connection: Connection, tenant_id: str, cells: Sequence[Cell], use: CallUse) -> None:
    """Count a call in its counters, which are there."""
    connection.execute(
        update(budget_counters)
        .where(*_these(tenant_id, cells))
        .values(_adding(used_tokens=use.tokens.total, used_cost_nano=use.cost_nano or 0))
    )


def enter(connection: Connection, tenant_id: str, made: Reservation, use: CallUse) -> None:
    """Write a call into the ledger: one row for each run, day and model."""
    spender, tokens = made.spender, use.tokens
    key = {
        "tenant_id": tenant_id,
        "run_id": spender.run_id,
        "day": day_of(made.moment),
        "model": made.model,
    }
    sums = {
        "calls": 1,
        "unpriced_calls": int(use.cost_nano is None),
        "input_tokens": tokens.input,
        "output_tokens": tokens.output,
        "cached_read_tokens": tokens.cached_read,
        "cached_write_tokens": tokens.cached_write,
        "reasoning_tokens": tokens.reasoning,
        "cost_nano": use.cost_nano or 0,
    }
    more = (
        update(usage)
        .where(*(usage.c[name] == value for name, value in key.items()))
        .values({name: usage.c[name] + value for name, value in sums.items()})
    )
    if not connection.execute(more).rowcount:
        # The tenant's counter is locked: nobody else writes this row now.
        owner = {
            "session_id": spender.session_id,
            "user_id": spender.user_id or "",
            "project_id": spender.project_id or "",
        }
        connection.execute(insert(usage), {**key, **owner, **sums})


def counters(connection: Connection, tenant_id: str, cells: Iterable[Cell]) -> dict[Cell, Counter]:
    """Read counters; one that is not there stands at nothing."""
    wanted = list(cells)
    rows = connection.execute(select(budget_counters).where(*_these(tenant_id, wanted)))
    found = {tuple(row[column.name] for column in _KEY): row for row in rows.mappings()}
    return {cell: _counter(found.get(_key(cell))) for cell in wanted}


def mark_warned(connection: Connection, tenant_id: str, cells: Sequence[Cell]) -> None:
    """Remember that a person was told."""
    if cells:
        told = update(budget_counters).where(*_these(tenant_id, cells)).values(warned=1)
        connection.execute(told)


def insert_reservation(
    connection: Connection, tenant_id: str, made: Reservation, expires_at: datetime
) -> None:
    """Write down what is held, for the case that nobody settles it."""
    spender = made.spender
    connection.execute(
        insert(budget_reservations),
        {
            "tenant_id": tenant_id,
            "reservation_id": made.reservation_id,
            "run_id": spender.run_id,
            "session_id": spender.session_id,
            "user_id": spender.user_id or "",
            "project_id": spender.project_id or "",
            "tokens": made.worst.tokens,
            "cost_nano": made.worst.cost_nano,
            "reserved_at": made.moment,
            "expires_at": expires_at,
            "model": made.model,
        },
    )


def remove_reservation(connection: Connection, tenant_id: str, reservation_id: str) -> bool:
    """Remove it; false if it is gone already."""
    held = budget_reservations.c
    mine = (held.tenant_id == tenant_id, held.reservation_id == reservation_id)
    return connection.execute(delete(budget_reservations).where(*mine)).rowcount == 1


def expired(connection: Connection, tenant_id: str, now: datetime) -> list[Reservation]:
    """List what is held past its lease."""
    held = budget_reservations.c
    late = select(budget_reservations).where(held.tenant_id == tenant_id, held.expires_at < now)
    return [
        Reservation(
            reservation_id=row["reservation_id"],
            spender=Spender(
                tenant_id=tenant_id,
                run_id=row["run_id"],
                session_id=row["session_id"],
                user_id=row["user_id"] or None,
                project_id=row["project_id"] or None,
            ),
            worst=Amount(row["tokens"], row["cost_nano"]),
            moment=row["reserved_at"],
            model=row["model"],
        )
        for row in connection.execute(late).mappings()
    ]


def report(connection: Connection, tenant_id: str, query: UsageQuery) -> list[UsageRow]:
    """Add up the ledger, and where no run or session is asked for the days that were rolled up."""
    found = _whole() if query.is_coarse else usage.c
    name = found[_NAMES[query.by]]
    wanted = select(name, *(func.sum(found[column]) for column in SUMS))
    wanted = wanted.where(found.tenant_id == tenant_id)
    if query.since is not None:
        wanted = wanted.where(found.day >= query.since)
    if query.until is not None:
        wanted = wanted.where(found.day <= query.until)
    if query.after is not None:
        wanted = wanted.where(name > query.after)
    for column, value in (
        ("user_id", query.user_id),
        ("project_id", query.project_id),
        ("session_id", query.session_id),
        ("run_id", query.run_id),
    ):
        if value is not None:
            wanted = wanted.where(found[column] == value)
    rows = connection.execute(wanted.group_by(name).order_by(name).limit(query.limit))
    # A sum is a decimal on some databases.
    return [UsageRow(row[0], _total([int(value) for value in row[1:]])) for row in rows]


def _whole() -> Any:
    columns = (*OWNER, *SUMS)
    both = (select(*(table.c[column] for column in columns)) for table in (usage, usage_days))
    return union_all(*both).subquery("whole").c


def list_budgets(connection: Connection, tenant_id: str) -> list[Budget]:
    """List what is set."""
    order = (budgets.c.scope, budgets.c.scope_id, budgets.c.period)
    rows = connection.execute(
        select(budgets).where(budgets.c.tenant_id == tenant_id).order_by(*order)
    )
    return [
        Budget(
            key=BudgetKey(row["scope"], row["scope_id"], row["period"]),
            cost_nano_max=row["cost_nano_max"],
            tokens_max=row["tokens_max"],
        )
        for row in rows.mappings()
    ]


def set_budget(connection: Connection, tenant_id: str, budget: Budget) -> None:
    """Make or change one."""
    key = {
        "scope": budget.key.scope,
        "scope_id": budget.key.scope_id,
        "period": budget.key.period,
    }
    limits = {"cost_nano_max": budget.cost_nano_max, "tokens_max": budget.tokens_max}
    upsert(connection, budgets, {"tenant_id": tenant_id, **key, **limits})
    # Most of another limit is worth another word.
    mine = (_count[name] == value for name, value in {"tenant_id": tenant_id, **key}.items())
    connection.execute(update(budget_counters).where(*mine).values(warned=0))


def remove_budget(connection: Connection, tenant_id: str, key: BudgetKey) -> bool:
    """Remove one; false if there is none."""
    mine = (
        budgets.c.tenant_id == tenant_id,
        budgets.c.scope == key.scope,
        budgets.c.scope_id == key.scope_id,
        budgets.c.period == key.period,
    )
    return connection.execute(delete(budgets).where(*mine)).rowcount == 1


def _these(tenant_id: str, cells: Iterable[Cell]) -> tuple[ColumnElement[bool], ...]:
    return _count.tenant_id == tenant_id, tuple_(*_KEY).in_([_key(cell) for cell in cells])


def _is(columns: Any, cell: Cell) -> ColumnElement[bool]:
    return and_(*(columns[name] == value for name, value in _row(cell).items()))


def _over(columns: Any, budget: Budget, worst: Amount) -> ColumnElement[bool]:
    over: list[ColumnElement[bool]] = []
    if budget.tokens_max is not None:
        known = columns.used_tokens + columns.held_tokens
        over.append(known + worst.tokens > budget.tokens_max)
    # An unknown price is above no limit.
    if budget.cost_nano_max is not None and worst.cost_nano is not None:
        known = columns.used_cost_nano + columns.held_cost_nano
        over.append(known + worst.cost_nano > budget.cost_nano_max)
    return or_(false(), *over)


def _adding(**more: int) -> dict[str, Any]:
    return {name: _count[name] + value for name, value in more.items()}


def _key(cell: Cell) -> tuple[str, ...]:
    return tuple(_row(cell).values())


def _row(cell: Cell) -> dict[str, str]:
    return {
        "scope": cell.key.scope,
        "scope_id": cell.key.scope_id,
        "period": cell.key.period,
        "period_start": cell.when,
    }


def _counter(row: Any) -> Counter:
    if row is None:
        return Counter()
    held = Held(
        used_tokens=row["used_tokens"],
        used_cost_nano=row["used_cost_nano"],
        held_tokens=row["held_tokens"],
        held_cost_nano=row["held_cost_nano"],
    )
    return Counter(held, bool(row["warned"]))


def _total(sums: Sequence[int]) -> Total:
    return Total(
        calls=sums[0],
        unpriced_calls=sums[1],
        tokens=Tokens(
            input=sums[2],
            output=sums[3],
            cached_read=sums[4],
            cached_write=sums[5],
            reasoning=sums[6],
        ),
        cost_nano=sums[7],
    )
