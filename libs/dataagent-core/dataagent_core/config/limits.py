"""Every limit of core, each named with its unit.

A limit that a person may want to change is a setting whose default stands here; the others keep
memory, disk and patience bounded and are only changed in code.
"""

from typing import Final

# What a person sends.
PROMPT_CHARS_MAX: Final = 400_000

# How a run goes on.
RUN_MODEL_CALLS_MAX: Final = 500
RECURSION_LIMIT_STEPS: Final = 1_000
ANSWER_TRIES_MAX: Final = 3
CANCEL_GRACE_S: Final = 0.5
TEXT_BATCH_S: Final = 0.05
TEXT_BATCH_EVENTS_MAX: Final = 64

# How a model call is tried again.
MODEL_RETRIES_MAX: Final = 4
MODEL_RETRY_BASE_S: Final = 0.5
MODEL_RETRY_DELAY_S_MAX: Final = 60.0
MODEL_CALL_TIMEOUT_S: Final = 600.0
MODEL_CONNECT_TIMEOUT_S: Final = 10.0
MODEL_SILENCE_S: Final = 300.0
RETRY_AFTER_S_MAX: Final = 86_400.0
ERROR_CAUSES_MAX: Final = 10
OLLAMA_PROBE_S: Final = 0.3
OLLAMA_PROBE_BYTES_MAX: Final = 1_000_000

# What one event may hold.
TOOL_RESULT_EVENT_CHARS_MAX: Final = 50_000
DIFF_CHARS_MAX: Final = 50_000
DIFF_FILE_BYTES_MAX: Final = 500_000
ERROR_CHARS_MAX: Final = 4_000

# What one read returns.
EVENTS_PAGE_DEFAULT: Final = 1_000
EVENTS_PAGE_MAX: Final = 10_000
MESSAGES_PAGE_DEFAULT: Final = 100

# How long things live.
SESSION_TIMEOUT_S: Final = 3_600
SQLITE_BUSY_S: Final = 30.0
LOCK_TRIES_MAX: Final = 5
LOCK_PAUSE_S: Final = 0.02

# What a project may bring.
MEMORY_FILE_BYTES_MAX: Final = 256_000
CONFIG_FILE_BYTES_MAX: Final = 1_000_000
CONFIG_ERRORS_SHOWN_MAX: Final = 5
CONFIG_VALUE_SHOWN_CHARS_MAX: Final = 200

# What a model is taken to be when nobody knows it (S2 §5.2.7).
CONTEXT_LENGTH_TOKENS: Final = 128_000
OUTPUT_TOKENS_MAX: Final = 4_096
PRICES_CACHED_MAX: Final = 1_000

# What a scripted model and its endpoint hold.
SCRIPT_BYTES_MAX: Final = 10_000_000
SCRIPT_DELAY_S_MAX: Final = 3_600.0
SCRIPT_CHUNK_CHARS: Final = 16
SCRIPT_ATTEMPTS_KEPT_MAX: Final = 10_000
SCRIPT_REQUESTS_KEPT_MAX: Final = 1_000
ENDPOINT_BODY_BYTES_MAX: Final = 50_000_000
ENDPOINT_SOCKET_S: Final = 60.0
ENDPOINT_STOP_S: Final = 5.0
