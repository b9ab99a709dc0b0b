"""`/api/v1/mcp/oauth`: where browsers come back to from signing in, and who we are there."""

from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from dataagent_core.errors import DataAgentError, NotFoundError
from dataagent_server.api.deps import OptionalPrincipal, ServicesDep
from dataagent_server.api.openapi import PUBLIC, errors
from dataagent_server.api.pages.shell import page_headers
from dataagent_server.api.pages.sign_in_pages import failed_page, signed_in_page
from dataagent_server.api.pages.texts import language_of
from dataagent_server.common.error_table import mapping_of
from dataagent_server.common.ids import TenantId

router = APIRouter(prefix="/mcp/oauth", tags=["mcp"])


@router.get("/callback", include_in_schema=False, response_class=HTMLResponse)
async def finish_mcp_sign_in(
    request: Request, services: ServicesDep, principal: OptionalPrincipal
) -> HTMLResponse:
    """Take what the authorization server gave the browser, and say how it went."""
    from dataagent_core.mcp.oauth import CallbackAnswer

    language = language_of(request.headers.get("accept-language", ""))
    # Not kept, not passed on: the address holds a code, if a used one.
    headers = page_headers() | {"cache-control": "no-store", "referrer-policy": "no-referrer"}
    try:
        begun = await services.mcp.finish_sign_in(
            principal, CallbackAnswer.from_query(request.url.query)
        )
        tenant_id = TenantId(begun.tenant_id)
        await services.runs.service.resume_after_sign_in(tenant_id, begun.user_id, begun.server)
    except DataAgentError as error:
        status = mapping_of(error.code).http_status
        return HTMLResponse(failed_page(str(error), language), status, headers)
    return HTMLResponse(signed_in_page(begun.server, language), headers=headers)


@router.get(
    "/client.json",
    summary="Who we are to authorization servers",
    openapi_extra=PUBLIC,
    responses=errors("NOT_FOUND"),
)
async def get_oauth_client(services: ServicesDep) -> dict[str, Any]:
    """Give our client-id document (CIMD), where DATAAGENT_PUBLIC_URL is an https address."""
    from dataagent_core.mcp.oauth import client_document, client_document_url

    public_url = services.settings.public_url
    if public_url is None or not client_document_url(public_url):
        raise NotFoundError("There is no client-id document: DATAAGENT_PUBLIC_URL is not https.")
    return client_document(public_url)
