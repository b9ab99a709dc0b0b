"""Refuses requests beyond what this process can handle at once.

A request counts until its answer begins; live connections have a limit of their own. Before
authentication it counts for the caller that `rate_limit/` sees, then for its tenant; nobody may
hold more than their share (`sessions/live/fair_share.py`).
"""

from collections import Counter

from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from dataagent_server.api.middleware.caller import caller_address
from dataagent_server.api.middleware.probe_paths import is_probe
from dataagent_server.common.errors import OverloadedError, RateLimitedError
from dataagent_server.common.metrics import Metrics
from dataagent_server.sessions.live.fair_share import FairShare


class CapacityMiddleware:
    """Puts a request's slot into its state, where authentication assigns it to a tenant."""

    def __init__(
        self, app: ASGIApp, *, requests_max: int, share: FairShare, metrics: Metrics
    ) -> None:
        self._app = app
        self._slots = RequestSlots(requests_max, share, metrics)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or is_probe(scope["path"]):
            await self._app(scope, receive, send)
            return
        state = scope["state"]
        # Without a rate limit no credentials are identified.
        caller: str = state.get("caller") or caller_address(HTTPConnection(scope))
        slot = state["place"] = RequestSlot(self._slots, caller)

        async def watched(message: Message) -> None:
            if message["type"] == "http.response.start":
                slot.leave()
            await send(message)

        try:
            await self._app(scope, receive, watched)
        finally:
            slot.leave()


class RequestSlots:
    """Counts the active requests by holder."""

    def __init__(self, requests_max: int, share: FairShare, metrics: Metrics) -> None:
        self._requests_max = requests_max
        self._share = share
        self._metrics = metrics
        self._held: Counter[str] = Counter()

    def take(self, holder: str) -> None:
        """Take a slot, or raise: none is free here (503), or for this holder (429)."""
        free = self._requests_max - self._held.total()
        if free > 0 and self._share.leaves_room(self._held[holder], free):
            self._held[holder] += 1
            return
        self._metrics.refused.labels("overloaded").inc()
        if free > 0:
            raise RateLimitedError(
                f"You have {self._held[holder]} requests under way, which is your share of this "
                "server (DATAAGENT_MAX_REQUESTS). Wait for one of them first.",
                retry_after_s=1,
            )
        raise OverloadedError(
            "Service temporarily unavailable, please try again later: the server works on "
            f"{self._requests_max} requests already (DATAAGENT_MAX_REQUESTS)."
        )

    def give_back(self, holder: str) -> None:
        """Free a slot."""
        self._held[holder] -= 1
        if not self._held[holder]:
            # Holders without entries are removed.
            del self._held[holder]


class RequestSlot:
    """The slot of one active request."""

    def __init__(self, places: RequestSlots, holder: str) -> None:
        self._slots = places
        places.take(holder)
        self._holder: str | None = holder

    def belongs_to(self, tenant_id: str) -> None:
        """Assign it to a tenant, if the tenant has capacity."""
        if self._holder is not None:
            self.leave()
            holder = f"tenant:{tenant_id}"
            self._slots.take(holder)
            self._holder = holder

    def leave(self) -> None:
        """Free the slot; doing so twice is harmless."""
        if self._holder is not None:
            self._slots.give_back(self._holder)
            self._holder = None
