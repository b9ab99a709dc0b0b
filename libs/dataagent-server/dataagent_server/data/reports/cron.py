"""When a schedule is due: five cron fields in an IANA time zone. Pure.

Where clocks change, a time of day that does not exist is taken a little later and one that comes
twice is taken once, as in Debian's cron.
"""

from datetime import UTC, datetime, timedelta
from itertools import islice, pairwise
from typing import Literal
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from cronsim import CronSim, CronSimError

from dataagent_core.errors import ValidationError
from dataagent_server.data.reports.limits import (
    CRON_CHARS_MAX,
    GAPS_LOOKED_AT,
    MISSED_MAX,
    SCHEDULE_GAP_MIN,
)

_FIELDS = 5


def validate_cron(cron: str, time_zone: str, now: datetime) -> str:
    """Return a normalized cron line, or raise with the reason why it is not one."""
    validate_time_zone(time_zone)
    line = " ".join(cron.split())
    if len(line.split()) != _FIELDS or len(line) > CRON_CHARS_MAX:
        raise _invalid_cron(cron, "it needs minute, hour, day, month and weekday")
    try:
        times = list(islice(_iterate_times(line, time_zone, now), GAPS_LOOKED_AT))
    except CronSimError as error:
        raise _invalid_cron(cron, str(error)) from error
    if not times:
        raise _invalid_cron(cron, "it never comes")
    gap = min((later - former for former, later in pairwise(times)), default=timedelta.max)
    if gap < SCHEDULE_GAP_MIN:
        minutes = SCHEDULE_GAP_MIN.total_seconds() / 60
        raise ValidationError(
            f"{cron[:80]!r} comes every {gap.total_seconds():g} s; a report runs every "
            f"{minutes:g} minutes at most."
        )
    return line


def validate_time_zone(name: str) -> str:
    """Return the name of a time zone, or raise if there is none."""
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise ValidationError(
            f"{name[:80]!r} is no time zone. Use a name of the IANA such as Europe/Berlin, "
            "Asia/Shanghai or UTC."
        ) from error
    return name


def next_after(cron: str, time_zone: str, moment: datetime) -> datetime:
    """Return the next time after a moment, in UTC."""
    return next(_iterate_times(cron, time_zone, moment))


def due(next_at: datetime, now: datetime) -> Literal["wait", "run", "missed"]:
    """Decide what to do now: a run that was missed not too long ago is made up for, once."""
    if now < next_at:
        return "wait"
    return "run" if now - next_at <= MISSED_MAX else "missed"


def _iterate_times(cron: str, time_zone: str, after: datetime) -> "map[datetime]":
    local = after.astimezone(ZoneInfo(time_zone))
    return map(lambda moment: moment.astimezone(UTC), CronSim(cron, local))  # noqa: C417 (lazy)


def _invalid_cron(cron: str, reason: str) -> ValidationError:
    return ValidationError(
        f"{cron[:80]!r} is no cron line: {reason}. As in '0 8 * * 1-5': at 8:00, Monday to Friday."
    )
