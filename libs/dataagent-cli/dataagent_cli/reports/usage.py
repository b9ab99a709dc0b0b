"""`dataagent usage`: sums of model calls, and the use of the budgets in the settings."""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from dataagent_cli.output.json_document import write_document
from dataagent_cli.output.table import print_table
from dataagent_cli.sessions.lookup import existing_session
from dataagent_cli.wiring import TENANT, App, local_user, open_stores
from dataagent_core.engine.assembly.agent_limits import read_limits
from dataagent_core.engine.config import AgentConfig
from dataagent_core.usage import Amount, Budget, Total, UsageQuery, UsageRow
from dataagent_core.usage.budget import day_of, period_of, usd_of


@dataclass(frozen=True, slots=True, kw_only=True)
class UsageRequest:
    """What to add up: a day by session, a month by day, or a session by run."""

    day: bool = False
    session: str | None = None


async def print_usage(app: App, wanted: UsageRequest, as_json: bool) -> None:
    """Print the usage."""
    now = datetime.now(UTC)
    async with open_stores(app.settings) as stores:
        rows = await stores.usage.report(_query(wanted, now))
        if wanted.session is not None and not rows:
            await existing_session(app, stores, wanted.session)
        limits = _limits(app)
        used = await stores.usage.used([budget.key for budget in limits], now)
    standing = [(budget, used[budget.key]) for budget in limits]
    if as_json:
        document = {
            "usage": [_as_json(row) for row in rows],
            "total": _as_json(UsageRow("total", _total(rows))),
            "budgets": [_budget_as_json(*one) for one in standing],
        }
        write_document(document)
        return
    if not rows and wanted.session is not None:
        app.output.note(app.say("no_usage_of"))
    elif not rows:
        app.output.note(app.say("no_usage"))
    else:
        names = ("name", "calls", "input", "cached", "output", "cost")
        total = UsageRow(app.say("usage_total"), _total(rows))
        lines = [_line(app, row) for row in (*rows, total)]
        print_table(app.output, [app.say(f"usage_col.{name}") for name in names], lines)
    for budget, amount in standing:
        app.output.note(_describe_budget(app, budget, amount))
    unpriced = _total(rows).unpriced_calls
    if unpriced and any(_is_of_money_alone(budget) for budget in limits):
        app.output.note(app.say("unpriced_limit", calls=unpriced))


def _query(wanted: UsageRequest, now: datetime) -> UsageQuery:
    if wanted.session is not None:
        return UsageQuery(by="run", session_id=wanted.session)
    if wanted.day:
        return UsageQuery(by="session", since=day_of(now), until=day_of(now))
    return UsageQuery(by="day", since=f"{period_of('month', now)}-01")


def _limits(app: App) -> list[Budget]:
    config = AgentConfig(app.settings.assistant_id, user_id=local_user(), tenant_id=TENANT)
    limits = read_limits(config, app.settings)
    return [budget for budget in (limits.day, limits.month) if budget is not None]


def _total(rows: list[UsageRow]) -> Total:
    return sum((row.total for row in rows), start=Total())


def _line(app: App, row: UsageRow) -> list[str]:
    tokens = row.total.tokens
    return [
        row.name,
        f"{row.total.calls:,}",
        f"{tokens.input:,}",
        f"{tokens.cached_share:.0%}",
        f"{tokens.output:,}",
        cost_text(app, row.total),
    ]


def cost_text(app: App, total: Total) -> str:
    """Write the cost of calls, as far as their prices are known."""
    known = f"{usd_of(total.cost_nano):.4f} USD"
    if not total.unpriced_calls:
        return known
    if total.unpriced_calls == total.calls:
        return app.say("cost_unknown")
    return app.say("cost_partly_known", known=known)


def _describe_budget(app: App, budget: Budget, used: Amount) -> str:
    parts: list[str] = []
    if budget.cost_nano_max is not None:
        parts.append(f"{usd_of(used.cost_nano):.4f} / {usd_of(budget.cost_nano_max):.4f} USD")
    if budget.tokens_max is not None:
        parts.append(app.say("tokens_of", used=used.tokens, limit=budget.tokens_max))
    return app.say(f"budget_of.{budget.key.period}", used=", ".join(parts))


def _is_of_money_alone(budget: Budget) -> bool:
    return budget.cost_nano_max is not None and budget.tokens_max is None


def _as_json(row: UsageRow) -> dict[str, Any]:
    total = row.total
    return {
        "name": row.name,
        "calls": total.calls,
        **Total().tokens.as_dict(),
        **total.tokens.as_dict(),
        "cached_share": round(total.tokens.cached_share, 4),
        "cost": usd_of(total.known_cost_nano),
        "known_cost": usd_of(total.cost_nano),
        "unpriced_calls": total.unpriced_calls,
    }


def _budget_as_json(budget: Budget, used: Amount) -> dict[str, Any]:
    return {
        "period": budget.key.period,
        "used_cost": usd_of(used.cost_nano),
        "cost_max": usd_of(budget.cost_nano_max),
        "used_tokens": used.tokens,
        "tokens_max": budget.tokens_max,
    }
