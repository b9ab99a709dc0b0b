"""Limits of sub-agents that are rows; those of all are core's (`config/limits/subagents.py`)."""

from typing import Final

SUBAGENTS_PER_SCOPE_MAX: Final = 200
SYSTEM_PROMPT_CHARS_MAX: Final = 50_000
EXAMPLE_CHARS_MAX: Final = 500
KEYWORD_CHARS_MAX: Final = 100
# Of tools, skills or MCP servers that one may use.
ALLOWED_NAMES_MAX: Final = 500
ALLOWED_NAME_CHARS_MAX: Final = 200
RULES_MAX: Final = 200
TIMEOUT_S_MAX: Final = 86_400
STATISTICS_DAYS_MAX: Final = 90
# That one message may ask for, or forbid.
SUBAGENTS_CHOSEN_MAX: Final = 20
