"""`/api/v1/version`: which software this is."""

import platform

from fastapi import APIRouter

from dataagent_server.api.models.health import VersionResponse
from dataagent_server.api.openapi import PUBLIC
from dataagent_server.common.version import server_version

router = APIRouter(tags=["server"])


@router.get("/version", summary="Which version is this?", openapi_extra=PUBLIC)
async def version() -> VersionResponse:
    """Name the server's version and the API's."""
    return VersionResponse(version=server_version(), python=platform.python_version())
