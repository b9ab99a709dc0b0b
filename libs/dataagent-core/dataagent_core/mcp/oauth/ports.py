"""The stores of tokens and of unfinished sign-ins.

The conformance suites are in `dataagent_core.testing.conformance.mcp_oauth`.
"""

from contextlib import AbstractAsyncContextManager
from typing import Protocol

from dataagent_core.mcp.oauth.pending_flow import PendingFlow
from dataagent_core.mcp.oauth.tokens import ClientRegistration, OAuthTokens
from dataagent_core.mcp.owner import Owner


class TokenStore(Protocol):
    """Tokens and clients per (tenant, user, resource URL), never by a server's name.

    A name can be given to another address, where its tokens must not go.
    """

    async def get_tokens(self, owner: Owner, resource: str) -> OAuthTokens | None: ...

    async def set_tokens(self, owner: Owner, resource: str, tokens: OAuthTokens) -> None: ...

    async def delete_tokens(self, owner: Owner, resource: str) -> None: ...

    async def get_client(self, owner: Owner, resource: str) -> ClientRegistration | None: ...

    async def set_client(self, owner: Owner, resource: str, client: ClientRegistration) -> None: ...

    async def delete_client(self, owner: Owner, resource: str) -> None: ...

    def lock(self, owner: Owner, resource: str) -> AbstractAsyncContextManager[None]:
        """Hold this lock against every other holder, in any process.

        It is held during a token request, and is released when the process that holds it ends.
        Reading and writing need no lock. Not re-entrant.
        """
        ...


class PendingFlows(Protocol):
    """Sign-ins that were started and not finished; each can be taken once."""

    async def keep(self, flow: PendingFlow) -> None: ...

    async def take(self, flow_id: str) -> PendingFlow | None:
        """Remove and return a sign-in, so that only one caller gets it."""
        ...
