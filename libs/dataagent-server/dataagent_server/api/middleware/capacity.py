"""Refuses requests beyond what this process can work on at once, instead of letting all starve.

A request counts until its answer begins; live connections have a limit of their own. Until it is
signed in it counts for whom `rate_limit/` takes its sender, then for its tenant; nobody may hold
more than their share (`sessions/live/fair_share.py`).
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
    """Leaves a request's place in its state, where signing in says whose it is."""

    def __init__(
        self, app: ASGIApp, *, requests_max: int, share: FairShare, metrics: Metrics
    ) -> None:
        self._app = app
        self._places = RequestSlots(requests_max, share, metrics)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or is_probe(scope["path"]):
            await self._app(scope, receive, send)
            return
        state = scope["state"]
        # Without a rate there is nobody who knows credentials.
        caller: str = state.get("caller") or caller_address(HTTPConnection(scope))
        place = state["place"] = RequestSlot(self._places, caller)

        async def watched(message: Message) -> None:
            if message["type"] == "http.response.start":
                place.leave()
            await send(message)

        try:
            await self._app(scope, receive, watched)
        finally:
            place.leave()


class RequestSlots:
    """Counts requests in work, by whose they are."""

    def __init__(self, requests_max: int, share: FairShare, metrics: Metrics) -> None:
        self._requests_max = requests_max
        self._share = share
        self._metrics = metrics
        self._held: Counter[str] = Counter()

    def take(self, holder: str) -> None:
        """Take a place, or say that there is none: here (503), or for this holder (429)."""
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
        """Free a place."""
        self._held[holder] -= 1
        if not self._held[holder]:
            # Holders without entries are removed.
            del self._held[holder]


class RequestSlot:
    """One request among those this process works on."""

    def __init__(self, places: RequestSlots, holder: str) -> None:
        self._places = places
        places.take(holder)
        self._holder: str | None = holder

    def belongs_to(self, tenant_id: str) -> None:
        """Count it for a tenant from now on, if that has room."""
        if self._holder is not None:
            self.leave()
            holder = f"tenant:{tenant_id}"
            self._places.take(holder)
            self._holder = holder

    def leave(self) -> None:
        """Return the place back; doing so twice is harmless."""
        if self._holder is not None:
            self._places.give_back(self._holder)
            self._holder = None
