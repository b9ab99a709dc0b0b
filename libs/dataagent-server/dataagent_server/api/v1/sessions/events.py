"""`GET /api/v1/sessions/{id}/events`: what happened, in pages; live in `api/sse/`."""

from typing import Annotated

from fastapi import APIRouter, Query, Response

from dataagent_core.config.limits import EVENTS_PAGE_DEFAULT, EVENTS_PAGE_MAX
from dataagent_server.api.deps import CurrentPrincipal, ServicesDep
from dataagent_server.api.event_pages import begin_after, event_page
from dataagent_server.api.models.fields import ID_PATTERN
from dataagent_server.api.models.sessions.event import EventList
from dataagent_server.api.path_params import Seq, SessionPath

router = APIRouter(tags=["sessions"])


@router.get(
    "/sessions/{session_id}/events", summary="The events of a session", response_model=EventList
)
async def list_events(
    session_id: SessionPath,
    principal: CurrentPrincipal,
    services: ServicesDep,
    *,
    after: Seq | None = None,
    from_sequence: Seq | None = None,
    run_id: Annotated[
        str | None, Query(pattern=ID_PATTERN, description="Only the events of this run")
    ] = None,
    limit: Annotated[int, Query(ge=1, le=EVENTS_PAGE_MAX)] = EVENTS_PAGE_DEFAULT,
) -> Response:
    """List events after a number, or from one on; each as the log has it.

    The next page begins after the last number of this one, also where the events of one run have
    gaps between their numbers.
    """
    begin = begin_after(after, from_sequence)
    lines, more = await event_page(
        services, principal, session_id, after=begin, limit=limit, run_id=run_id
    )
    # The log keeps JSON: passing it on is many times faster than reading and writing it again.
    body = f'{{"events":[{",".join(text for _, text in lines)}],"has_more":{str(more).lower()}}}'
    return Response(body, media_type="application/json")
