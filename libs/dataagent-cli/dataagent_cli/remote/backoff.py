"""The delay before the next attempt. Pure."""

from dataagent_cli.remote.limits import BACKOFF_FIRST_S, BACKOFF_S_MAX

_DOUBLINGS_MAX = 20


def delay_s(failures: int, chance: float) -> float:
    """Double the delay with each failure; `chance` from 0 to 1 spreads many clients."""
    whole = min(BACKOFF_S_MAX, BACKOFF_FIRST_S * 2.0 ** min(failures, _DOUBLINGS_MAX))
    return whole * (0.5 + chance / 2)
