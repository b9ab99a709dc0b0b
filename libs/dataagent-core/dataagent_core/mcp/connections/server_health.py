"""What is known of a server from its past: its failures, its sign-in, the era it speaks."""

from typing import TYPE_CHECKING

from dataagent_core.errors import MCPServerError, SignInNeededError
from dataagent_core.mcp.connections.backoff import CLOSED, Backoff
from dataagent_core.mcp.connections.connection_limit import ConnectionLimitError
from dataagent_core.mcp.connections.reasons import reason_of
from dataagent_core.mcp.ports import ServerStatus

if TYPE_CHECKING:
    from dataagent_core.mcp.connections.live_server import LiveServer


class ServerHealth:
    """Kept from one connection to the next."""

    def __init__(self, server: str, backoff: Backoff) -> None:
        self._server = server
        self._backoff = backoff
        self._breaker = CLOSED
        self._sign_in: SignInNeededError | None = None
        self._protocol_version = ""
        # Spoke the handshake last time: it is not asked again whether it is modern.
        self.legacy = False

    def check(self) -> None:
        """Refuse a try that comes too early, with the reason of the last one."""
        now_s = self._backoff.now_s()
        if self._breaker.wait_s(now_s):
            raise MCPServerError(self._server, self._breaker.sentence(now_s))

    def connected(self, live: "LiveServer") -> None:
        self._sign_in = None
        self._protocol_version = live.protocol_version
        self.legacy = not live.modern

    def answered(self) -> None:
        self._breaker = CLOSED
        self._sign_in = None

    def sign_in_needed(self, problem: SignInNeededError) -> None:
        self._sign_in = problem

    def failed(self, problem: MCPServerError) -> None:
        """Note that it could not be connected."""
        match problem:
            case SignInNeededError():
                self._sign_in = problem
            case ConnectionLimitError():
                pass
            case _:
                self._breaker = self._backoff.after_failure(self._breaker, reason_of(problem))
                self.legacy = False  # perhaps it was replaced by one of the other era

    def lost(self, problem: MCPServerError) -> None:
        """Note that it went away by itself."""
        if isinstance(problem, SignInNeededError):
            self._sign_in = problem
        else:
            self._breaker = self._backoff.after_loss(self._breaker, reason_of(problem))

    def status(
        self,
        live: "LiveServer | None",
        tools: int,
        *,
        connecting: bool,
        problem: MCPServerError | None = None,
    ) -> ServerStatus:
        version = self._protocol_version
        if self._sign_in is not None:
            return ServerStatus("needs_auth", str(self._sign_in), version, tools)
        if live is not None:
            return ServerStatus("connected", live.note, version, tools)
        if connecting:
            return ServerStatus("connecting", "", version, tools)
        # Lost once, and opened again by the next call, is no error yet.
        state = "error" if self._breaker.retry_at_s else "disconnected"
        reason = self._breaker.reason if problem is None else reason_of(problem)
        return ServerStatus(state, reason, version, tools)
