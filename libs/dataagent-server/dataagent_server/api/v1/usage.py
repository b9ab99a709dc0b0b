"""`/api/v1/usage`: what models were used for, in tokens and money."""

from datetime import date
from typing import Annotated

from fastapi import APIRouter, Query

from dataagent_core.config.limits import USAGE_ROWS_MAX
from dataagent_core.usage import UsageQuery
from dataagent_core.usage.usage_store import GroupBy
from dataagent_server.api.deps import CurrentPrincipal, ServicesDep
from dataagent_server.api.models.fields import ID_PATTERN
from dataagent_server.api.models.usage import UsageInfo, UsageReport

router = APIRouter(prefix="/usage", tags=["usage"])

_Id = Annotated[str | None, Query(pattern=ID_PATTERN)]
_Day = Annotated[date | None, Query(description="In UTC", examples=["2030-01-31"])]


@router.get("", summary="What was used")
async def report_usage(
    principal: CurrentPrincipal,
    services: ServicesDep,
    *,
    by: GroupBy = "day",
    since: _Day = None,
    until: _Day = None,
    user_id: _Id = None,
    project_id: _Id = None,
    session_id: _Id = None,
    run_id: _Id = None,
    after: Annotated[str | None, Query(max_length=255, description="Of the page before")] = None,
    limit: Annotated[int, Query(ge=1, le=USAGE_ROWS_MAX)] = USAGE_ROWS_MAX,
) -> UsageReport:
    """Add up model calls by what you name: your own, or as an admin everybody's.

    Runs and sessions are told apart for 90 days; sums of days, users, projects and models stay.
    """
    query = UsageQuery(
        by=by,
        since=since and since.isoformat(),
        until=until and until.isoformat(),
        user_id=user_id,
        project_id=project_id,
        session_id=session_id,
        run_id=run_id,
        after=after,
        # One more than is shown says whether there is a next page.
        limit=limit + 1,
    )
    found = await services.runs.usage.report(principal, query)
    more = found[limit - 1].name if len(found) > limit else None
    return UsageReport(usage=[UsageInfo.of(row) for row in found[:limit]], next_after=more)
