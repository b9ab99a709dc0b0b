"""A sign-in between its two requests: the browser is at the authorization server, not yet back.

It is stored on our side only. The browser carries `state`; a store uses its hash as the key, so
that neither the store's content nor the time of a lookup reveals it. A store that outlives the
process writes it with `tokens.dump_tokens`, encrypted.
"""

import hashlib
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from dataagent_core.config.limits.mcp import MCP_SIGN_IN_S, MCP_SIGN_INS_MAX
from dataagent_core.mcp.oauth.tokens import ClientRegistration
from dataagent_core.mcp.owner import Owner


@dataclass(frozen=True, slots=True, kw_only=True)
class PendingFlow:
    """Everything the second request needs; the verifier and the client secret are secrets."""

    owner: Owner
    # The server's name, for messages.
    server: str
    # The URL the tokens will be stored under, and the one they are requested for.
    key: str
    resource: str
    issuer: str
    # False with configured end points: then only the issuer's origin is known.
    issuer_known: bool = True
    # The server promised to name itself in its answer (RFC 9207).
    iss_promised: bool = False
    token_endpoint: str
    revocation_endpoint: str = ""
    client: ClientRegistration
    redirect_uri: str
    scope: str = ""
    state: str = field(repr=False)
    verifier: str = field(repr=False)
    created_at: float

    @property
    def flow_id(self) -> str:
        return flow_id(self.state)

    def is_over(self, now: float) -> bool:
        """Return whether the sign-in took too long."""
        return not 0 <= now - self.created_at <= MCP_SIGN_IN_S


def flow_id(state: str) -> str:
    """Return the key of the sign-in a `state` belongs to."""
    return hashlib.sha256(state.encode("utf-8", "surrogatepass")).hexdigest()


class MemoryFlows:
    """The sign-ins of one process, for the command line."""

    def __init__(self, clock: Callable[[], float] = time.time) -> None:
        self._flows: dict[str, PendingFlow] = {}
        self._clock = clock

    async def keep(self, flow: PendingFlow) -> None:
        """Keep a sign-in; expired ones, and the oldest of too many, are dropped."""
        now = self._clock()
        self._flows = {key: one for key, one in self._flows.items() if not one.is_over(now)}
        while len(self._flows) >= MCP_SIGN_INS_MAX:
            del self._flows[next(iter(self._flows))]
        self._flows[flow.flow_id] = flow

    async def take(self, flow_id: str) -> PendingFlow | None:
        return self._flows.pop(flow_id, None)
