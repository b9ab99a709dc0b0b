"""`/api/v1/openapi.json` and `/api/docs`: the API's reference as a document and as a page.

The page lists every operation with its parameters, body and answers, and loads nothing from other
hosts.
"""

import json
from html import escape
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, JSONResponse

from dataagent_server.api.openapi import document
from dataagent_server.api.pages.shell import page, page_headers

_SHOWN_CHARS_MAX = 4_000
router = APIRouter(include_in_schema=False)


@router.get("/api/v1/openapi.json")
async def openapi_document(request: Request) -> JSONResponse:
    """Return the machine-readable description of the API."""
    return JSONResponse(document(request.app))


@router.get("/api/docs")
async def reference(request: Request) -> HTMLResponse:
    """Return the same to people."""
    schema: dict[str, Any] = document(request.app)
    return HTMLResponse(reference_page(schema), headers=page_headers())


def reference_page(schema: dict[str, Any]) -> str:
    """Write the page of an OpenAPI document."""
    info = schema["info"]
    parts = [
        f"<h1>{escape(info['title'])} <span class='soft'>{escape(info['version'])}</span></h1>",
        *(f"<p>{_render_text(text)}</p>" for text in info.get("description", "").split("\n\n")),
        "<p><a href='v1/openapi.json'>openapi.json</a></p>",
    ]
    for tag in schema.get("tags", []):
        operations = _find_operations(schema, tag["name"])
        if operations:
            parts.append(f"<h2 id='{escape(tag['name'])}'>{escape(tag['name'])}</h2>")
            parts.append(f"<p class='soft'>{escape(tag.get('description', ''))}</p>")
            parts += [_render_operation(*each) for each in operations]
    return page(info["title"], "\n".join(parts))


def _find_operations(schema: dict[str, Any], tag: str) -> list[tuple[str, str, dict[str, Any]]]:
    return [
        (path, method, operation)
        for path, operations in schema["paths"].items()
        for method, operation in operations.items()
        if tag in operation.get("tags", [])
    ]


def _render_operation(path: str, method: str, operation: dict[str, Any]) -> str:
    rows = [
        (f"{each['name']} ({each['in']})", each.get("description") or _type_name(each["schema"]))
        for each in operation.get("parameters", [])
    ]
    answers = [
        (status, answer.get("description", ""))
        for status, answer in sorted(operation["responses"].items())
    ]
    body = operation.get("requestBody", {}).get("content", {})
    shown = "".join(
        f"<p>{escape(kind)}: {_type_name(each.get('schema', {}))}</p>"
        for kind, each in body.items()
    )
    return (
        f"<details class='card' id='{escape(operation['operationId'])}'><summary>"
        f"<code class='verb'>{escape(method.upper())}</code> <code>{escape(path)}</code> "
        f"<span class='soft'>{escape(operation.get('summary', ''))}</span></summary>"
        f"<p>{_render_text(operation.get('description', ''))}</p>"
        f"{_render_table('Parameter', rows)}{'<h3>Body</h3>' + shown if shown else ''}"
        f"{_render_table('Answer', answers)}</details>"
    )


def _render_table(head: str, rows: list[tuple[str, str]]) -> str:
    if not rows:
        return ""
    lines = "".join(
        f"<tr><td><code>{escape(name)}</code></td><td>{escape(text)}</td></tr>"
        for name, text in rows
    )
    heads = f"<th scope='col'>{head}</th><th scope='col'>Meaning</th>"
    return f"<table><thead><tr>{heads}</tr></thead><tbody>{lines}</tbody></table>"


def _type_name(schema: dict[str, Any]) -> str:
    if "$ref" in schema:
        return str(schema["$ref"].rpartition("/")[2])
    if "anyOf" in schema:
        return " or ".join(_type_name(each) for each in schema["anyOf"])
    if "type" in schema:
        return str(schema["type"])
    return escape(json.dumps(schema))[:_SHOWN_CHARS_MAX]


def _render_text(text: str) -> str:
    """Escape a text and show what stands between back quotes as code."""
    pieces = escape(text.replace("**", "")).split("`")
    return "".join(f"<code>{each}</code>" if i % 2 else each for i, each in enumerate(pieces))
