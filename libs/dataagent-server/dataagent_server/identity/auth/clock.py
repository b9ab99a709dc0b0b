"""The time of day, as the parts that sign people in ask for it."""

from collections.abc import Callable
from datetime import UTC, datetime

Clock = Callable[[], datetime]


def utc_now() -> datetime:
    """Tell the time, with its zone."""
    return datetime.now(UTC)
