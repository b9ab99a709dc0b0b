"""Limits of runs."""

from typing import Final

# Heartbeats per lease.
HEARTBEATS_PER_LEASE: Final = 3

# How often a process looks for queued runs, overdue requests and cancels, without a notice.
LOOK_S: Final = 1.0
# A cancel must arrive within a second (S0 40), also where only the database has it.
CANCELS_S: Final = 0.25
CLAIMED_AT_ONCE_MAX: Final = 50
RUNS_AT_ONCE_MAX: Final = 500
# How long a run is left alone after a fault of the database.
PAUSE_AFTER_FAULT_S: Final = 1.0
# Doubled after each further fault; the run fails after this many in a row.
PAUSE_AFTER_FAULT_S_MAX: Final = 60.0
FAULTS_MAX: Final = 12

# A run whose process was lost this often, without progress in between, may be the cause: only one
# such run is worked on at a time, so that others are not lost with it.
LOST_ATTEMPTS_UNSUSPECTED_MAX: Final = 1
# Lost this often, the run fails.
LOST_ATTEMPTS_MAX: Final = 3

# Agents kept ready for the next message of their session.
SWEEP_AGENTS_S: Final = 5.0
AGENTS_KEPT_MAX: Final = 500

# Chat models, with their connections, kept for agents to share.
MODELS_KEPT_MAX: Final = 200

HISTORY_PAGE_RUNS: Final = 50
HISTORY_PAGE_RUNS_MAX: Final = 500
# How much of the message names a run in a list.
RUN_MESSAGE_BYTES_SHOWN_MAX: Final = 200
# How much of a queued message a list shows.
QUEUED_MESSAGE_BYTES_SHOWN_MAX: Final = 2_000

# How many idle sessions are read at a time; they are deleted one by one.
IDLE_SESSIONS_AT_ONCE_MAX: Final = 50

# How often runs that wait for a budget are checked.
BUDGET_WAITS_S: Final = 15.0
# Requests shown to a user for all their runs.
REQUESTS_SHOWN_MAX: Final = 200

# Testing a model: its list, and one small call. A local model may be loading.
MODEL_LIST_S = 10.0
MODEL_LIST_BYTES_MAX = 2_000_000
MODEL_TEST_S = 60.0
# Of the arguments, the result or the error of one activity; the log has all of it.
ACTIVITY_DATA_CHARS_MAX: Final = 8_000
# Of a thought in the row of its run; the log has all of it.
THOUGHT_CHARS_MAX: Final = 8_000
# A copied plan has no larger version and round: the columns hold 32 bits.
PLAN_NUMBER_MAX: Final = 2**31 - 1
