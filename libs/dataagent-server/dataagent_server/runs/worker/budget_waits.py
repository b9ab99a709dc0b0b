"""Runs that wait for a budget and fit now: a limit was raised, or a day began.

What a run was allowed beyond its budgets is in the answers to its earlier requests.
"""

from collections.abc import Sequence

from sqlalchemy import Connection

from dataagent_core.usage import Spender
from dataagent_core.usage.budget_request import read_allowance, read_requested_amount
from dataagent_server.common.ids import TenantId
from dataagent_server.db.database import Database
from dataagent_server.hitl import requests
from dataagent_server.hitl.requests import HumanRequest
from dataagent_server.runs import run_rows
from dataagent_server.runs.run_row import RunRow
from dataagent_server.runs.usage_service import UsageService

_Waiting = tuple[HumanRequest, RunRow, Sequence[HumanRequest]]


async def list_affordable_requests(
    database: Database, usage: UsageService, tenant_id: TenantId | None = None
) -> list[HumanRequest]:
    """List the open requests, of one tenant or of all, that no longer need an answer."""
    waiting = await database.read(lambda c: _list_waiting(c, tenant_id))
    return [
        request
        for request, run, earlier in waiting
        if await _has_budget(usage, request, run, earlier)
    ]


def _list_waiting(connection: Connection, tenant_id: TenantId | None) -> list[_Waiting]:
    found: list[_Waiting] = []
    for request in requests.list_budget_requests(connection, tenant_id):
        run = run_rows.find_run(connection, request.tenant_id, request.run_id)
        if run is not None:
            earlier = requests.list_requests(
                connection, request.tenant_id, run_id=request.run_id, only_open=False
            )
            found.append((request, run, earlier))
    return found


async def _has_budget(
    usage: UsageService, request: HumanRequest, run: RunRow, earlier: Sequence[HumanRequest]
) -> bool:
    account = usage.account_of(
        Spender(
            tenant_id=run.tenant_id,
            run_id=run.run_id,
            session_id=run.session_id,
            user_id=run.user_id,
            project_id=run.project_id,
        )
    )
    for one in earlier:
        if one.kind == "budget" and one.decision is not None:
            allowed = read_allowance(one.decision, one.event.action_requests)
            account.allow(one.interrupt_id, allowed)
    return await account.refusal(read_requested_amount(request.event.action_requests)) is None
