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

# S2 §5.2.3: how a window is shared out, when it is made shorter, and how long a summary may be.
SYSTEM_BUDGET_PCT: Final = 0.10
HISTORY_BUDGET_PCT: Final = 0.50
RECENT_BUDGET_PCT: Final = 0.25
OUTPUT_RESERVE_PCT: Final = 0.15
COMPRESSION_TRIGGER_PCT: Final = 0.80
SUMMARY_MAX_TOKENS: Final = 500

# What stands in for more than a text: an image costs about this, whatever its bytes.
IMAGE_TOKENS: Final = 1_600
# What a message costs besides its text: its role and its delimiters.
MESSAGE_OVERHEAD_TOKENS: Final = 4
MESSAGES_COUNTED_MAX: Final = 50_000
TOOLS_COUNTED_MAX: Final = 10_000
HISTORIES_COUNTED_MAX: Final = 256

# How far a provider's own count is believed, as a share of the estimate, and what it may add to
# every request.
REPORTED_SHARE_MIN: Final = 0.5
REPORTED_SHARE_MAX: Final = 4.0
REPORTED_EXTRA_TOKENS: Final = 2_000
# How much denser than estimated a history is taken to be, at most.
DENSITY_MAX: Final = 2.0

# A change of the view costs the provider's cache; it must win at least this share of the window.
COMPACTION_GAIN_SHARE: Final = 0.05
# After a compaction this share of the window is free, if the last two turns leave it.
HEADROOM_SHARE: Final = 0.2
# What one result may keep when even the last turns do not fit.
RESULT_KEPT_SHARE: Final = 0.05
MESSAGE_KEPT_TOKENS_MIN: Final = 32
# How often, and by how much, a request is made shorter that the provider says is too long.
OVERFLOW_TRIES_MAX: Final = 3
OVERFLOW_STEP: Final = 0.7
# How much of what the provider says then is looked at.
REFUSAL_CHARS_MAX: Final = 2_000

# Pins (issue 7): their share of the window, and how long each may be.
PINS_SHARE: Final = 0.15
PIN_CHARS_MAX: Final = 600
PIN_REQUEST_CHARS_MAX: Final = 1_500
PIN_PLAN_CHARS_MAX: Final = 2_000
PINS_OF_A_MESSAGE_MAX: Final = 40
IDENTIFIERS_OF_A_MESSAGE_MAX: Final = 8
# Of a longer text, this much of its beginning and of its end is looked at.
PIN_TEXT_SCANNED_CHARS_MAX: Final = 50_000
PIN_RANGES_MAX: Final = 12
# What is found by its form is the most numerous: up to this share of the pins it comes in its
# order, beyond it after all others.
PIN_ERRORS_SHARE: Final = 0.4
PIN_IDENTIFIERS_SHARE: Final = 0.4

# What a summary reads of each message.
SUMMARY_RESULT_CHARS_MAX: Final = 600
SUMMARY_ARGUMENTS_CHARS_MAX: Final = 300
SUMMARY_MESSAGE_CHARS_MAX: Final = 4_000
# A summary longer than this many times its limit is no summary.
SUMMARY_EXCESS_MAX: Final = 3

# How much of an event one call of `recall` shows.
RECALL_CHARS_MAX: Final = 20_000
RECALL_WINDOW_SHARE: Final = 0.05
# How much of a session's log is read to find the events of messages.
LOG_EVENTS_READ_MAX: Final = 200_000

# How long an endpoint is asked about a model nobody knows, how much of its answer is read, and from
# which size of a request on it matters.
WINDOW_PROBE_S: Final = 2.0
WINDOW_PROBE_BYTES_MAX: Final = 4_000_000
WINDOW_TOKENS_MIN: Final = 1_000
WINDOW_MATTERS_TOKENS: Final = 16_000
