"""Reading how long a server asks to be left alone: `Retry-After` and `retry-after-ms`. Pure."""

import math
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from dataagent_core.config.limits import RETRY_AFTER_S_MAX


def retry_after_s(headers: Mapping[str, str], now: datetime) -> float | None:
    """Return the seconds to wait, or nothing if the headers do not say (or say nonsense)."""
    lowered = {name.lower(): value for name, value in headers.items()}
    if (milliseconds := _number(lowered.get("retry-after-ms"))) is not None:
        return _bounded(milliseconds / 1000)
    text = lowered.get("retry-after")
    if (seconds := _number(text)) is not None:
        return _bounded(seconds)
    return _until(text, now)


def _number(text: str | None) -> float | None:
    try:
        number = float(text or "")
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def _until(text: str | None, now: datetime) -> float | None:
    try:
        moment = parsedate_to_datetime(text or "")
    except ValueError:
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return _bounded((moment - now).total_seconds())


def _bounded(seconds: float) -> float:
    return min(max(seconds, 0.0), RETRY_AFTER_S_MAX)
