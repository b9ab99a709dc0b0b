"""`/api/v1/sessions/{id}/fork`, `.../export` and `/sessions/import`: whole sessions on the move."""

import tempfile
from pathlib import Path
from typing import Annotated, Any, Final, Literal

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from dataagent_core.session.mode import mode_of
from dataagent_server.api.answers.bytes_answer import (
    bytes_answer,
    make_scratch_folder,
    once_answer,
)
from dataagent_server.api.chat.live_events import log_of
from dataagent_server.api.deps import CurrentPrincipal, ServicesDep, WithoutTimeout
from dataagent_server.api.models import SessionInfo
from dataagent_server.api.models.fields import ID_PATTERN
from dataagent_server.api.models.sessions.session import CopiedSession, SessionFork
from dataagent_server.api.openapi import errors
from dataagent_server.api.path_params import IdempotencyHeader, SessionPath
from dataagent_server.api.request_body import body_pieces
from dataagent_server.common.errors import UnsupportedMediaError
from dataagent_server.composition import Services
from dataagent_server.identity.auth.principal import Principal
from dataagent_server.runs.idempotency import IdempotencyKey, RepeatedError, key_for
from dataagent_server.runs.idempotency.idempotency_rows import claim, find_known
from dataagent_server.runs.session_operations.session_copies import SessionCopy

router = APIRouter(prefix="/sessions", tags=["sessions"])

_ZIP: Final = "application/zip"
_BINARY: Final = {"type": "string", "format": "binary"}
_BODY: Final[dict[str, Any]] = {
    "requestBody": {"required": True, "content": {_ZIP: {"schema": _BINARY}}}
}


@router.post(
    "/{session_id}/fork",
    status_code=201,
    summary="Fork a session",
    responses=errors("NOT_FOUND", "CONFLICT"),
)
async def fork_session(
    session_id: SessionPath,
    body: SessionFork,
    principal: CurrentPrincipal,
    services: ServicesDep,
    idempotency_key: IdempotencyHeader = None,
) -> CopiedSession:
    """Begin a session of your own with what this one has before a message.

    The original is untouched; a run of it that is not finished stays behind. The copied runs are
    history: what they cost is counted where they ran.
    """
    key = None
    if idempotency_key is not None:
        request_parts = {"session_id": session_id, **body.model_dump()}
        tenant_id, user_id = principal.tenant_id, principal.user_id
        key = key_for(tenant_id, user_id, idempotency_key, "session.fork", request_parts)
        if (known := await _find_earlier(services, principal, key)) is not None:
            return known
    answer: dict[str, Any] = {}

    def also(connection: Any, made: Any) -> None:
        if key is not None:
            answer["session_id"] = made.session.session_id
            claim(connection, key, answer=answer)

    try:
        copy = await services.copies.fork(
            principal, session_id, message_id=body.message_id, title=body.title, also=also
        )
    except RepeatedError:
        assert key is not None
        known = await _find_earlier(services, principal, key)
        assert known is not None
        return known
    return await _make_answer(services, principal, copy)


@router.get(
    "/{session_id}/export",
    summary="Export a session",
    response_class=Response,
    responses={200: {"content": {
        "text/plain": {"schema": {"type": "string"}},
        "application/octet-stream": {"schema": _BINARY},
        "application/json": {"schema": {"type": "object"}},
    }}},
    dependencies=[WithoutTimeout],
)  # fmt: skip
async def export_session(
    session_id: SessionPath,
    principal: CurrentPrincipal,
    services: ServicesDep,
    kind: Annotated[
        Literal["md", "html", "json", "bundle"],
        Query(alias="format", description="A bundle is for `POST /sessions/import`"),
    ] = "md",
) -> Response:
    """Send a session as a download: to read, or to go on with elsewhere (without a workspace)."""
    if kind != "bundle":
        text = await services.copies.document(principal, session_id, kind)
        return bytes_answer(f"{session_id}.{kind}", text.encode())
    with tempfile.TemporaryDirectory(dir=make_scratch_folder(services.settings)) as folder:
        bundle_path = Path(folder) / "bundle.zip"
        await services.copies.bundle(principal, session_id, bundle_path)
        # Open before the folder goes: it is sent from what has no name any more.
        return once_answer(bundle_path, f"{session_id}.zip")


@router.post(
    "/import",
    status_code=201,
    summary="Import a session",
    responses=errors("NOT_FOUND", "PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE"),
    dependencies=[WithoutTimeout],
    openapi_extra=_BODY,
)
async def import_session(
    request: Request,
    principal: CurrentPrincipal,
    services: ServicesDep,
    assistant_id: Annotated[str | None, Query(pattern=ID_PATTERN)] = None,
) -> CopiedSession:
    """Make a session of your own of a bundle; it gets ids of its own.

    The file may be anybody's: what it says was said or allowed counts as a stranger's word.
    """
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != _ZIP:
        raise UnsupportedMediaError(f"Send the bundle as {_ZIP}.")
    usable = await services.assistants.resolve_id(principal, assistant_id)
    with tempfile.TemporaryDirectory(dir=make_scratch_folder(services.settings)) as folder:
        bundle_path = Path(folder) / "bundle.zip"
        with bundle_path.open("wb") as file:
            async for piece in body_pieces(request):
                file.write(piece)
        copy = await services.copies.take_in(principal, bundle_path, usable)
    return await _make_answer(services, principal, copy)


async def _make_answer(
    services: Services, principal: Principal, copy: SessionCopy
) -> CopiedSession:
    session_id = copy.listed.session.session_id
    log = log_of(services, principal.tenant_id)
    last, mode = await log.last_seq(session_id), await mode_of(log, session_id)
    return CopiedSession(
        session=SessionInfo.of(copy.listed, principal, last_seq=last, whole=True, mode=mode),
        runs=len(copy.part.runs),
        left_unfinished=copy.part.stops_at_unfinished,
        workspace_files=copy.workspace_files,
    )


async def _find_earlier(
    services: Services, principal: Principal, key: IdempotencyKey
) -> CopiedSession | None:
    known = await services.database.read(lambda c: find_known(c, key))
    if known is None or known.answer is None:
        return None
    found = await services.sessions.get(principal, known.answer["session_id"])
    session_id = found.session.session_id
    log = log_of(services, principal.tenant_id)
    last, mode = await log.last_seq(session_id), await mode_of(log, session_id)
    runs = await services.runs.service.runs(principal.tenant_id, session_id, only_open=False)
    return CopiedSession(
        session=SessionInfo.of(found, principal, last_seq=last, whole=True, mode=mode),
        runs=len(runs),
    )
