"""`/`: the page a person sees who opens the server in a browser."""

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from dataagent_server.api.deps import OptionalPrincipal, ServicesDep
from dataagent_server.pages.home import home_page
from dataagent_server.pages.shell import page_headers
from dataagent_server.pages.texts import language_of

router = APIRouter(include_in_schema=False)


@router.get("/", response_class=HTMLResponse)
async def home(
    request: Request, services: ServicesDep, principal: OptionalPrincipal
) -> HTMLResponse:
    """Say that it runs, who is signed in and how to go on."""
    address = services.settings.public_url or str(request.base_url)
    language = language_of(request.headers.get("accept-language", ""))
    text = home_page(principal, address.rstrip("/"), language)
    return HTMLResponse(text, headers=page_headers() | {"vary": "Cookie, Accept-Language"})
