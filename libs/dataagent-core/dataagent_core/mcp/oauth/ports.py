"""Where tokens and half-done sign-ins are kept.

The suites every adapter runs are in `dataagent_core.testing.conformance.mcp_oauth`.
"""

from contextlib import AbstractAsyncContextManager
from typing import Protocol

from dataagent_core.mcp.oauth.pending_flow import PendingFlow
from dataagent_core.mcp.oauth.tokens import ClientRegistration, OAuthTokens
from dataagent_core.mcp.owner import Owner


class TokenStore(Protocol):
    """Tokens and clients per (tenant, user, resource URL), never by a server's name.

    A name can be given to another address; a token must not follow it there.
    """

    async def get_tokens(self, owner: Owner, resource: str) -> OAuthTokens | None: ...

    async def set_tokens(self, owner: Owner, resource: str, tokens: OAuthTokens) -> None: ...

    async def delete_tokens(self, owner: Owner, resource: str) -> None: ...

    async def get_client(self, owner: Owner, resource: str) -> ClientRegistration | None: ...

    async def set_client(self, owner: Owner, resource: str, client: ClientRegistration) -> None: ...

    async def delete_client(self, owner: Owner, resource: str) -> None: ...

    def lock(self, owner: Owner, resource: str) -> AbstractAsyncContextManager[None]:
        """Hold off everybody else, in any process, who wants this lock.

        It is held while a token request is under way, and ends with the process that holds it.
        Reading and writing need no lock. Not re-entrant.
        """
        ...


class PendingFlows(Protocol):
    """Sign-ins that were begun and not finished, each to be taken once."""

    async def keep(self, flow: PendingFlow) -> None: ...

    async def take(self, flow_id: str) -> PendingFlow | None:
        """Give it and forget it, so that of two who ask one gets it."""
        ...
