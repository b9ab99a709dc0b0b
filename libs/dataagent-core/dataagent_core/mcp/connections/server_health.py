"""What is known of a server from its past: its failures, its sign-in, the era it speaks.

When a server that failed may be tried again: values only, the clock is the caller's.

A failed connect waits; the first lost connection does not, the next call simply opens a new one.
Losses in a row, with no answer in between, wait as failed connects do.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dataagent_core.errors import MCPServerError, SignInNeededError
from dataagent_core.mcp.connections.connection_limit import ConnectionLimitError, ConnectionLimits
from dataagent_core.mcp.connections.reasons import reason_of
from dataagent_core.mcp.ports import ServerStatus

if TYPE_CHECKING:
    from dataagent_core.mcp.connections.live_server import LiveServer


@dataclass(frozen=True, slots=True)
class ServerBreaker:
    """How often the server failed in a row, why, and when the next try is due."""

    failures: int = 0
    reason: str = ""
    # 0 if it may be tried at any time.
    retry_at_s: float = 0.0

    def wait_s(self, now_s: float) -> float:
        """Return the seconds until a try is allowed; 0 if it is."""
        return max(0.0, self.retry_at_s - now_s)

    def sentence(self, now_s: float) -> str:
        times = "once" if self.failures == 1 else f"{self.failures} times"
        return f"was tried {times}, next try in {self.wait_s(now_s):.0f} s: {self.reason}"


CLOSED = ServerBreaker()


@dataclass(frozen=True, slots=True)
class Backoff:
    """How long to wait after so many failures."""

    limits: ConnectionLimits
    now_s: Callable[[], float]
    # Between 0 and 1: processes that lost the same server do not reconnect at the same time.
    random: Callable[[], float]

    def after_failure(self, breaker: ServerBreaker, reason: str) -> ServerBreaker:
        return self._next_breaker(breaker, reason, breaker.failures + 1)

    def after_loss(self, breaker: ServerBreaker, reason: str) -> ServerBreaker:
        return self._next_breaker(breaker, reason, breaker.failures)

    def _next_breaker(self, breaker: ServerBreaker, reason: str, doublings: int) -> ServerBreaker:
        failures = breaker.failures + 1
        if doublings == 0:
            return ServerBreaker(failures, reason)
        return ServerBreaker(failures, reason, self.now_s() + self._delay_s(doublings))

    def _delay_s(self, failures: int) -> float:
        # The exponent is bounded first: 2**5000 does not fit a float.
        longest = self.limits.retry_base_s * 2 ** min(failures - 1, 30)
        return min(longest, self.limits.retry_delay_s_max) * (0.5 + self.random() / 2)


class ServerHealth:
    """Kept from one connection to the next."""

    def __init__(self, server: str, backoff: Backoff) -> None:
        self._server = server
        self._backoff = backoff
        self._breaker = CLOSED
        self._sign_in: SignInNeededError | None = None
        self._protocol_version = ""
        # The server used the handshake last time: the modern probe is skipped.
        self.legacy = False

    def check(self) -> None:
        """Raise if the next try is not due yet, with the reason of the last failure."""
        now_s = self._backoff.now_s()
        if self._breaker.wait_s(now_s):
            raise MCPServerError(self._server, self._breaker.sentence(now_s))

    def record_connected(self, live: "LiveServer") -> None:
        self._sign_in = None
        self._protocol_version = live.protocol_version
        self.legacy = not live.is_modern

    def record_answer(self) -> None:
        self._breaker = CLOSED
        self._sign_in = None

    def record_sign_in_needed(self, problem: SignInNeededError) -> None:
        self._sign_in = problem

    def record_failure(self, problem: MCPServerError) -> None:
        match problem:
            case SignInNeededError():
                self._sign_in = problem
            case ConnectionLimitError():
                pass
            case _:
                self._breaker = self._backoff.after_failure(self._breaker, reason_of(problem))
                self.legacy = False  # it may have been replaced by one with the other protocol

    def record_loss(self, problem: MCPServerError) -> None:
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
        # A server that was lost once is no error yet: the next call connects again.
        state = "error" if self._breaker.retry_at_s else "disconnected"
        reason = self._breaker.reason if problem is None else reason_of(problem)
        return ServerStatus(state, reason, version, tools)
