"""Limits of runs."""

from typing import Final

# How often a process says that it lives in the time after which it would be considered dead.
HEARTBEATS_PER_LEASE: Final = 3

# How often a process looks for runs to take up, requests that ran out of time, and cancels, where
# no notice told it.
LOOK_S: Final = 1.0
# A cancel must be heard within a second (S0 40), also where only the database tells of it.
CANCELS_S: Final = 0.25
CLAIMED_AT_ONCE_MAX: Final = 50
RUNS_AT_ONCE_MAX: Final = 500
# After a fault of the database the same run is left alone for this long.
PAUSE_AFTER_FAULT_S: Final = 1.0
# Twice as long after each further one, and given up after so many in a row.
PAUSE_AFTER_FAULT_S_MAX: Final = 60.0
FAULTS_MAX: Final = 12

# A run whose process was lost so often, and that got no further in between, may be what ends
# processes: only one such is worked on at a time, so that its neighbours are not lost with it.
LOST_ATTEMPTS_UNSUSPECTED_MAX: Final = 1
# Lost this often it is given up.
LOST_ATTEMPTS_MAX: Final = 3

# Agents kept ready for the next message of their session.
SWEEP_AGENTS_S: Final = 5.0
AGENTS_KEPT_MAX: Final = 500

# Chat models, with their connections, kept for agents to share.
MODELS_KEPT_MAX: Final = 200

HISTORY_PAGE_RUNS: Final = 50
HISTORY_PAGE_RUNS_MAX: Final = 500
# How much of what was asked names a run in a list.
RUN_MESSAGE_BYTES_SHOWN_MAX: Final = 200
# How much of a message that waits for its turn a list shows.
QUEUED_MESSAGE_BYTES_SHOWN_MAX: Final = 2_000

# Sessions that nobody used are deleted one by one, looked for so many at a time.
IDLE_SESSIONS_AT_ONCE_MAX: Final = 50

# Runs that wait at a budget: how often a check is made whether there is room by now.
BUDGET_WAITS_S: Final = 15.0
# Questions a person is shown of all their runs.
REQUESTS_SHOWN_MAX: Final = 200

# Asking a model whether it is there: its list, and one tiny call. A local one may be loading.
MODEL_LIST_S = 10.0
MODEL_LIST_BYTES_MAX = 2_000_000
MODEL_TEST_S = 60.0
