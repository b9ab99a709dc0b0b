"""The OpenAPI document: FastAPI's, with our errors on every operation and the authentication.

A route names its own errors with `responses=errors("CONFLICT", ...)`; the errors of every route are
added here.
"""

from typing import Any, Final

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from fastapi.routing import APIRoute

from dataagent_server.api.models import ErrorResponse
from dataagent_server.common.error_table import mapping_of

DESCRIPTION: Final = """\
Everything a person can do with DataAgent, for programs.

**Sign in** with `X-API-Key: KEY` or `Authorization: Bearer KEY`; browsers use a cookie and send
`X-CSRF-Token` with every change.

**Errors** always have one form: `{"error_code", "message", "details", "request_id"}`. A value that
cannot be used is 422 `VALIDATION_ERROR`. Another tenant's things are 404, just like missing ones.

**Live events** come over `WS /ws/chat/{session_id}` or as server-sent events; both can be left and
taken up again at any number.
"""

TAGS: Final = [
    {"name": "server", "description": "Whether it is well, and which version it is"},
    {"name": "chat", "description": "Send messages, follow and stop what comes of them"},
    {"name": "sessions", "description": "Conversations, their messages and events"},
    {"name": "runs", "description": "The work done for one message"},
    {"name": "usage", "description": "What models were used for, and what they may be"},
    {"name": "requests", "description": "What waits for a person's decision"},
    {"name": "agents", "description": "Assistants and sub-agents"},
    {"name": "skills", "description": "What an agent learns for a task, and tools called as one"},
    {"name": "patterns", "description": "Ways of working that were learned from what succeeded"},
    {"name": "memories", "description": "What is remembered of you, and the graph made of it"},
    {"name": "workspaces", "description": "Files an agent works on"},
    {"name": "data", "description": "Sources, queries, results, charts, metrics"},
    {"name": "mcp", "description": "MCP servers: tools from elsewhere, for each person their own"},
    {"name": "reports", "description": "Reports of data: kept, run again, run by the clock"},
    {"name": "auth", "description": "Signing in and out"},
    {"name": "keys", "description": "API keys"},
    {"name": "users", "description": "People and their roles"},
    {"name": "tenants", "description": "Organisations and their limits"},
    {"name": "projects", "description": "Groups of sessions inside a tenant"},
    {"name": "audit", "description": "What was changed, by whom, and whether the record is whole"},
    {"name": "credentials", "description": "Keys of model providers, encrypted"},
]

_EXAMPLES: Final = {
    "VALIDATION_ERROR": "The request is not valid: body.message: Field required.",
    "UNAUTHENTICATED": "No API key was sent. Send one as X-API-Key.",
    "PERMISSION_DENIED": "The role 'viewer' may not do this.",
    "NOT_FOUND": "There is no session 'a1b2'.",
    "CONFLICT": "The request was answered already.",
    "SESSION_BUSY": "The session's queue is full; wait for its run to end.",
    "PAYLOAD_TOO_LARGE": "The body is larger than the 4,194,304 bytes allowed here.",
    "UNSUPPORTED_MEDIA_TYPE": "The body's content type is 'text/plain'; send application/json.",
    "RATE_LIMITED": "Too many requests; try again in 0.5 seconds.",
    "OVERLOADED": "Service temporarily unavailable, please try again later.",
    "TIMEOUT": "The request was not answered within 60 seconds.",
    "CONFIGURATION_ERROR": "The server is not configured for this.",
    "QUERY_REFUSED": "DELETE may not run here: only one SELECT may.",
    "QUERY_FAILED": "The query was stopped after 30 s.",
    "QUOTA_EXCEEDED": "The workspace has room for 0 bytes and 9 files more.",
    "LIMIT_REACHED": "The tenant has its 1,000 sources. Delete one first.",
    "INTERNAL": "Something went wrong on the server.",
}
_EVERYWHERE: Final[tuple[str, ...]] = (
    "VALIDATION_ERROR",
    "RATE_LIMITED",
    "INTERNAL",
    "OVERLOADED",
    "TIMEOUT",
)
_SIGNED_IN: Final[tuple[str, ...]] = ("UNAUTHENTICATED", "PERMISSION_DENIED")
_WITH_BODY: Final[tuple[str, ...]] = ("PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE")
PUBLIC: Final[dict[str, Any]] = {"security": []}


def errors(*codes: str) -> dict[int | str, dict[str, Any]]:
    """Describe the errors a route may answer with, for its `responses`."""
    by_status: dict[int | str, dict[str, Any]] = {}
    for code in codes:
        status = mapping_of(code).http_status
        known = by_status.get(status)
        examples = known["content"]["application/json"]["examples"] if known else {}
        by_status[status] = {
            "model": ErrorResponse,
            "description": ", ".join([*examples, code]),
            "content": {"application/json": {"examples": examples | {code: _make_example(code)}}},
        }
    return by_status


def operation_id(route: APIRoute) -> str:
    """Name an operation by its function; a test checks that the names differ."""
    return route.name


def document(app: FastAPI) -> dict[str, Any]:
    """Write the document, once per application."""
    if app.openapi_schema is None:
        schema = get_openapi(
            title=app.title, version=app.version, description=DESCRIPTION, routes=app.routes,
            tags=TAGS,
        )  # fmt: skip
        _add_security(schema)
        for path, operations in schema["paths"].items():
            for operation in operations.values():
                _add_errors(path, operation)
        for unused in ("HTTPValidationError", "ValidationError"):
            schema["components"]["schemas"].pop(unused, None)
        app.openapi_schema = schema
    return app.openapi_schema


def _add_security(schema: dict[str, Any]) -> None:
    components = schema.setdefault("components", {})
    components.setdefault("schemas", {})["ErrorResponse"] = ErrorResponse.model_json_schema(
        ref_template="#/components/schemas/{model}"
    )
    components["securitySchemes"] = {
        "apiKey": {"type": "apiKey", "in": "header", "name": "X-API-Key"},
        "bearer": {"type": "http", "scheme": "bearer"},
        "cookie": {"type": "apiKey", "in": "cookie", "name": "dataagent_session"},
    }
    schema["security"] = [{"apiKey": []}, {"bearer": []}, {"cookie": []}]


def _add_errors(path: str, operation: dict[str, Any]) -> None:
    codes: list[str] = [*_EVERYWHERE]
    if operation.get("security") != []:
        codes += _SIGNED_IN
    if "requestBody" in operation:
        codes += _WITH_BODY
    if "{" in path:
        codes.append("NOT_FOUND")
    responses = operation["responses"]
    if "HTTPValidationError" in str(responses.get("422", "")):
        del responses["422"]
    for status, described in errors(*codes).items():
        body = described["content"]["application/json"]
        known = responses.setdefault(str(status), {"description": described["description"]})
        shown = known.setdefault("content", {}).setdefault("application/json", {})
        shown["schema"] = {"$ref": "#/components/schemas/ErrorResponse"}
        shown["examples"] = body["examples"] | shown.get("examples", {})
        known["description"] = ", ".join(shown["examples"])


def _make_example(code: str) -> dict[str, Any]:
    message = _EXAMPLES.get(code, "What was wrong, with which value, and what to do.")
    value = {"error_code": code, "message": message, "details": None, "request_id": "4f1d2c..."}
    return {"value": value}
