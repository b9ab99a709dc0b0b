"""Limits of what is shown of a session's tool calls."""

from typing import Final

# What is shown of one call's result.
TOOL_OUTPUT_BYTES_MAX: Final = 64 * 1024
# The stored results that one page reads: a page that would need more ends earlier, and a result
# that alone is larger is not read.
TOOL_PAYLOADS_BYTES_MAX: Final = 16 * 1024 * 1024
