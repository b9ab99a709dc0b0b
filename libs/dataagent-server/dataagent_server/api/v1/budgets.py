"""`/api/v1/budgets`: what users, projects and the tenant may use in a day or a month."""

from typing import Annotated

from fastapi import APIRouter, Query

from dataagent_core.usage import BudgetKey
from dataagent_server.api.deps import CurrentPrincipal, ServicesDep
from dataagent_server.api.models.fields import ID_PATTERN
from dataagent_server.api.models.usage import (
    BudgetChange,
    BudgetInfo,
    BudgetList,
    BudgetPeriod,
    BudgetScope,
)
from dataagent_server.api.openapi import errors

router = APIRouter(prefix="/budgets", tags=["usage"])


@router.get("", summary="Budgets and how far they are used")
async def list_budgets(principal: CurrentPrincipal, services: ServicesDep) -> BudgetList:
    """List your own budgets, or as an admin those of everybody, of projects and of the tenant."""
    found = await services.runs.usage.budgets(principal)
    return BudgetList(budgets=[BudgetInfo.of(one) for one in found])


@router.put(
    "", summary="Set a budget", responses=errors("NOT_FOUND", "PERMISSION_DENIED", "LIMIT_REACHED")
)
async def set_budget(
    body: BudgetChange, principal: CurrentPrincipal, services: ServicesDep
) -> BudgetInfo:
    """Make or change a budget, as an admin; it holds from the next model call on.

    Runs that waited at a budget and have room now go on.
    """
    standing = await services.runs.usage.set_budget(principal, body.budget())
    await services.runs.service.resume_after_budget(principal.tenant_id, principal.user_id)
    return BudgetInfo.of(standing)


@router.delete(
    "", status_code=204, summary="Lift a budget", responses=errors("NOT_FOUND", "PERMISSION_DENIED")
)
async def delete_budget(
    principal: CurrentPrincipal,
    services: ServicesDep,
    *,
    scope: BudgetScope,
    scope_id: Annotated[str, Query(pattern=ID_PATTERN)],
    period: BudgetPeriod,
) -> None:
    """Remove a budget, as an admin; runs that waited at it go on."""
    await services.runs.usage.remove_budget(principal, BudgetKey(scope, scope_id, period))
    await services.runs.service.resume_after_budget(principal.tenant_id, principal.user_id)
