"""Signing in at MCP servers, and signing the requests to them.

    SignIn          begin / finish / sign_out: what a person does, in a browser
    auth_for        what a run uses: tokens from the store, renewed in time, never a browser
    TokenStore      where both meet: tokens per (tenant, user, resource)

Names are loaded on first use: the SDK behind them is heavy.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dataagent_core.mcp.oauth.bounded_http import ClientFactory
    from dataagent_core.mcp.oauth.callback_server import CallbackAnswer
    from dataagent_core.mcp.oauth.client_page import client_document, client_document_url
    from dataagent_core.mcp.oauth.file_store import FileTokenStore
    from dataagent_core.mcp.oauth.local_sign_in import sign_in_here
    from dataagent_core.mcp.oauth.pending_flow import MemoryFlows, PendingFlow
    from dataagent_core.mcp.oauth.ports import PendingFlows, TokenStore
    from dataagent_core.mcp.oauth.request_auth import auth_for
    from dataagent_core.mcp.oauth.sign_in import SignIn
    from dataagent_core.mcp.oauth.tokens import ClientRegistration, OAuthTokens

_HOMES = {
    "CallbackAnswer": "callback_server",
    "ClientFactory": "bounded_http",
    "ClientRegistration": "tokens",
    "FileTokenStore": "file_store",
    "MemoryFlows": "pending_flow",
    "OAuthTokens": "tokens",
    "PendingFlow": "pending_flow",
    "PendingFlows": "ports",
    "SignIn": "sign_in",
    "TokenStore": "ports",
    "auth_for": "request_auth",
    "client_document": "client_page",
    "client_document_url": "client_page",
    "sign_in_here": "local_sign_in",
}

__all__ = [
    "CallbackAnswer",
    "ClientFactory",
    "ClientRegistration",
    "FileTokenStore",
    "MemoryFlows",
    "OAuthTokens",
    "PendingFlow",
    "PendingFlows",
    "SignIn",
    "TokenStore",
    "auth_for",
    "client_document",
    "client_document_url",
    "sign_in_here",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
