"""`/metrics` for Prometheus: for this machine, the metrics token, or a tenant's admin.

Counts leave out tenants and people, so that reading them tells nothing about anyone.
"""

import asyncio
import hmac

from fastapi import APIRouter, Request, Response
from prometheus_client import CONTENT_TYPE_LATEST

from dataagent_core.errors import DeniedError
from dataagent_server.api.deps import OptionalPrincipal, ServicesDep
from dataagent_server.api.middleware.local_only import reason_against
from dataagent_server.common.metrics.exposition import exposition
from dataagent_server.identity.auth.principal import outranks
from dataagent_server.settings import ServerSettings

router = APIRouter(tags=["server"])


@router.get(
    "/metrics",
    summary="Metrics for Prometheus",
    response_class=Response,
    responses={200: {"content": {"text/plain": {"schema": {"type": "string"}}}}},
)
async def metrics(
    request: Request, services: ServicesDep, principal: OptionalPrincipal
) -> Response:
    """Write every metric in Prometheus's text form."""
    admin = principal is not None and outranks(principal.role, "admin")
    if not (admin or _may_scrape(request, services.settings)):
        raise DeniedError(
            "Metrics are for this machine, for an admin, and for whoever shows "
            "DATAAGENT_METRICS_TOKEN as `Authorization: Bearer TOKEN`."
        )
    body = await asyncio.to_thread(exposition, services.metrics)
    return Response(body, media_type=CONTENT_TYPE_LATEST)


def _may_scrape(request: Request, settings: ServerSettings) -> bool:
    client = request.client.host if request.client else ""
    if settings.metrics_token is None:
        return reason_against(client, request.headers) is None
    shown = request.headers.get("authorization", "").removeprefix("Bearer ")
    expected = settings.metrics_token.get_secret_value()
    return hmac.compare_digest(shown.encode(), expected.encode())
