"""`/api/v1/sessions`: conversations, made, listed, found, renamed and deleted."""

from typing import Annotated

from fastapi import APIRouter, Query, Response

from dataagent_core.config.limits.sessions import SEARCH_CHARS_MAX
from dataagent_core.session.mode import DEFAULT_MODE, mode_of
from dataagent_server.api.chat.live_events import log_of
from dataagent_server.api.chat.start_run import prepare_session
from dataagent_server.api.deps import CurrentPrincipal, ServicesDep
from dataagent_server.api.models import Page, SessionInfo
from dataagent_server.api.models.fields import ID_PATTERN
from dataagent_server.api.models.sessions.session import SessionCreate, SessionUpdate
from dataagent_server.api.openapi import errors
from dataagent_server.api.page_params import Cursor
from dataagent_server.api.path_params import IdempotencyHeader, SessionPath
from dataagent_server.composition import Services
from dataagent_server.identity.auth.principal import Principal
from dataagent_server.runs.idempotency import IdempotencyKey, RepeatedError, key_for
from dataagent_server.runs.idempotency.idempotency_rows import claim, find_known
from dataagent_server.sessions.session_service import SessionChange
from dataagent_server.stores.session_lists import (
    PAGE_DEFAULT,
    PAGE_MAX,
    SessionFilter,
)

router = APIRouter(prefix="/sessions", tags=["sessions"])
_Id = Annotated[str | None, Query(pattern=ID_PATTERN)]


@router.post(
    "",
    status_code=201,
    summary="Create a session",
    responses=errors("NOT_FOUND", "CONFLICT"),
)
async def create_session(
    body: SessionCreate,
    principal: CurrentPrincipal,
    services: ServicesDep,
    idempotency_key: IdempotencyHeader = None,
) -> SessionInfo:
    """Make a session of your own; an id that is taken is a conflict."""
    key = None
    if idempotency_key is not None:
        tenant_id, user_id = principal.tenant_id, principal.user_id
        key = key_for(tenant_id, user_id, idempotency_key, "session", body.model_dump())
        if (made_before := await _find_earlier(services, key)) is not None:
            return await _load_info(services, principal, made_before)
    made = await prepare_session(services, principal, **body.model_dump())
    answer = {"session_id": made.session.session_id}
    try:
        await services.sessions.create(
            principal, made, (lambda c: claim(c, key, answer=answer)) if key else None
        )
    except RepeatedError:
        assert key is not None
        first = await _find_earlier(services, key) or ""
        return await _load_info(services, principal, first)
    return SessionInfo.of(made, principal, last_seq=0, whole=True, mode=DEFAULT_MODE)


@router.get("", summary="List or search sessions")
async def list_sessions(
    principal: CurrentPrincipal,
    services: ServicesDep,
    *,
    user_id: _Id = None,
    project_id: _Id = None,
    assistant_id: _Id = None,
    q: Annotated[
        str | None,
        Query(max_length=SEARCH_CHARS_MAX, description="Words; all are in the title or messages"),
    ] = None,
    everyone: Annotated[bool, Query(description="Of all people of the tenant; admins")] = False,
    shared: Annotated[bool, Query(description="Only what others have shared with you")] = False,
    limit: Annotated[int, Query(ge=1, le=PAGE_MAX)] = PAGE_DEFAULT,
    after: Cursor = None,
) -> Page[SessionInfo]:
    """List your sessions, the last used first; an admin may ask for somebody else's.

    A search looks through so many sessions at a time: a page may be short and still have a next.
    """
    which = SessionFilter(
        user_id=user_id or (None if everyone or shared else principal.user_id),
        shared_with=principal.user_id if shared else None,
        project_id=project_id,
        assistant_id=assistant_id,
    )
    words = q.replace("\x00", "") if q else None
    page = await services.sessions.list(principal, which, limit=limit, cursor=after, words=words)
    return Page(items=[SessionInfo.of(one, principal) for one in page.items], next=page.next_cursor)


@router.get("/{session_id}", summary="One session")
async def get_session(
    session_id: SessionPath, principal: CurrentPrincipal, services: ServicesDep
) -> SessionInfo:
    """Show a session and how far its log has come."""
    shown = await _load_info(services, principal, session_id)
    last = await log_of(services, principal.tenant_id).last_seq(session_id)
    return shown.model_copy(update={"last_seq": last})


@router.patch("/{session_id}", summary="Change a session's title, project, metadata or planning")
async def update_session(
    session_id: SessionPath,
    body: SessionUpdate,
    principal: CurrentPrincipal,
    services: ServicesDep,
) -> SessionInfo:
    """Change what is given."""
    if body.project_id is not None:
        await services.people.projects.get(principal, body.project_id)
    fields = frozenset(body.model_fields_set)
    change = SessionChange(fields=fields, **body.model_dump())
    await services.sessions.change(principal, session_id, change)
    return await _load_info(services, principal, session_id, None)


@router.delete(
    "/{session_id}",
    status_code=204,
    summary="Delete a session",
    responses=errors("CONFLICT"),
)
async def delete_session(
    session_id: SessionPath, principal: CurrentPrincipal, services: ServicesDep
) -> Response:
    """Delete it with its messages, events, runs and requests. Cancel what is under way first."""
    await services.remover.remove(principal, session_id)
    return Response(status_code=204)


async def _load_info(
    services: Services, principal: Principal, session_id: str, last_seq: int | None = 0
) -> SessionInfo:
    found = await services.sessions.get(principal, session_id)
    mode = await mode_of(log_of(services, principal.tenant_id), session_id)
    return SessionInfo.of(found, principal, last_seq=last_seq, whole=True, mode=mode)


async def _find_earlier(services: Services, key: IdempotencyKey) -> str | None:
    known = await services.database.read(lambda c: find_known(c, key))
    return None if known is None or known.answer is None else known.answer["session_id"]
