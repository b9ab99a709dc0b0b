"""`/` where the console was not built: a page that says so, and how to go on."""

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from dataagent_server.api.address import address_of
from dataagent_server.api.deps import OptionalPrincipal
from dataagent_server.api.pages.home import home_page
from dataagent_server.api.pages.shell import page_headers
from dataagent_server.api.pages.texts import language_of

router = APIRouter(include_in_schema=False)


@router.get("/", response_class=HTMLResponse)
async def home(request: Request, principal: OptionalPrincipal) -> HTMLResponse:
    """Say that it runs, who is signed in and how to go on."""
    language = language_of(request.headers.get("accept-language", ""))
    text = home_page(principal, address_of(request), language)
    return HTMLResponse(text, headers=page_headers() | {"vary": "Cookie, Accept-Language"})
