"""Limits of the context window: what is shown of a long history, what is pinned, what is tried.

The first four carry the names and values of S2 §5.2.10; what a person may change is a setting whose
default stands here.
"""

from typing import Final

# S2 §5.2.10. The first two are ceilings: a smaller window scales them down.
PRUNE_MINIMUM_TOKENS: Final = 20_000
PRUNE_PROTECT_TOKENS: Final = 40_000
PRUNE_PROTECTED_TOOLS: Final = frozenset({"skill"})
OUTPUT_TOKEN_MAX: Final = 8_192
PRUNE_MINIMUM_SHARE: Final = 0.16
PRUNE_PROTECT_SHARE: Final = 0.31
PROTECTED_TURNS: Final = 2

# S2 §5.2.3: the shares of a window, when to compact, and how long a summary may be.
SYSTEM_BUDGET_PCT: Final = 0.10
HISTORY_BUDGET_PCT: Final = 0.50
RECENT_BUDGET_PCT: Final = 0.25
OUTPUT_RESERVE_PCT: Final = 0.15
COMPRESSION_TRIGGER_PCT: Final = 0.80
SUMMARY_MAX_TOKENS: Final = 500

# The estimated tokens of an image, whatever its bytes.
IMAGE_TOKENS: Final = 1_600
# The tokens of a message besides its text: its role and its delimiters.
MESSAGE_OVERHEAD_TOKENS: Final = 4
MESSAGES_COUNTED_MAX: Final = 50_000
TOOLS_COUNTED_MAX: Final = 10_000
HISTORIES_COUNTED_MAX: Final = 256

# The plausible range of a provider's count, as shares of the estimate, and what it may add to
# every request.
REPORTED_SHARE_MIN: Final = 0.5
REPORTED_SHARE_MAX: Final = 4.0
REPORTED_EXTRA_TOKENS: Final = 2_000
# The highest assumed density of a history, relative to the estimate.
DENSITY_MAX: Final = 2.0

# A change of the view invalidates the provider's cache; it must save this share of the window.
COMPACTION_GAIN_SHARE: Final = 0.05
# After a compaction this share of the window is free, if the last two turns leave it.
HEADROOM_SHARE: Final = 0.2
# The share of the window one result may keep when even the last turns do not fit.
RESULT_KEPT_SHARE: Final = 0.05
MESSAGE_KEPT_TOKENS_MIN: Final = 32
# How often, and by how much, a request is shortened that the provider refused as too long.
OVERFLOW_TRIES_MAX: Final = 3
OVERFLOW_STEP: Final = 0.7
# The part of the provider's error that is read.
REFUSAL_CHARS_MAX: Final = 2_000

# Pins (issue 7): their share of the window, and how long each may be.
PINS_SHARE: Final = 0.15
PIN_CHARS_MAX: Final = 600
PIN_REQUEST_CHARS_MAX: Final = 1_500
PIN_PLAN_CHARS_MAX: Final = 2_000
PINS_OF_A_MESSAGE_MAX: Final = 40
IDENTIFIERS_OF_A_MESSAGE_MAX: Final = 8
# The beginning and the end of a longer text that are scanned.
PIN_TEXT_SCANNED_CHARS_MAX: Final = 50_000
PIN_RANGES_MAX: Final = 12
# What is found by its form is the most numerous: up to this share of the pins it comes in its
# order, beyond it after all others.
PIN_ERRORS_SHARE: Final = 0.4
PIN_IDENTIFIERS_SHARE: Final = 0.4

# The part of each message that a summary reads.
SUMMARY_RESULT_CHARS_MAX: Final = 600
SUMMARY_ARGUMENTS_CHARS_MAX: Final = 300
SUMMARY_MESSAGE_CHARS_MAX: Final = 4_000
# A summary longer than this many times its limit is no summary.
SUMMARY_EXCESS_MAX: Final = 3

# The part of an event that one call of `recall` shows.
RECALL_CHARS_MAX: Final = 20_000
RECALL_WINDOW_SHARE: Final = 0.05
# The events of a session's log that are read to find those of messages.
LOG_EVENTS_READ_MAX: Final = 200_000

# The request for an unknown model's window: its time limit, the bytes read, and the size of a
# request from which on it is made.
WINDOW_PROBE_S: Final = 2.0
WINDOW_PROBE_BYTES_MAX: Final = 4_000_000
WINDOW_TOKENS_MIN: Final = 1_000
WINDOW_MATTERS_TOKENS: Final = 16_000
