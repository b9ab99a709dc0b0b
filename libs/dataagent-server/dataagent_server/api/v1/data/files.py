"""`/api/v1/data/files`: how the data files of your default workspace are read."""

from typing import Annotated

from fastapi import APIRouter, Query

from dataagent_core.config.limits.data import DATA_URL_CHARS_MAX
from dataagent_server.api.deps import CurrentPrincipal, ServicesDep
from dataagent_server.api.models.data.readings import FileReadingInfo, ReadingChange
from dataagent_server.api.openapi import errors

router = APIRouter(prefix="/data/files", tags=["data"])

PathQuery = Annotated[
    str,
    Query(
        min_length=1,
        max_length=DATA_URL_CHARS_MAX,
        description="The path of a data file, or of a folder of them",
        examples=["/uploads/sales.csv"],
    ),
]
_ERRORS = errors("NOT_FOUND", "PATH_ESCAPE_ERROR", "VALIDATION_ERROR")
_SAVING = errors("CONFLICT", "LIMIT_REACHED", "NOT_FOUND", "PATH_ESCAPE_ERROR", "VALIDATION_ERROR")


@router.get("/reading", summary="How a data file is read", responses=_ERRORS)
async def get_file_reading(
    path: PathQuery, principal: CurrentPrincipal, services: ServicesDep
) -> FileReadingInfo:
    """Show what you chose about how a file of your default workspace is read."""
    found = await services.data.file_reading(principal, path)
    return FileReadingInfo.model_validate(found, from_attributes=True)


@router.patch("/reading", summary="Choose how a data file is read", responses=_SAVING)
async def change_file_reading(
    path: PathQuery, body: ReadingChange, principal: CurrentPrincipal, services: ServicesDep
) -> FileReadingInfo:
    """Choose how a file of your default workspace is read from the next question on."""
    found = await services.data.choose_file_reading(principal, path, body.wish)
    return FileReadingInfo.model_validate(found, from_attributes=True)
