"""Limits of reports and schedules."""

from datetime import timedelta
from typing import Final

TITLE_CHARS_MAX: Final = 200
REPORTS_PER_TENANT_MAX: Final = 10_000
SCHEDULES_PER_PERSON_MAX: Final = 20
SCHEDULES_PER_TENANT_MAX: Final = 500
# The minimum time between two runs of one schedule.
SCHEDULE_GAP_MIN: Final = timedelta(minutes=5)
GAPS_LOOKED_AT: Final = 50
CRON_CHARS_MAX: Final = 120

# How long the files of a run are stored.
RUN_KEPT: Final = timedelta(days=30)
RUNS_SWEPT_AT_ONCE_MAX: Final = 1_000
# How long a request waits for its run, and how many active runs a user may have.
RUN_WAITED_FOR_S: Final = 8.0
RUNS_OF_A_PERSON_MAX: Final = 3
# After this long a run without an end counts as failed by a crash.
RUN_LASTS_MAX: Final = timedelta(hours=2)

# The interval of the scheduler, its parallel runs, its lease and its attempts.
LOOK_S: Final = 5.0
SCHEDULED_AT_ONCE_MAX: Final = 4
LEASE: Final = timedelta(seconds=90)
ATTEMPTS_MAX: Final = 3
# A run that was missed by more is skipped.
MISSED_MAX: Final = timedelta(hours=6)

WEBHOOK_TRIES_MAX: Final = 3
WEBHOOK_S: Final = 10.0
WEBHOOK_PAUSE_S: Final = 2.0
WEBHOOK_SECRET_CHARS_MIN: Final = 16
WEBHOOK_SECRET_CHARS_MAX: Final = 200
WEBHOOK_URL_CHARS_MAX: Final = 2_000
