"""Users sign in at MCP servers through this server: each for themselves, also at shared ones.

Core's `SignIn` does the protocol; here it is bound to a user: a sign-in that a browser began can
only be finished by the same user's browser, so that nobody can be tricked by a link into giving
their account away.
"""

from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final
from urllib.parse import quote

from dataagent_core.config.limits.mcp import MCP_SIGN_IN_S
from dataagent_core.errors import (
    ConfigurationError,
    ConflictError,
    DeniedError,
    ToolExecutionError,
)
from dataagent_core.mcp.owner import Owner
from dataagent_core.secrets import Cipher
from dataagent_server.agents.mcp_servers.dial_rules import Dialable, clients_for_sign_ins
from dataagent_server.agents.mcp_servers.mcp_server_service import ServerMatch
from dataagent_server.agents.mcp_servers.sign_in.flows import DatabaseFlows, PendingSignIn
from dataagent_server.agents.mcp_servers.sign_in.token_store import DatabaseTokenStore
from dataagent_server.db.database import Database
from dataagent_server.identity.auth import Principal

if TYPE_CHECKING:
    from dataagent_core.mcp.oauth import CallbackAnswer, SignIn

SIGN_IN_S: Final = MCP_SIGN_IN_S


@dataclass(frozen=True, slots=True)
class SignIns:
    """The sign-ins of an installation; `public_url` is where browsers reach it."""

    database: Database
    cipher: Cipher
    store: DatabaseTokenStore
    dialable: Dialable
    public_url: str | None

    async def begin(
        self, principal: Principal, found: ServerMatch, address: str, scopes: str
    ) -> str:
        """Return the URL where the user continues; `address` is ours as they see it.

        `scopes` are what a refused call needs beyond the usual ones.
        """
        from dataagent_core.mcp.oauth.client_page import callback_url

        flows = DatabaseFlows(self.database, self.cipher, principal.login_id)
        redirect = callback_url(self.public_url or address)
        with _as_conflict():
            begun = await self._make_sign_in(flows).begin(
                owner_of(principal), found.config, redirect, scopes
            )
        return begun.authorization_url

    async def finish(self, principal: Principal | None, answer: "CallbackAnswer") -> PendingSignIn:
        """Take what a browser brought back; return whose sign-in it was, and at which server."""
        from dataagent_core.mcp.oauth.callback_server import unknown_flow
        from dataagent_core.mcp.oauth.pending_flow import flow_id

        flows = DatabaseFlows(self.database, self.cipher)
        begun = await flows.find_pending(flow_id(answer.state))
        if begun is None:
            raise unknown_flow()
        _require_same_person(begun, principal)
        with _as_conflict():
            await self._make_sign_in(flows).finish(Owner(begun.tenant_id, begun.user_id), answer)
        return begun

    async def sign_out(self, principal: Principal, found: ServerMatch) -> bool:
        """Delete a user's tokens and ask the server to revoke them; return whether it did."""
        flows = DatabaseFlows(self.database, self.cipher)
        return await self._make_sign_in(flows).sign_out(owner_of(principal), found.config)

    def _make_sign_in(self, flows: DatabaseFlows) -> "SignIn":
        from dataagent_core.mcp.oauth import SignIn, client_document_url

        return SignIn(
            store=self.store,
            flows=flows,
            client_factory=clients_for_sign_ins(self.dialable),
            document_url=client_document_url(self.public_url) if self.public_url else "",
        )


@contextmanager
def _as_conflict() -> Generator[None]:
    """Report an error of the server as a conflict: the user cannot sign in there now."""
    try:
        yield
    except (ToolExecutionError, ConfigurationError) as error:
        raise ConflictError(str(error)) from error


def owner_of(principal: Principal) -> Owner:
    """Return the principal as core's `Owner`."""
    return Owner(principal.tenant_id, principal.user_id)


def sign_in_pages(public_url: str | None) -> Callable[[str, str], str]:
    """Return the page where the user of a run (its id) signs in at a server (its name).

    Without a public address only the path: the client that shows it knows the address.
    """
    base = (public_url or "").rstrip("/")

    def page(run_id: str, server: str) -> str:
        return f"{base}/api/v1/mcp/runs/{quote(run_id)}/servers/{quote(server)}/sign-in"

    return page


def _require_same_person(begun: PendingSignIn, principal: Principal | None) -> None:
    if principal is None:
        # A program with an API key began it, and no browser is signed in; then the one-time
        # `state`, known to whoever was given the URL, is sufficient.
        if begun.login_id is None:
            return
    elif (principal.tenant_id, principal.user_id) == (begun.tenant_id, begun.user_id):
        return
    raise DeniedError(
        "This sign-in was begun by somebody else, or in another browser. Sign in to DataAgent "
        "here, then start it again."
    )
