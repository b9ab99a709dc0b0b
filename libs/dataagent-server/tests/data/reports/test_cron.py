"""When a schedule is due, in its time zone, and what is missed."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dataagent_core.errors import ValidationError
from dataagent_server.data.reports.cron import due, next_after, validate_cron
from dataagent_server.data.reports.limits import MISSED_MAX

NOW = datetime(2026, 3, 28, 12, tzinfo=UTC)
moments = st.datetimes(datetime(2000, 1, 1), datetime(2100, 1, 1), timezones=st.just(UTC))  # noqa: DTZ001 (hypothesis wants them so)


@pytest.mark.parametrize(
    ("cron", "zone", "after", "wanted"),
    [
        ("0 8 * * *", "UTC", NOW, "2026-03-29T08:00"),
        ("0 8 * * *", "Asia/Shanghai", NOW, "2026-03-29T00:00"),
        ("0 8 * * *", "Europe/Berlin", NOW, "2026-03-29T06:00"),  # summer time has begun
        ("0 8 * * *", "Europe/Berlin", NOW - timedelta(days=1), "2026-03-28T07:00"),
        ("30 2 * * *", "Europe/Berlin", NOW, "2026-03-29T01:00"),  # 2:30 is not there that day
        ("0 9 1 1 *", "America/New_York", NOW, "2027-01-01T14:00"),
        ("*/15 * * * *", "UTC", NOW, "2026-03-28T12:15"),
        ("0 8 * * MON-FRI", "UTC", NOW, "2026-03-30T08:00"),
    ],
)
def test_the_next_time_is_the_zones(cron: str, zone: str, after: datetime, wanted: str):
    assert next_after(validate_cron(cron, zone, after), zone, after).isoformat()[:16] == wanted


def test_what_comes_twice_in_the_night_the_clock_is_put_back_is_taken_once():
    evening = datetime(2026, 10, 24, 22, tzinfo=UTC)
    first = next_after("30 2 * * *", "Europe/Berlin", evening)
    assert next_after("30 2 * * *", "Europe/Berlin", first) - first > timedelta(hours=20)


@pytest.mark.parametrize(
    ("cron", "zone"),
    [
        ("", "UTC"), ("* * * *", "UTC"), ("* * * * * *", "UTC"), ("60 * * * *", "UTC"),
        ("0 0 30 2 *", "UTC"), ("* * * * *", "UTC"), ("*/2 * * * *", "UTC"), ("@daily", "UTC"),
        ("0,1 0 1 1 *", "UTC"), ("0 8 * * *", "Mars/Base"), ("0 8 * * *", "../../etc/passwd"),
        ("0 8 * * *", ""), ("0 8 * * *", "America"), ("x" * 500, "UTC"),
    ],
)  # fmt: skip
def test_what_is_no_schedule_is_refused(cron: str, zone: str):
    with pytest.raises(ValidationError):
        validate_cron(cron, zone, NOW)


@given(moments, st.sampled_from(["Europe/Berlin", "Asia/Shanghai", "America/Sao_Paulo", "UTC"]))
def test_the_next_time_is_always_later(moment: datetime, zone: str):
    assert next_after("17 3 * * *", zone, moment) > moment


@given(moments, st.timedeltas(timedelta(days=-9), timedelta(days=9)))
def test_a_missed_run_is_made_up_for_within_some_hours_only(next_at: datetime, late: timedelta):
    said = due(next_at, next_at + late)
    if late < timedelta(0):
        assert said == "wait"
    else:
        assert said == ("run" if late <= MISSED_MAX else "missed")
