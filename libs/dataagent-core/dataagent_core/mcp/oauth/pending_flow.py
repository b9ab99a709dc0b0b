"""A sign-in between its two requests: sent to the authorization server, not yet back.

It is kept on our side only. The browser carries `state`, and a store knows it by its hash, so that
neither a look at the store nor the time a search takes gives it away. A store that outlives the
process writes it with `tokens.written`, encrypted.
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
    """Everything the second request needs; the verifier and the client's secret are secrets."""

    owner: Owner
    # What the person calls the server, for messages.
    server: str
    # Under which URL the tokens will be stored, and for which they are asked.
    key: str
    resource: str
    issuer: str
    # False with end points a person wrote down: then only the issuer's origin is known.
    issuer_known: bool = True
    # It promised to name itself in its answer (RFC 9207).
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
        """Name it in a store."""
        return flow_id(self.state)

    def is_over(self, now: float) -> bool:
        """Say whether the person took too long."""
        return not 0 <= now - self.created_at <= MCP_SIGN_IN_S


def flow_id(state: str) -> str:
    """Name the sign-in a `state` belongs to."""
    return hashlib.sha256(state.encode("utf-8", "surrogatepass")).hexdigest()


class MemoryFlows:
    """The sign-ins of one process: what the command line needs."""

    def __init__(self, clock: Callable[[], float] = time.time) -> None:
        self._flows: dict[str, PendingFlow] = {}
        self._clock = clock

    async def keep(self, flow: PendingFlow) -> None:
        """Keep it; who took too long, or is the oldest of too many, makes room."""
        now = self._clock()
        self._flows = {key: one for key, one in self._flows.items() if not one.is_over(now)}
        while len(self._flows) >= MCP_SIGN_INS_MAX:
            del self._flows[next(iter(self._flows))]
        self._flows[flow.flow_id] = flow

    async def take(self, flow_id: str) -> PendingFlow | None:
        """Give it and forget it."""
        return self._flows.pop(flow_id, None)
