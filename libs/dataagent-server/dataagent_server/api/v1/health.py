"""`/api/v1/health` and `/api/v1/ready`: alive, and able to work. Neither needs a key."""

import time

from fastapi import APIRouter

from dataagent_server.api.deps import ServicesDep
from dataagent_server.api.models.health import HealthResponse, ReadyResponse
from dataagent_server.api.openapi import PUBLIC, errors
from dataagent_server.common.version import server_version
from dataagent_server.composition.readiness import require_ready

router = APIRouter(tags=["server"])


@router.get("/health", summary="Is the process alive?", openapi_extra=PUBLIC)
async def health(services: ServicesDep) -> HealthResponse:
    """Answer from memory, so that a slow database does not get the process restarted."""
    return HealthResponse(
        status="stopping" if services.stopping.is_set() else "ok",
        version=server_version(),
        uptime=round(time.monotonic() - services.began_s, 3),
    )


@router.get(
    "/ready",
    summary="Can the server do its work?",
    openapi_extra=PUBLIC,
    responses=errors("OVERLOADED"),
)
async def ready(services: ServicesDep) -> ReadyResponse:
    """Ask the database, its schema, the disk and what else this server depends on.

    503 while one of them fails or the server is stopping; `details.checks` says which.
    """
    checks = await require_ready(services.checks, stopping=services.stopping.is_set())
    return ReadyResponse(status="ready", checks=checks)
