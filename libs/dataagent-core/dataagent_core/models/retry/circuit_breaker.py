"""A circuit breaker for each model endpoint, shared by all runs of a process.

After `BREAKER_FAILURES` failures in a row the breaker opens; after `BREAKER_OPEN_S` one call may
try, and its success closes it. Only failures of the endpoint count: a refused key or a rate limit
concerns one customer. `endpoint_of` names the endpoint of a model.
"""

import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from dataagent_core.config.limits import BREAKER_FAILURES, BREAKER_OPEN_S, BREAKERS_KEPT_MAX
from dataagent_core.models.resolve import ResolvedModel
from dataagent_core.models.scripted.scripted_model import ScriptedChatModel

# These answer within the process and cannot be unavailable.
_HERE = frozenset({"scripted", "demo"})
_ADDRESSES = ("openai_api_base", "anthropic_api_url", "base_url", "api_base")


def endpoint_of(resolved: ResolvedModel) -> str | None:
    """Return the endpoint of a model: its address, or its provider if that is the usual one."""
    provider = resolved.name.partition(":")[0]
    if provider in _HERE or isinstance(resolved.model, ScriptedChatModel):
        return None
    for attribute in _ADDRESSES:
        address = getattr(resolved.model, attribute, None)
        if isinstance(address, str) and (parts := urlsplit(address)).hostname:
            return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"
    return provider


@dataclass(slots=True)
class EndpointBreaker:
    """The state of one endpoint; the caller passes the time."""

    failures: int = 0
    open_until_s: float = 0.0

    def wait_s(self, now_s: float) -> float:
        """Return how long to wait before the next call; 0 allows one now."""
        if self.failures < BREAKER_FAILURES:
            return 0.0
        if now_s < self.open_until_s:
            return self.open_until_s - now_s
        # This caller tries for all; the others wait for its result.
        self.open_until_s = now_s + BREAKER_OPEN_S
        return 0.0

    def succeeded(self) -> None:
        self.failures = 0

    def failed(self, now_s: float) -> None:
        """Count a failure; enough of them open the breaker."""
        self.failures += 1
        if self.failures >= BREAKER_FAILURES:
            self.open_until_s = now_s + BREAKER_OPEN_S


@dataclass(slots=True, eq=False)
class EndpointBreakers:
    """The breakers of a process by endpoint."""

    clock: Callable[[], float] = time.monotonic
    _known: OrderedDict[str, EndpointBreaker] = field(
        default_factory=OrderedDict[str, EndpointBreaker], init=False
    )

    def of(self, endpoint: str) -> EndpointBreaker:
        breaker = self._known.setdefault(endpoint, EndpointBreaker())
        self._known.move_to_end(endpoint)
        if len(self._known) > BREAKERS_KEPT_MAX:
            self._known.popitem(last=False)
        return breaker
