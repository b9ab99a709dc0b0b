"""The console's page, `index.html`, made ready for one answer. Pure.

`<base href>` says below which path the console is served, so that its relative addresses work at
any depth; the nonce lets the styles through that Ant Design writes while it runs, and no others.
"""

import re
import secrets
from html import escape
from typing import Final

_BASE: Final = re.compile(r"<base href=[^>]*>")
_NONCE: Final = re.compile(r"<meta name=\"csp-nonce\"[^>]*>")
# 'self' covers the WebSocket too. Reports and files are framed from blobs or from ourselves.
_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'nonce-{nonce}'; "
    "img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; frame-src 'self' blob:; "
    "worker-src 'self' blob:; manifest-src 'self'; base-uri 'self'; form-action 'self'; "
    "frame-ancestors 'none'"
)


def new_nonce() -> str:
    """Make a nonce for one answer."""
    return secrets.token_urlsafe(18)


def filled_page(html: str, base_path: str, nonce: str) -> str:
    """Write base path and nonce into the page."""
    base = f'<base href="{escape(base_path)}" />'
    meta = f'<meta name="csp-nonce" content="{nonce}" />'
    # Given by functions: a backslash in what is written in has no meaning.
    return _NONCE.sub(lambda _: meta, _BASE.sub(lambda _: base, html, count=1), count=1)


def page_headers(nonce: str) -> dict[str, str]:
    """Say what the page may do.

    No validator goes along: a 304 would join this answer's policy with the page of another nonce.
    """
    return {
        "content-security-policy": _POLICY.format(nonce=nonce),
        "cache-control": "no-cache",
    }
