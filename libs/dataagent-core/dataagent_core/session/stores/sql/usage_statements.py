"""The SQL statements of the usage store, each a function over a connection."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from dataagent_core.session.stores.sql.connection import SqlConnection, insert_rows
from dataagent_core.session.stores.sql.dialect import (
    KEYS_PER_STATEMENT_MAX,
    insert,
    insert_ignore,
    read_moment,
    rows_in,
)
from dataagent_core.usage import (
    Amount,
    Budget,
    BudgetKey,
    CallUse,
    Reservation,
    Spender,
    TokenUsage,
    Total,
    UsageQuery,
    UsageRow,
)
from dataagent_core.usage.budget import UsageCell, day_of
from dataagent_core.usage.usage_store import BudgetHold, GroupBy

# A word of its own in MySQL.
LEDGER: Final = '"usage"'
COUNTER_KEY: Final = ("tenant_id", "scope", "scope_id", "period", "period_start")
SUMS: Final = (
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
OWNER: Final = ("tenant_id", "day", "user_id", "project_id", "model")
ADD_SUMS: Final = ", ".join(f"{name} = {name} + ?" for name in SUMS)
_ENTRY = ("tenant_id", "run_id", "day", "model", "session_id", "user_id", "project_id", *SUMS)
_BOTH = ", ".join((*OWNER, *SUMS))
_WHOLE = f"(SELECT {_BOTH} FROM {LEDGER} UNION ALL SELECT {_BOTH} FROM usage_days) AS whole"
_NAMES: Mapping[GroupBy, str] = {
    "day": "day",
    "user": "user_id",
    "project": "project_id",
    "tenant": "tenant_id",
    "model": "model",
    "session": "session_id",
    "run": "run_id",
}
_RESERVATION = (
    "tenant_id",
    "reservation_id",
    "run_id",
    "session_id",
    "user_id",
    "project_id",
    "tokens",
    "cost_nano",
    "reserved_at",
    "expires_at",
    "model",
)


@dataclass(frozen=True, slots=True)
class CounterRow:
    """A row of `budget_counters`."""

    held: BudgetHold = field(default_factory=BudgetHold)
    warned: bool = False


def make_counters(connection: SqlConnection, tenant_id: str, cells: Sequence[UsageCell]) -> None:
    """Make the rows that are missing, then lock the tenant's own.

    One transaction at a time counts for a tenant, so that what is read is what is there, and
    nobody waits in a circle.
    """
    lock = connection.dialect.for_update
    rows = [(tenant_id, *_key(cell)) for cell in cells]
    if lock:
        # Also an insert that is ignored takes locks: only what is missing is inserted.
        there = counters(connection, tenant_id, cells)
        rows = [row for row, cell in zip(rows, cells, strict=True) if cell not in there]
    make = insert_ignore(connection.dialect.name, "budget_counters", COUNTER_KEY)
    insert_rows(connection, make, rows)
    if lock:
        connection.execute(
            f"SELECT warned FROM budget_counters WHERE {_match_cells(connection, cells[:1])}{lock}",
            _values(tenant_id, cells[:1]),
        )


def hold(
    connection: SqlConnection,
    tenant_id: str,
    cells: Sequence[UsageCell],
    limits: Mapping[BudgetKey, Budget],
    worst: Amount,
) -> bool:
    """Hold an amount in all counters if it fits into each, else in none: one statement."""
    full, filters = _full_condition(cells, limits, worst)
    these, values = _match_cells(connection, cells), _values(tenant_id, cells)
    # A derived table, because MySQL reads no table that it changes.
    changed = connection.execute(
        "UPDATE budget_counters SET held_tokens = held_tokens + ?, "
        f"held_cost_nano = held_cost_nano + ? WHERE {these} AND NOT EXISTS (SELECT 1 FROM "
        f"(SELECT * FROM budget_counters WHERE {these}) AS known WHERE {full})",
        (worst.tokens, worst.cost_nano or 0, *values, *values, *filters),
    )
    return changed.rowcount == len(cells)


def _full_condition(
    cells: Sequence[UsageCell], limits: Mapping[BudgetKey, Budget], worst: Amount
) -> tuple[str, Sequence[object]]:
    """Write the condition that an amount does not fit into a counter."""
    conditions, values = ["1 = 0"], list[object]()
    for cell in cells:
        budget = limits.get(cell.key)
        for kind, limit, more in (
            ("tokens", budget and budget.tokens_max, worst.tokens),
            ("cost_nano", budget and budget.cost_nano_max, worst.cost_nano),
        ):
            # An unknown price exceeds no limit.
            if limit is not None and more is not None:
                conditions.append(
                    "scope = ? AND scope_id = ? AND period = ? AND period_start = ? "
                    f"AND used_{kind} + held_{kind} + ? > ?"
                )
                values += [*_key(cell), more, limit]
    return " OR ".join(conditions), values


def unhold(
    connection: SqlConnection, tenant_id: str, cells: Sequence[UsageCell], worst: Amount
) -> None:
    """Release what was reserved for a call."""
    connection.execute(
        "UPDATE budget_counters SET held_tokens = held_tokens - ?, "
        f"held_cost_nano = held_cost_nano - ? WHERE {_match_cells(connection, cells)}",
        (worst.tokens, worst.cost_nano or 0, *_values(tenant_id, cells)),
    )


def count(
    connection: SqlConnection, tenant_id: str, cells: Sequence[UsageCell], use: CallUse
) -> None:
    """Count a call in its counters, which must exist."""
    connection.execute(
        "UPDATE budget_counters SET used_tokens = used_tokens + ?, "
        f"used_cost_nano = used_cost_nano + ? WHERE {_match_cells(connection, cells)}",
        (use.tokens.total, use.cost_nano or 0, *_values(tenant_id, cells)),
    )


def add_to_ledger(
    connection: SqlConnection, tenant_id: str, reservation: Reservation, use: CallUse
) -> None:
    """Write a call into the ledger: one row for each run, day and model."""
    spender, tokens = reservation.spender, use.tokens
    key = (tenant_id, spender.run_id, day_of(reservation.moment), reservation.model)
    sums = (
        1,
        int(use.cost_nano is None),
        tokens.input,
        tokens.output,
        tokens.cached_read,
        tokens.cached_write,
        tokens.reasoning,
        use.cost_nano or 0,
    )
    added = connection.execute(
        f"UPDATE {LEDGER} SET {ADD_SUMS} "
        "WHERE tenant_id = ? AND run_id = ? AND day = ? AND model = ?",
        (*sums, *key),
    )
    if not added.rowcount:
        # The tenant's counter is locked, so no other transaction writes this row.
        owner = (spender.session_id, spender.user_id or "", spender.project_id or "")
        connection.execute(insert(LEDGER, _ENTRY), (*key, *owner, *sums))


def counters(
    connection: SqlConnection, tenant_id: str, cells: Sequence[UsageCell]
) -> dict[UsageCell, CounterRow]:
    """Read the existing counters."""
    found: dict[tuple[str, ...], CounterRow] = {}
    for start in range(0, len(cells), KEYS_PER_STATEMENT_MAX):
        some = cells[start : start + KEYS_PER_STATEMENT_MAX]
        rows = connection.execute(
            "SELECT scope, scope_id, period, period_start, used_tokens, used_cost_nano, "
            "held_tokens, held_cost_nano, warned "
            f"FROM budget_counters WHERE {_match_cells(connection, some)}",
            _values(tenant_id, some),
        )
        found |= {tuple(row[:4]): _counter(row[4:]) for row in rows}
    return {cell: found[key] for cell in cells if (key := _key(cell)) in found}


def mark_warned(connection: SqlConnection, tenant_id: str, cells: Sequence[UsageCell]) -> None:
    """Store that a warning was sent."""
    if cells:
        connection.execute(
            f"UPDATE budget_counters SET warned = 1 WHERE {_match_cells(connection, cells)}",
            _values(tenant_id, cells),
        )


def insert_reservation(
    connection: SqlConnection, tenant_id: str, made: Reservation, expires_at: datetime
) -> None:
    """Store a reservation, for the case that it is never settled."""
    spender = made.spender
    connection.execute(
        insert("budget_reservations", _RESERVATION),
        (
            tenant_id,
            made.reservation_id,
            spender.run_id,
            spender.session_id,
            spender.user_id or "",
            spender.project_id or "",
            made.worst.tokens,
            made.worst.cost_nano,
            connection.dialect.moment(made.moment),
            connection.dialect.moment(expires_at),
            made.model,
        ),
    )


def remove_reservation(connection: SqlConnection, tenant_id: str, reservation_id: str) -> bool:
    """Remove a reservation; False if it is gone already."""
    removed = connection.execute(
        "DELETE FROM budget_reservations WHERE tenant_id = ? AND reservation_id = ?",
        (tenant_id, reservation_id),
    )
    return removed.rowcount == 1


def expired_reservations(
    connection: SqlConnection, tenant_id: str, now: datetime
) -> list[Reservation]:
    """List the reservations past their lease."""
    rows = connection.execute(
        f"SELECT {', '.join(_RESERVATION)} FROM budget_reservations "
        "WHERE tenant_id = ? AND expires_at < ?",
        (tenant_id, connection.dialect.moment(now)),
    )
    return [
        Reservation(
            reservation_id=row[1],
            spender=Spender(
                tenant_id=tenant_id,
                run_id=row[2],
                session_id=row[3],
                user_id=row[4] or None,
                project_id=row[5] or None,
            ),
            worst=Amount(row[6], row[7]),
            moment=read_moment(row[8]),
            model=row[10],
        )
        for row in rows.fetchall()
    ]


def report(connection: SqlConnection, tenant_id: str, query: UsageQuery) -> list[UsageRow]:
    """Sum the ledger and, unless grouped or filtered by run or session, the rolled-up days."""
    name = _NAMES[query.by]
    given = {
        "day >= ?": query.since,
        "day <= ?": query.until,
        "user_id = ?": query.user_id,
        "project_id = ?": query.project_id,
        "session_id = ?": query.session_id,
        "run_id = ?": query.run_id,
        f"{name} > ?": query.after,
    }
    filters = {condition: value for condition, value in given.items() if value is not None}
    rows = connection.execute(
        f"SELECT {name}, {', '.join(f'SUM({one})' for one in SUMS)} "
        f"FROM {_WHOLE if query.is_coarse else LEDGER} "
        f"WHERE {' AND '.join(('tenant_id = ?', *filters))} "
        f"GROUP BY {name} ORDER BY {name} LIMIT ?",
        (tenant_id, *filters.values(), query.limit),
    )
    # A sum is a decimal on some databases.
    return [UsageRow(row[0], _total([int(value) for value in row[1:]])) for row in rows]


def list_budgets(connection: SqlConnection, tenant_id: str) -> list[Budget]:
    """List the budgets."""
    rows = connection.execute(
        "SELECT scope, scope_id, period, cost_nano_max, tokens_max FROM budgets "
        "WHERE tenant_id = ? ORDER BY scope, scope_id, period",
        (tenant_id,),
    )
    return [
        Budget(key=BudgetKey(*row[:3]), cost_nano_max=row[3], tokens_max=row[4]) for row in rows
    ]


def set_budget(connection: SqlConnection, tenant_id: str, budget: Budget) -> None:
    """Make or change a budget."""
    key = (tenant_id, budget.key.scope, budget.key.scope_id, budget.key.period)
    mine = "WHERE tenant_id = ? AND scope = ? AND scope_id = ? AND period = ?"
    columns = ("tenant_id", "scope", "scope_id", "period")
    connection.execute(insert_ignore(connection.dialect.name, "budgets", columns), key)
    connection.execute(
        f"UPDATE budgets SET cost_nano_max = ?, tokens_max = ? {mine}",
        (budget.cost_nano_max, budget.tokens_max, *key),
    )
    # A changed limit may need another warning.
    connection.execute(f"UPDATE budget_counters SET warned = 0 {mine}", key)


def remove_budget(connection: SqlConnection, tenant_id: str, key: BudgetKey) -> bool:
    """Remove a budget; False if there is none."""
    removed = connection.execute(
        "DELETE FROM budgets WHERE tenant_id = ? AND scope = ? AND scope_id = ? AND period = ?",
        (tenant_id, key.scope, key.scope_id, key.period),
    )
    return removed.rowcount == 1


def _match_cells(connection: SqlConnection, cells: Sequence[UsageCell]) -> str:
    return rows_in(connection.dialect.name, COUNTER_KEY, len(cells))


def _values(tenant_id: str, cells: Iterable[UsageCell]) -> list[str]:
    return [part for cell in cells for part in (tenant_id, *_key(cell))]


def _key(cell: UsageCell) -> tuple[str, str, str, str]:
    return (cell.key.scope, cell.key.scope_id, cell.key.period, cell.when)


def _counter(row: Sequence[Any]) -> CounterRow:
    held = BudgetHold(
        used_tokens=row[0], used_cost_nano=row[1], held_tokens=row[2], held_cost_nano=row[3]
    )
    return CounterRow(held, bool(row[4]))


def _total(sums: Sequence[int]) -> Total:
    return Total(
        calls=sums[0],
        unpriced_calls=sums[1],
        tokens=TokenUsage(
            input=sums[2],
            output=sums[3],
            cached_read=sums[4],
            cached_write=sums[5],
            reasoning=sums[6],
        ),
        cost_nano=sums[7],
    )
