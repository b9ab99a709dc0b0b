"""The statements of the book of use, each a function over a connection."""

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import cast

from dataagent_core.usage import (
    Amount,
    Budget,
    BudgetKey,
    CallUse,
    Period,
    Reservation,
    Scope,
    Spender,
    Tokens,
    Total,
    UsageQuery,
    UsageRow,
)
from dataagent_core.usage.book import GroupBy
from dataagent_core.usage.judging import Held
from dataagent_core.usage.spender import Cell, day_of

_MONTH_CHARS = len("2026-11")
_KEY = "scope, scope_id, period, period_start"
_SUMS = (
    "calls, unpriced_calls, input_tokens, output_tokens, cached_read_tokens, "
    "cached_write_tokens, reasoning_tokens, cost_nano"
)
_ADDED = ", ".join(f"SUM({name})" for name in _SUMS.split(", "))
_NAMES: Mapping[GroupBy, str] = {
    "day": "day",
    "user": "user_id",
    "project": "project_id",
    "tenant": "tenant_id",
    "model": "model",
    "session": "session_id",
    "run": "run_id",
}
_OWNER = "tenant_id, day, user_id, project_id, model"
_WHOLE = f"(SELECT {_OWNER}, {_SUMS} FROM usage UNION ALL SELECT {_OWNER}, {_SUMS} FROM usage_days)"


@dataclass(frozen=True, slots=True)
class Counter:
    """A row of `budget_counters`."""

    held: Held = field(default_factory=Held)
    warned: bool = False


def make_counters(connection: sqlite3.Connection, tenant_id: str, cells: Iterable[Cell]) -> None:
    """Make the rows that are missing."""
    connection.executemany(
        f"INSERT INTO budget_counters (tenant_id, {_KEY}) VALUES (?, ?, ?, ?, ?) "
        "ON CONFLICT DO NOTHING",
        [(tenant_id, *_key(cell)) for cell in cells],
    )


def hold(
    connection: sqlite3.Connection,
    tenant_id: str,
    cells: Sequence[Cell],
    limits: Mapping[BudgetKey, Budget],
    worst: Amount,
) -> bool:
    """Hold an amount in all counters if it fits into each, else in none: one statement."""
    asked: list[object] = []
    for cell in cells:
        budget = limits.get(cell.key)
        cost_max, tokens_max = (budget.cost_nano_max, budget.tokens_max) if budget else (None, None)
        asked += [*_key(cell), cost_max, tokens_max]
    rows = ", ".join(["(?, ?, ?, ?, ?, ?)"] * len(cells))
    connection.execute(
        f"""
        WITH asked ({_KEY}, cost_max, tokens_max) AS (VALUES {rows})
        UPDATE budget_counters
        SET held_tokens = held_tokens + ?, held_cost_nano = held_cost_nano + ?
        WHERE tenant_id = ? AND ({_KEY}) IN (SELECT {_KEY} FROM asked) AND NOT EXISTS (
            SELECT 1 FROM budget_counters AS known JOIN asked USING ({_KEY})
            WHERE known.tenant_id = ? AND (
                known.used_tokens + known.held_tokens + ? > tokens_max
                OR known.used_cost_nano + known.held_cost_nano + ? > cost_max
            )
        )
        """,
        (
            *asked,
            worst.tokens,
            worst.cost_nano or 0,
            tenant_id,
            tenant_id,
            worst.tokens,
            # An unknown price is NULL here, which is above no limit.
            worst.cost_nano,
        ),
    )
    # Python's `rowcount` does not know an UPDATE that begins with WITH.
    return connection.execute("SELECT changes()").fetchone()[0] == len(cells)


def unhold(
    connection: sqlite3.Connection, tenant_id: str, cells: Iterable[Cell], worst: Amount
) -> None:
    """Take back what was held for a call."""
    connection.executemany(
        "UPDATE budget_counters SET held_tokens = held_tokens - ?, "
        f"held_cost_nano = held_cost_nano - ? WHERE tenant_id = ? AND ({_KEY}) = (?, ?, ?, ?)",
        [(worst.tokens, worst.cost_nano or 0, tenant_id, *_key(cell)) for cell in cells],
    )


def count(
    connection: sqlite3.Connection, tenant_id: str, cells: Iterable[Cell], use: CallUse
) -> None:
    """Count a call in its counters."""
    connection.executemany(
        f"INSERT INTO budget_counters (tenant_id, {_KEY}, used_tokens, used_cost_nano) "
        f"VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (tenant_id, {_KEY}) DO UPDATE "
        "SET used_tokens = used_tokens + excluded.used_tokens, "
        "used_cost_nano = used_cost_nano + excluded.used_cost_nano",
        [(tenant_id, *_key(cell), use.tokens.total, use.cost_nano or 0) for cell in cells],
    )


def enter(
    connection: sqlite3.Connection, tenant_id: str, reservation: Reservation, use: CallUse
) -> None:
    """Write a call into the ledger: one row for each run, day and model."""
    spender, tokens = reservation.spender, use.tokens
    sums = ", ".join(f"{name} = {name} + excluded.{name}" for name in _SUMS.split(", "))
    connection.execute(
        f"INSERT INTO usage (tenant_id, run_id, day, model, session_id, user_id, project_id, "
        f"{_SUMS}) VALUES (?, ?, ?, ?, ?, ?, ?, 1, ?, ?, ?, ?, ?, ?, ?) "
        f"ON CONFLICT (tenant_id, run_id, day, model) DO UPDATE SET {sums}",
        (
            tenant_id,
            spender.run_id,
            day_of(reservation.moment),
            reservation.model,
            spender.session_id,
            spender.user_id or "",
            spender.project_id or "",
            int(use.cost_nano is None),
            tokens.input,
            tokens.output,
            tokens.cached_read,
            tokens.cached_write,
            tokens.reasoning,
            use.cost_nano or 0,
        ),
    )


def counters(
    connection: sqlite3.Connection, tenant_id: str, cells: Iterable[Cell]
) -> dict[Cell, Counter]:
    """Read counters; one that is not there stands at nothing."""
    found: dict[Cell, Counter] = {}
    for cell in cells:
        row = connection.execute(
            "SELECT used_tokens, used_cost_nano, held_tokens, held_cost_nano, warned "
            f"FROM budget_counters WHERE tenant_id = ? AND ({_KEY}) = (?, ?, ?, ?)",
            (tenant_id, *_key(cell)),
        ).fetchone()
        found[cell] = Counter() if row is None else Counter(_held(row[:4]), bool(row[4]))
    return found


def mark_warned(connection: sqlite3.Connection, tenant_id: str, cells: Iterable[Cell]) -> None:
    """Remember that a person was told."""
    connection.executemany(
        f"UPDATE budget_counters SET warned = 1 WHERE tenant_id = ? AND ({_KEY}) = (?, ?, ?, ?)",
        [(tenant_id, *_key(cell)) for cell in cells],
    )


def insert_reservation(
    connection: sqlite3.Connection, tenant_id: str, made: Reservation, expires_at: datetime
) -> None:
    """Write down what is held, for the case that nobody settles it."""
    spender = made.spender
    connection.execute(
        "INSERT INTO budget_reservations VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            tenant_id,
            made.reservation_id,
            spender.run_id,
            spender.session_id,
            spender.user_id or "",
            spender.project_id or "",
            made.worst.tokens,
            made.worst.cost_nano,
            made.moment.isoformat(timespec="microseconds"),
            expires_at.isoformat(timespec="microseconds"),
            made.model,
        ),
    )


def remove_reservation(connection: sqlite3.Connection, tenant_id: str, reservation_id: str) -> bool:
    """Remove it; false if it is gone already."""
    removed = connection.execute(
        "DELETE FROM budget_reservations WHERE tenant_id = ? AND reservation_id = ?",
        (tenant_id, reservation_id),
    )
    return removed.rowcount == 1


def expired(connection: sqlite3.Connection, tenant_id: str, now: datetime) -> list[Reservation]:
    """List what is held past its lease."""
    rows = connection.execute(
        "SELECT reservation_id, run_id, session_id, user_id, project_id, tokens, cost_nano, "
        "reserved_at, model FROM budget_reservations WHERE tenant_id = ? AND expires_at < ?",
        (tenant_id, now.isoformat(timespec="microseconds")),
    )
    return [
        Reservation(
            reservation_id=row[0],
            spender=Spender(
                tenant_id=tenant_id,
                run_id=row[1],
                session_id=row[2],
                user_id=row[3] or None,
                project_id=row[4] or None,
            ),
            worst=Amount(row[5], row[6]),
            moment=datetime.fromisoformat(row[7]),
            model=row[8],
        )
        for row in rows.fetchall()
    ]


def report(connection: sqlite3.Connection, tenant_id: str, query: UsageQuery) -> list[UsageRow]:
    """Add up the ledger."""
    conditions, values = ["tenant_id = ?"], list[object]([tenant_id])
    for condition, value in (
        ("day >= ?", query.since),
        ("day <= ?", query.until),
        ("user_id = ?", query.user_id),
        ("project_id = ?", query.project_id),
        ("session_id = ?", query.session_id),
        ("run_id = ?", query.run_id),
    ):
        if value is not None:
            conditions.append(condition)
            values.append(value)
    name = _NAMES[query.by]
    if query.after is not None:
        conditions.append(f"{name} > ?")
        values.append(query.after)
    source = _WHOLE if query.is_coarse else "usage"
    rows = connection.execute(
        f"SELECT {name}, {_ADDED} FROM {source} WHERE {' AND '.join(conditions)} "
        f"GROUP BY {name} ORDER BY {name} LIMIT ?",
        (*values, query.limit),
    )
    return [UsageRow(row[0], _total(row[1:])) for row in rows.fetchall()]


def roll_up(connection: sqlite3.Connection, tenant_id: str, before: str) -> int:
    """Join rows of earlier days to sums, and drop the counters that nobody needs any more."""
    old = "tenant_id = ? AND day < ?"
    added = ", ".join(f"{name} = {name} + excluded.{name}" for name in _SUMS.split(", "))
    connection.execute(
        f"INSERT INTO usage_days ({_OWNER}, {_SUMS}) "
        f"SELECT {_OWNER}, {_ADDED} FROM usage WHERE {old} GROUP BY {_OWNER} "
        f"ON CONFLICT ({_OWNER}) DO UPDATE SET {added}",
        (tenant_id, before),
    )
    connection.execute(
        "DELETE FROM budget_counters WHERE tenant_id = ? AND (period_start < ? AND period = 'day' "
        "OR period_start < ? AND period = 'month' OR scope = 'run' AND scope_id IN "
        f"(SELECT run_id FROM usage WHERE {old}))",
        (tenant_id, before, before[:_MONTH_CHARS], tenant_id, before),
    )
    return connection.execute(f"DELETE FROM usage WHERE {old}", (tenant_id, before)).rowcount


def budgets(connection: sqlite3.Connection, tenant_id: str) -> list[Budget]:
    """List what is set."""
    rows = connection.execute(
        "SELECT scope, scope_id, period, cost_nano_max, tokens_max FROM budgets "
        "WHERE tenant_id = ? ORDER BY scope, scope_id, period",
        (tenant_id,),
    )
    return [
        Budget(
            key=BudgetKey(cast("Scope", row[0]), row[1], cast("Period", row[2])),
            cost_nano_max=row[3],
            tokens_max=row[4],
        )
        for row in rows.fetchall()
    ]


def set_budget(connection: sqlite3.Connection, tenant_id: str, budget: Budget) -> None:
    """Make or change one."""
    key = budget.key
    connection.execute(
        "INSERT INTO budgets VALUES (?, ?, ?, ?, ?, ?) "
        "ON CONFLICT (tenant_id, scope, scope_id, period) DO UPDATE "
        "SET cost_nano_max = excluded.cost_nano_max, tokens_max = excluded.tokens_max",
        (tenant_id, key.scope, key.scope_id, key.period, budget.cost_nano_max, budget.tokens_max),
    )
    # Most of another limit is worth another word.
    connection.execute(
        "UPDATE budget_counters SET warned = 0 WHERE tenant_id = ? "
        "AND (scope, scope_id, period) = (?, ?, ?)",
        (tenant_id, key.scope, key.scope_id, key.period),
    )


def remove_budget(connection: sqlite3.Connection, tenant_id: str, key: BudgetKey) -> bool:
    """Remove one; false if there is none."""
    removed = connection.execute(
        "DELETE FROM budgets WHERE tenant_id = ? AND (scope, scope_id, period) = (?, ?, ?)",
        (tenant_id, key.scope, key.scope_id, key.period),
    )
    return removed.rowcount == 1


def _key(cell: Cell) -> tuple[str, str, str, str]:
    return (cell.key.scope, cell.key.scope_id, cell.key.period, cell.when)


def _held(row: Sequence[int]) -> Held:
    return Held(
        used_tokens=row[0], used_cost_nano=row[1], held_tokens=row[2], held_cost_nano=row[3]
    )


def _total(row: Sequence[int]) -> Total:
    return Total(
        calls=row[0],
        unpriced_calls=row[1],
        tokens=Tokens(
            input=row[2],
            output=row[3],
            cached_read=row[4],
            cached_write=row[5],
            reasoning=row[6],
        ),
        cost_nano=row[7],
    )
