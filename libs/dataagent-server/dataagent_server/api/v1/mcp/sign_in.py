"""The page a run names when a server wants its person to sign in: it sends them on."""

from typing import Annotated, Any

from fastapi import APIRouter, Path, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from dataagent_core.errors import DataAgentError, NotFoundError
from dataagent_server.api.deps import OptionalPrincipal, ServicesDep
from dataagent_server.api.models.fields import ID_PATTERN
from dataagent_server.api.pages.shell import page_headers
from dataagent_server.api.pages.sign_in_pages import failed_page
from dataagent_server.api.pages.texts import language_of, say
from dataagent_server.api.v1.mcp.shared import NamePath
from dataagent_server.common.error_table import mapping_of
from dataagent_server.common.errors import UnauthenticatedError
from dataagent_server.composition import Services
from dataagent_server.identity.auth.principal import Principal

router = APIRouter(prefix="/mcp/runs", tags=["mcp"])


@router.get("/{run_id}/servers/{name}/sign-in", include_in_schema=False)
async def sign_in_for_a_run(
    run_id: Annotated[str, Path(pattern=ID_PATTERN)],
    name: NamePath,
    request: Request,
    services: ServicesDep,
    principal: OptionalPrincipal,
) -> Response:
    """Begin the sign-in that a run of yours waits for, with the rights it wants."""
    language = language_of(request.headers.get("accept-language", ""))
    try:
        if principal is None:
            raise UnauthenticatedError(say("signed_out", language))
        url = await _begin(services, principal, run_id, name, str(request.base_url))
    except DataAgentError as error:
        status = mapping_of(error.code).http_status
        return HTMLResponse(failed_page(str(error), language), status, page_headers())
    return RedirectResponse(url, 303, {"cache-control": "no-store"})


async def _begin(
    services: Services, principal: Principal, run_id: str, name: str, address: str
) -> str:
    run = await services.runs.service.run(principal, run_id)
    if run.user_id != principal.user_id:
        raise NotFoundError(f"There is no run {run_id!r} of yours.")
    belongs = await services.mcp.servers.find_scope(principal, name, run.project_id)
    found = await services.mcp.servers.get_usable(principal, name, belongs)
    waiting = await services.runs.service.open_requests(principal, run.session_id)
    wanted = [_read_scopes(one.request, name) for one in waiting if one.kind == "oauth"]
    return await services.mcp.sign_in(principal, found, address, next(filter(None, wanted), ""))


def _read_scopes(request: dict[str, Any], server: str) -> str:
    """Read what a refused call wants off the question it asks."""
    for action in request.get("action_requests", ()):
        args = action.get("args", {})
        if args.get("server") == server:
            return str(args.get("scopes") or "")
    return ""
