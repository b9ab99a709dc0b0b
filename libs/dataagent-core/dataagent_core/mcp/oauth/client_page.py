"""Our client-id document (CIMD), a page at our public URL whose address is the client's id.

The server serves it; this module builds its content.
"""

from typing import Any

from dataagent_core.errors import ConfigurationError

CLIENT_NAME = "DataAgent"
CALLBACK_PATH = "/api/v1/mcp/oauth/callback"
CLIENT_DOCUMENT_PATH = "/api/v1/mcp/oauth/client.json"


def client_document_url(public_url: str) -> str:
    """Return our client id, or "" without an https URL: servers fetch it over https only."""
    from mcp.client.auth.utils import is_valid_client_metadata_url

    url = f"{public_url.rstrip('/')}{CLIENT_DOCUMENT_PATH}"
    return url if is_valid_client_metadata_url(url) else ""


def callback_url(public_url: str) -> str:
    """Return the URL that browsers are redirected to."""
    return f"{public_url.rstrip('/')}{CALLBACK_PATH}"


def client_document(public_url: str) -> dict[str, Any]:
    """Build the document."""
    client_id = client_document_url(public_url)
    if not client_id:
        raise ConfigurationError(
            f"The public URL {public_url!r} is not https, so servers cannot read who we are there. "
            "Set DATAAGENT_PUBLIC_URL to the https address people use."
        )
    return {
        "client_id": client_id,
        "client_name": CLIENT_NAME,
        "client_uri": public_url.rstrip("/"),
        "redirect_uris": [callback_url(public_url)],
        "grant_types": ["authorization_code", "refresh_token"],
        "response_types": ["code"],
        "token_endpoint_auth_method": "none",
        "application_type": "web",
    }
