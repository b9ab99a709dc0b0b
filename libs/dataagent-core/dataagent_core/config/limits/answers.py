"""The limits of answers that are JSON documents, each named with its unit; others: `limits.py`."""

from typing import Final

ANSWER_SCHEMA_BYTES_MAX: Final = 64 * 1024
ANSWER_SCHEMA_DEPTH_MAX: Final = 64
# Corrected answers that are requested after one that does not fit.
ANSWER_CORRECTIONS_MAX: Final = 3
# A document deeper than this fits no reader; Python's own parser gives up near a thousand.
ANSWER_DEPTH_MAX: Final = 200
ANSWER_PROBLEMS_TOLD_MAX: Final = 10
ANSWER_PROBLEM_CHARS_MAX: Final = 300
# The time to check one answer: a schema's patterns and alternatives can take hours.
ANSWER_CHECK_S_MAX: Final = 10.0
