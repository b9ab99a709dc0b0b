"""`/api/v1/workspaces/{id}/files` (S4): list, upload, download, delete.

A path is a query parameter, `?path=/uploads/data.csv`, so that no proxy tidies it up on the way. It
is read byte by byte: percent-encoded names that are not UTF-8 can be named too.
"""

from contextlib import AsyncExitStack
from typing import Annotated, Any, Final

from fastapi import APIRouter, Depends, Header, Query, Request

from dataagent_server.api.answers.file_answer import FileAnswer
from dataagent_server.api.deps import CurrentPrincipal, ServicesDep, WithoutTimeout
from dataagent_server.api.models import Page
from dataagent_server.api.models.workspaces import FileInfo, Removed, StoredFile
from dataagent_server.api.openapi import errors
from dataagent_server.api.request_body import body_pieces, receive_form
from dataagent_server.api.v1.workspaces import WorkspacePath
from dataagent_server.workspaces.files import cursor, paths
from dataagent_server.workspaces.files.file_lists import FileListRequest
from dataagent_server.workspaces.limits import LIST_PAGE_DEFAULT, LIST_PAGE_MAX

router = APIRouter(prefix="/workspaces/{workspace_id}", tags=["workspaces"])

_PATH_CHARS_MAX: Final = 4_000
_PATH = Query(max_length=_PATH_CHARS_MAX, examples=["/uploads/data.csv"])
_HERE = errors("WORKSPACE_NOT_FOUND", "NOT_FOUND", "PATH_ESCAPE_ERROR")
_WRITING = errors("WORKSPACE_NOT_FOUND", "PATH_ESCAPE_ERROR", "QUOTA_EXCEEDED", "CONFLICT",
                  "PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE", "DIRECTORY_ERROR")  # fmt: skip
_BINARY: Final = {"type": "string", "format": "binary"}


def named_path(request: Request, path: Annotated[str, _PATH]) -> str:
    """Read the path as it was sent, not as UTF-8 text."""
    return paths.path_in_query(request.scope["query_string"], "path") or path


def folder_path(request: Request, path: Annotated[str, _PATH] = "/uploads") -> str:
    """Read the path of a folder."""
    return paths.path_in_query(request.scope["query_string"], "path") or path


def listed_path(request: Request, path: Annotated[str, _PATH] = "/") -> str:
    """Read the path of a folder to list."""
    return paths.path_in_query(request.scope["query_string"], "path") or path


NamedPath = Annotated[str, Depends(named_path)]


def _describe_body(media_type: str, schema: dict[str, Any]) -> dict[str, Any]:
    return {"requestBody": {"required": True, "content": {media_type: {"schema": schema}}}}


@router.get("/files", summary="List files", responses=_HERE)
async def list_workspace_files(
    workspace_id: WorkspacePath,
    principal: CurrentPrincipal,
    services: ServicesDep,
    path: Annotated[str, Depends(listed_path)],
    *,
    recursive: bool = False,
    after: Annotated[str | None, Query(pattern=r"^[A-Za-z0-9_-]{0,8000}$")] = None,
    limit: Annotated[int, Query(ge=1, le=LIST_PAGE_MAX)] = LIST_PAGE_DEFAULT,
) -> Page[FileInfo]:
    """List a folder, or with `recursive` the tree beneath it, in the order of names' bytes."""
    request = FileListRequest(path, recursive, cursor.read(after), limit)
    entries, last = await services.workspaces.files.list(principal, workspace_id, request)
    return Page(items=[FileInfo.of(one) for one in entries], next=cursor.write(last))


@router.get(
    "/files/content",
    summary="Download a file",
    status_code=200,  # FastAPI cannot find it in this class
    response_class=FileAnswer,
    responses={
        **_HERE,
        200: {"content": {"application/octet-stream": {"schema": _BINARY}}},
        206: {"content": {"application/octet-stream": {"schema": _BINARY}},
              "description": "The range that was asked for"},
    },
)  # fmt: skip
async def download_workspace_file(
    workspace_id: WorkspacePath,
    principal: CurrentPrincipal,
    services: ServicesDep,
    path: NamedPath,
    range_: Annotated[str | None, Header(alias="Range", max_length=200)] = None,
) -> FileAnswer:
    """Send a file as a download; `Range: bytes=0-99` sends a part of it."""
    file = await services.workspaces.files.open(principal, workspace_id, path)
    return FileAnswer(file, range_)


@router.put(
    "/files/content",
    status_code=201,
    summary="Upload a file as it is",
    responses=_WRITING,
    dependencies=[WithoutTimeout],
    openapi_extra=_describe_body("application/octet-stream", _BINARY),
)
async def put_workspace_file(
    request: Request,
    workspace_id: WorkspacePath,
    principal: CurrentPrincipal,
    services: ServicesDep,
    path: NamedPath,
) -> StoredFile:
    """Write the request's body to a file in `/uploads` or `/files`, replacing what is there."""
    announced = request.headers.get("content-length")
    async with await services.workspaces.files.upload(principal, workspace_id, path) as upload:
        if announced is not None:
            await upload.expect(int(announced))
        async for piece in body_pieces(request):
            await upload.write(piece)
        await upload.finish()
    return StoredFile(path=upload.path, size_bytes=upload.size_bytes)


@router.post(
    "/files",
    status_code=201,
    summary="Upload files of a form",
    responses=_WRITING,
    dependencies=[WithoutTimeout],
    openapi_extra=_describe_body(
        "multipart/form-data",
        {
            "type": "object",
            "properties": {"file": {"type": "array", "items": _BINARY}},
            "required": ["file"],
        },
    ),
)
async def upload_workspace_files(
    request: Request,
    workspace_id: WorkspacePath,
    principal: CurrentPrincipal,
    services: ServicesDep,
    path: Annotated[str, Depends(folder_path)],
) -> list[StoredFile]:
    """Write every file of the form into a folder; all of them, or none if one cannot be."""
    async with AsyncExitStack() as stack:

        async def begin(name: str) -> Any:
            place = paths.join_path(path, name)
            files = services.workspaces.files
            return await stack.enter_async_context(
                await files.upload(principal, workspace_id, place)
            )

        uploads = await receive_form(request, begin)
        for upload in uploads:
            await upload.finish()
    return [StoredFile(path=one.path, size_bytes=one.size_bytes) for one in uploads]


@router.delete("/files", summary="Delete a file or folder", responses=_HERE)
async def delete_workspace_file(
    workspace_id: WorkspacePath,
    principal: CurrentPrincipal,
    services: ServicesDep,
    path: NamedPath,
) -> Removed:
    """Delete it for good, a folder with everything in it; of a link only the link goes."""
    removed = await services.workspaces.files.delete(principal, workspace_id, path)
    return Removed(size_bytes=removed.size_bytes, files=removed.files)


@router.post("/folders", status_code=204, summary="Make a folder", responses=_WRITING)
async def make_workspace_folder(
    workspace_id: WorkspacePath,
    principal: CurrentPrincipal,
    services: ServicesDep,
    path: NamedPath,
) -> None:
    """Make a folder in `/uploads` or `/files`, with those above it."""
    await services.workspaces.files.make_folder(principal, workspace_id, path)
