"""What signs the requests to a server, for whoever's connection it is."""

import random
import time
from collections.abc import Callable
from urllib.parse import urlsplit

import httpx2

from dataagent_core.mcp.config import MCPServerConfig
from dataagent_core.mcp.oauth.bearer import BearerAuth
from dataagent_core.mcp.oauth.bounded_http import BoundedHttp, ClientFactory, plain_client
from dataagent_core.mcp.oauth.ports import TokenStore
from dataagent_core.mcp.oauth.renewal import KeptTokens
from dataagent_core.mcp.oauth.resource import resource_of
from dataagent_core.mcp.owner import Owner
from dataagent_core.mcp.ports import AuthFor


def auth_for(
    store: TokenStore,
    *,
    client_factory: ClientFactory = plain_client,
    clock: Callable[[], float] = time.time,
    spread: Callable[[], float] = random.random,
) -> AuthFor:
    """Give the maker of `httpx2.Auth`s: one per owner and server, with that owner's tokens."""

    def auth(owner: Owner, config: MCPServerConfig) -> httpx2.Auth | None:
        if not _needs_us(config):
            return None
        kept = KeptTokens(
            owner=owner,
            config=config,
            resource=resource_of(config),
            store=store,
            http=BoundedHttp(config.name, client_factory),
            spread=spread(),
            clock=clock,
        )
        return BearerAuth(kept)

    return auth


def _needs_us(config: MCPServerConfig) -> bool:
    if config.transport not in ("http", "sse"):
        return False
    if config.oauth is not None:
        return True
    # Whoever wrote a header or a password into the URL has settled it.
    written = any(name.lower() == "authorization" for name in config.headers)
    return not written and "@" not in urlsplit(config.url).netloc
