"""`/api/v1/sessions/{id}/artifacts/{artifact_id}`: a file that a call in the session made."""

from typing import Annotated, Final

from fastapi import APIRouter, Header, Path, Query
from starlette.responses import Response

from dataagent_core.errors import NotFoundError
from dataagent_server.api.answers.file_answer import FileAnswer
from dataagent_server.api.answers.inline_answer import page_in_frame, picture_or_download
from dataagent_server.api.deps import CurrentPrincipal, ServicesDep
from dataagent_server.api.models.fields import ID_PATTERN
from dataagent_server.api.openapi import errors
from dataagent_server.api.path_params import SessionPath
from dataagent_server.api.v1.data.results import describe_download
from dataagent_server.sessions.artifact_rows import Artifact, find_artifact
from dataagent_server.workspaces.files.workspace_files import OpenedFile

router = APIRouter(prefix="/sessions", tags=["sessions"])

# A result is written down a moment after its files are.
_LATER_S: Final = 5.0


@router.get(
    "/{session_id}/artifacts/{artifact_id}",
    summary="A file that a tool made",
    status_code=200,
    response_class=FileAnswer,
    responses={
        **describe_download(
            "image/png", "application/json", "text/html", "application/octet-stream"
        ),
        204: {"description": "The file is gone, and `if_there` was set"},
        **errors("NOT_FOUND", "PATH_ESCAPE_ERROR"),
    },
)
async def get_session_artifact(
    session_id: SessionPath,
    artifact_id: Annotated[str, Path(pattern=ID_PATTERN)],
    principal: CurrentPrincipal,
    services: ServicesDep,
    *,
    preview: Annotated[bool, Query(description="HTML only: to be shown in a frame")] = False,
    if_there: Annotated[
        bool, Query(description="Answer 204, not 404, where the workspace no longer has the file")
    ] = False,
    range_: Annotated[str | None, Header(alias="Range", max_length=200)] = None,
) -> Response:
    """Send what `tool_result.artifacts` lists under this id, to whoever may read the session.

    Pictures are sent to be shown, everything else as a download. The file is the one in the
    owner's workspace: others get it only for as long as it is the one that the tool made.
    """
    session = (await services.sessions.get(principal, session_id)).session
    made = await services.database.read(
        lambda c: find_artifact(c, principal.tenant_id, session_id, artifact_id)
    )
    if made is None:
        raise NotFoundError(f"There is no artifact {artifact_id!r}.")
    try:
        file = await services.workspaces.files.open_made(
            principal.tenant_id, session.user_id, made.path
        )
    except NotFoundError:
        # A rewind took it back, or somebody deleted it: what the log says of it stays true.
        if if_there:
            return Response(status_code=204)
        raise NotFoundError(f"{made.path!r} is not in the workspace any more.") from None
    if session.user_id != principal.user_id and not _is_same(file, made):
        file.close()
        raise NotFoundError("The file has been changed since; ask whoever owns the session.")
    return page_in_frame(file) if preview else picture_or_download(file, range_)


def _is_same(file: OpenedFile, made: Artifact) -> bool:
    written_s = file.node.mtime_ns / 1e9
    return file.node.size_bytes == made.size_bytes and written_s <= made.made_at_s + _LATER_S
