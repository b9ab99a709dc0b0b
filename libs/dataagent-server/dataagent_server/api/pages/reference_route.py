"""`/api/v1/openapi.json`, and `/api/docs`: the same as a page that needs nothing from elsewhere."""

from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, JSONResponse

from dataagent_server.api.openapi import document
from dataagent_server.api.pages.reference import reference_page
from dataagent_server.api.pages.shell import page_headers

router = APIRouter(include_in_schema=False)


@router.get("/api/v1/openapi.json")
async def openapi_document(request: Request) -> JSONResponse:
    """Give the machine-readable description of the API."""
    return JSONResponse(document(request.app))


@router.get("/api/docs")
async def reference(request: Request) -> HTMLResponse:
    """Show the same to people."""
    schema: dict[str, Any] = document(request.app)
    return HTMLResponse(reference_page(schema), headers=page_headers())
