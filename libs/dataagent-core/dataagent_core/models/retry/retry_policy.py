"""How often a failed model call is tried again, and how long to wait before (S2, S3 property 4).

Pure: chance is an argument. The wait before retry n is `base_delay_s * 2**n`, or what the server
asks for if that is more. Jitter only adds, so that runs which failed together do not retry together
and none retries earlier than the server asked.
"""

from dataclasses import dataclass

from dataagent_core.config.limits import (
    MODEL_RETRIES_MAX,
    MODEL_RETRY_BASE_S,
    MODEL_RETRY_DELAY_S_MAX,
    MODEL_RETRY_JITTER_SHARE,
)

# Beyond this a float overflows; the cap was reached long before.
_DOUBLINGS_MAX = 900


@dataclass(frozen=True, slots=True, kw_only=True)
class RetryPolicy:
    """The retries of a call that may succeed later."""

    base_delay_s: float = MODEL_RETRY_BASE_S
    max_retries: int = MODEL_RETRIES_MAX
    delay_s_max: float = MODEL_RETRY_DELAY_S_MAX
    jitter_share: float = MODEL_RETRY_JITTER_SHARE

    def delay_s(self, retry: int) -> float:
        """Return the delay before a retry without jitter; the first is number 0."""
        return self.base_delay_s * 2 ** min(retry, _DOUBLINGS_MAX)

    def wait_s(self, retry: int, retry_after_s: float | None = None, chance: float = 0.0) -> float:
        """Return the wait before a retry: at least what the server asks, capped, with jitter.

        `chance` is from 0 to 1 and says how much of the jitter is added.
        """
        wanted_s = min(max(self.delay_s(retry), retry_after_s or 0.0), self.delay_s_max)
        return wanted_s * (1 + self.jitter_share * chance)

    def too_long(self, retry_after_s: float | None) -> bool:
        """Return whether a server asks for a longer wait than we allow."""
        return (retry_after_s or 0.0) > self.delay_s_max
