"""`/api/v1/reports/{id}/schedules`: reports that run by the clock."""

from typing import Annotated

from fastapi import APIRouter, Path

from dataagent_server.api.deps import CurrentPrincipal, ServicesDep
from dataagent_server.api.models import Page
from dataagent_server.api.models.data.reports import ScheduleChange, ScheduleCreate, ScheduleInfo
from dataagent_server.api.models.fields import ID_PATTERN
from dataagent_server.api.openapi import errors
from dataagent_server.api.v1.data.reports import ReportPath

router = APIRouter(prefix="/reports/{report_id}/schedules", tags=["reports"])

SchedulePath = Annotated[str, Path(pattern=ID_PATTERN)]


@router.get("", summary="List a report's schedules")
async def list_report_schedules(
    report_id: ReportPath, principal: CurrentPrincipal, services: ServicesDep
) -> Page[ScheduleInfo]:
    """List when a report runs by itself; there are few, so this is the only page."""
    found = await services.reports.schedules.list(principal, report_id)
    return Page(items=[ScheduleInfo.model_validate(one) for one in found])


@router.post("", status_code=201, summary="Schedule a report", responses=errors("LIMIT_REACHED"))
async def create_report_schedule(
    report_id: ReportPath, body: ScheduleCreate, principal: CurrentPrincipal, services: ServicesDep
) -> ScheduleInfo:
    """Let your report run by the clock, with the rights you have at that time."""
    made = await services.reports.schedules.create(principal, report_id, body.wishes(body.cron))
    return ScheduleInfo.model_validate(made)


@router.get("/{schedule_id}", summary="One schedule")
async def get_report_schedule(
    report_id: ReportPath,
    schedule_id: SchedulePath,
    principal: CurrentPrincipal,
    services: ServicesDep,
) -> ScheduleInfo:
    """Show when a report runs next, and what came of it last."""
    found = await services.reports.schedules.get(principal, report_id, schedule_id)
    return ScheduleInfo.model_validate(found)


@router.patch("/{schedule_id}", summary="Change a schedule", responses=errors("CONFLICT"))
async def change_report_schedule(
    report_id: ReportPath,
    schedule_id: SchedulePath,
    body: ScheduleChange,
    principal: CurrentPrincipal,
    services: ServicesDep,
) -> ScheduleInfo:
    """Change what is given; one that was stopped is taken up again with `is_active`."""
    gone = "webhook" in body.model_fields_set and body.webhook is None
    changed = await services.reports.schedules.change(
        principal, report_id, schedule_id, body.wishes(body.cron, no_webhook=gone), body.version
    )
    return ScheduleInfo.model_validate(changed)


@router.delete("/{schedule_id}", status_code=204, summary="Delete a schedule")
async def delete_report_schedule(
    report_id: ReportPath,
    schedule_id: SchedulePath,
    principal: CurrentPrincipal,
    services: ServicesDep,
) -> None:
    """Let the report run by itself no more."""
    await services.reports.schedules.delete(principal, report_id, schedule_id)
