"""Limits of sub-agents: their files, their numbers, and how they are chosen."""

from typing import Final

SUBAGENT_FILE_BYTES_MAX: Final = 256_000
SUBAGENT_FILES_MAX: Final = 200
SUBAGENT_FILES_CACHED_MAX: Final = 1_000
SUBAGENT_NAME_CHARS_MAX: Final = 64
SUBAGENT_DESCRIPTION_CHARS_MAX: Final = 4_000
SUBAGENT_EXAMPLES_MAX: Final = 50
SUBAGENT_ITERATIONS_MAX: Final = 500
SUBAGENT_ANSWER_TOKENS_MAX: Final = 1_000_000
TEMPERATURE_MAX: Final = 2.0

# How deep and how long sub-agents work.
SUBAGENT_DEPTH: Final = 2
SUBAGENT_DEPTH_MAX: Final = 5
SUBAGENT_TIMEOUT_S: Final = 1_800.0
# Steps of one sequence of tasks.
SUBAGENT_STEPS_MAX: Final = 10
# Files and results that a report names.
SUBAGENT_SOURCES_MAX: Final = 20

# The router (S2 §9.3) reads both ends of a longer message.
ROUTER_MESSAGE_CHARS_MAX: Final = 8_000
# The answer of the model that is asked who fits a message.
ROUTER_ANSWER_TOKENS_MAX: Final = 300
ROUTER_CANDIDATES_ASKED_MAX: Final = 8
ROUTER_CHOSEN_MAX: Final = 4

# Tasks in the background: how many of one session may be unfinished, how many one run may start
# (each has the budget of a run), and how long the model may wait for one in a call.
BACKGROUND_TASKS_OPEN_MAX: Final = 5
BACKGROUND_TASKS_PER_RUN_MAX: Final = 10
BACKGROUND_WAIT_S_MAX: Final = 300
BACKGROUND_LOOK_S: Final = 0.5
