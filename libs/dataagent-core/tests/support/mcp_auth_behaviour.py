"""How the authorization server of the tests behaves, and what it has granted."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from starlette.responses import Response


@dataclass
class Behaviour:
    """How the server behaves; a test changes it as it goes."""

    lifetime_s: int | None = 3600
    gives_refresh_tokens: bool = True
    rotates: bool = True
    registers: bool = True
    auth_methods: list[str] | None = field(default_factory=lambda: ["none"])
    # Changes what a registration answers.
    registration_says: dict[str, Any] = field(default_factory=dict[str, Any])
    reads_documents: bool = False
    sends_iss: bool = True
    promises_iss: bool = True
    wrong_iss: str = ""
    revokes: bool = True
    scopes: list[str] = field(default_factory=lambda: ["read"])
    server_scopes: list[str] | None = None
    # Tools that need a scope beyond those of the sign-in.
    tool_scopes: dict[str, str] = field(default_factory=lambda: {"write": "write"})
    publishes_resource: bool = True
    publishes_server: bool = True
    # Laid over what is published.
    resource_says: dict[str, Any] = field(default_factory=dict[str, Any])
    server_says: dict[str, Any] = field(default_factory=dict[str, Any])
    # Whole answers instead: for a path (or `GET /path`), what is sent.
    instead: dict[str, Callable[[], Response]] = field(
        default_factory=dict[str, Callable[[], Response]]
    )
    # Awaited before a renewal is answered.
    before_renewal: Callable[[], Awaitable[None]] | None = None
    names_metadata: bool = True


@dataclass(frozen=True)
class Grant:
    user: str
    client_id: str
    scope: str
    resource: str
    redirect_uri: str = ""
    challenge: str = ""
    expires_at: float | None = None
    family: str = ""
