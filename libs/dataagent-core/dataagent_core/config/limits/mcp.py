"""The limits of MCP, each named with its unit; the others are in `limits.py`."""

from typing import Final

# What a configuration of servers may hold.
MCP_FILE_BYTES_MAX: Final = 1_000_000
# Another product's file may hold its whole history beside the servers.
MCP_IMPORT_FILE_BYTES_MAX: Final = 32 * 1024 * 1024
MCP_SERVERS_MAX: Final = 200
MCP_SERVER_NAME_CHARS_MAX: Final = 64
MCP_ITEMS_MAX: Final = 500
MCP_TEXT_CHARS_MAX: Final = 32_000
MCP_TIMEOUT_S_MIN: Final = 1
MCP_TIMEOUT_S_MAX: Final = 600

# Our own server: how long a call may take, and how much of it is answered and recorded.
MCP_SERVED_CALL_S: Final = 60.0
MCP_SERVED_QUERY_S: Final = 330.0
MCP_SERVED_FILE_S: Final = 60.0
# A run goes on after it; whoever asked is told where to look.
MCP_SERVED_ASK_S: Final = 600.0
MCP_SERVED_ASK_REST_S: Final = 570.0
# What a call that is cancelled still gets to stop its run and be recorded.
MCP_SERVED_LAST_WORDS_S: Final = 5.0
MCP_SERVED_OUTPUT_BYTES_MAX: Final = 256 * 1024
# A picture within an answer; larger ones, and all other files, are read as resources.
MCP_SERVED_IMAGE_BYTES_MAX: Final = 1024 * 1024
MCP_SERVED_IMAGES_MAX: Final = 3
MCP_SERVED_FILE_BYTES_MAX: Final = 8 * 1024 * 1024
MCP_SERVED_RECORD_CHARS_MAX: Final = 4_000
MCP_SERVED_QUESTION_CHARS_MAX: Final = 4_000
MCP_SERVED_ANSWERS_KEPT_MAX: Final = 10_000
MCP_SERVED_MESSAGE_CHARS_MAX: Final = 100_000
MCP_SERVED_SESSIONS_MAX: Final = 100
MCP_SERVED_SUBSCRIPTIONS_MAX: Final = 64
# How long what a person is asked may be answered.
MCP_SERVED_ANSWER_S: Final = 600.0

# Connections: how many at once, how long they are kept, how a server that fails is tried again.
MCP_SERVERS_PER_USER_MAX: Final = 5
MCP_CONNECTIONS_PER_USER_MAX: Final = 10
# Of a person on their own machine, whose own files are the only ones who name servers.
MCP_LOCAL_SERVERS_MAX: Final = 50
# On a server a person's own (S0's 5, a tenant's setting) and what project and tenant give them.
MCP_SERVERS_USED_MAX: Final = 25
MCP_CONNECTIONS_MAX: Final = 200
MCP_CALLS_PER_CONNECTION_MAX: Final = 256
MCP_IDLE_S: Final = 600.0
# After the last session of a person ended, their connections wait so long for the next one.
MCP_LINGER_S: Final = 30.0
MCP_RETRY_BASE_S: Final = 1.0
MCP_RETRY_DELAY_S_MAX: Final = 300.0
MCP_LISTING_WAIT_S: Final = 10.0
# How long a server may take to answer "are you there?".
MCP_PROBE_S: Final = 5.0
# How long a broken call waits to learn from its transport why.
MCP_REASON_WAIT_S: Final = 1.0
# Lines that are no messages: a banner is common, a stream of them is not MCP.
MCP_NONSENSE_LINES_MAX: Final = 1_000
# Servers whose last state is remembered although nothing is connected.
MCP_LINES_REMEMBERED_MAX: Final = 2_000

# What a server may list.
MCP_LISTING_PAGES_MAX: Final = 100
MCP_LISTING_TOOLS_MAX: Final = 1_000
MCP_LISTING_RESOURCES_MAX: Final = 1_000
MCP_LISTING_PROMPTS_MAX: Final = 500
# How long a listing of resources or prompts is good where the server does not tell of changes.
MCP_LISTING_FRESH_S: Final = 30.0
MCP_LISTING_BYTES_MAX: Final = 4 * 1024 * 1024
MCP_RELIST_PAUSE_S: Final = 1.0
MCP_LISTEN_TRIES_MAX: Final = 3
MCP_LISTINGS_KEPT_MAX: Final = 1_000
MCP_LISTINGS_KEPT_BYTES_MAX: Final = 64 * 1024 * 1024
MCP_LISTING_FILES_MAX: Final = 500

# What one call may go through.
MCP_INPUT_ROUNDS_MAX: Final = 50
MCP_INPUT_PAUSE_S: Final = 0.25
MCP_QUESTIONS_WAITING_MAX: Final = 10
MCP_REASON_CHARS_MAX: Final = 1_000

# How the tools of servers are named and shown to a model.
MCP_NAME_PREFIX_CHARS_MAX: Final = 40
MCP_SERVER_TOOLS_MAX: Final = 500
MCP_DESCRIPTION_CHARS_MAX: Final = 4_000
MCP_DESCRIPTION_SHOWN_CHARS_MAX: Final = 200
MCP_SCHEMA_BYTES_MAX: Final = 64 * 1024
MCP_SCHEMA_DEPTH_MAX: Final = 64
MCP_SCHEMA_PROPERTIES_MAX: Final = 500
# What its references make of it: a few small definitions can stand for millions of values.
MCP_SCHEMA_EXPANDED_NODES_MAX: Final = 5_000
MCP_PROPERTY_NAME_CHARS_MAX: Final = 64
MCP_WARNINGS_PER_SERVER_MAX: Final = 5

# How long a run waits for a call between two signs of life, and for the whole of it; the time a
# person takes to answer is not counted.
MCP_CALL_SILENCE_S: Final = 300.0
MCP_CALL_S_MAX: Final = 3_600.0
# How long a call that waits for a person's answer is kept open, and how many of them.
MCP_HELD_S: Final = 1_800.0
MCP_HELD_CALLS_MAX: Final = 100
MCP_QUESTION_TRIES_MAX: Final = 3
MCP_QUESTION_FIELDS_MAX: Final = 50
MCP_QUESTIONS_PER_CALL_MAX: Final = 20
# What a server may have our model answer in one call of its tools, and how much at a time: no more
# than a person can read before they allow it.
MCP_SAMPLINGS_PER_CALL_MAX: Final = 10
MCP_SAMPLING_CHARS_MAX: Final = 40_000
MCP_SAMPLING_MESSAGES_MAX: Final = 50
MCP_SAMPLING_BLOCKS_MAX: Final = 200
MCP_SAMPLING_TOKENS_MAX: Final = 8_192
MCP_SAMPLING_STOPS_MAX: Final = 16
MCP_SAMPLING_STOP_CHARS_MAX: Final = 200
MCP_SAMPLING_HINTS_MAX: Final = 5
MCP_SAMPLING_HINT_CHARS_MAX: Final = 100
# How often a person is asked to sign in for one call, before it is given up.
MCP_SIGN_INS_PER_CALL_MAX: Final = 3

# What of a result is taken.
MCP_BLOCKS_MAX: Final = 200
MCP_RESULT_FILES_MAX: Final = 20
MCP_RESULT_FILE_BYTES_MAX: Final = 12 * 1024 * 1024

# What a person uses of a server themselves: resources and prompts.
MCP_CONTENT_S: Final = 60.0
MCP_URI_CHARS_MAX: Final = 2_000
MCP_PROMPT_NAME_CHARS_MAX: Final = 100
MCP_PROMPT_ARGUMENTS_MAX: Final = 50
MCP_PROMPT_CHARS_MAX: Final = 40_000

# How often progress is written into the log.
MCP_PROGRESS_INTERVAL_S: Final = 1.0
MCP_PROGRESS_EVENTS_MAX: Final = 200
MCP_PROGRESS_CHARS_MAX: Final = 300

# Signing in at a server.
MCP_AUTH_REQUEST_S: Final = 15.0
MCP_AUTH_REPLY_BYTES_MAX: Final = 256 * 1024
MCP_AUTH_URL_CHARS_MAX: Final = 4_000
MCP_AUTH_TOKEN_CHARS_MAX: Final = 32_000
MCP_AUTH_SCOPE_CHARS_MAX: Final = 2_000
MCP_AUTH_SAID_CHARS_MAX: Final = 300
# Longer than any token request may take, so that whoever waits sees the outcome.
MCP_AUTH_LOCK_WAIT_S: Final = 45.0
MCP_AUTH_LOCK_PAUSE_S: Final = 0.02
MCP_AUTH_FILE_LOCK_WAIT_S: Final = 10.0
# Tokens are renewed this long before they end, at most twice as long: never all at once.
MCP_AUTH_REFRESH_LEAD_S: Final = 60.0
MCP_AUTH_REFRESH_LEAD_SHARE: Final = 0.1
# After a renewal ahead of time failed, and while the old token still serves.
MCP_AUTH_REFRESH_PAUSE_S: Final = 10.0
# How long tokens are taken to be those in the store.
MCP_AUTH_REREAD_S: Final = 5.0
MCP_AUTH_LIFETIME_S_MAX: Final = 10 * 365 * 86_400
MCP_SIGN_IN_S: Final = 900.0
MCP_SIGN_INS_MAX: Final = 1_000
MCP_CALLBACK_PORT: Final = 19876
MCP_CALLBACK_PORTS_TRIED: Final = 10
MCP_CALLBACK_WAIT_S: Final = 300.0
MCP_CALLBACK_HEAD_BYTES_MAX: Final = 16_384
MCP_CALLBACK_READ_S: Final = 10.0
MCP_CALLBACK_CONNECTIONS_MAX: Final = 32
MCP_PASTES_MAX: Final = 20
# Seconds a server has to be connected, where its configuration says nothing.
MCP_TIMEOUT_S_DEFAULT: Final = 30

# What comes over a connection, whatever its transport.
MCP_MESSAGE_BYTES_MAX: Final = 16 * 1024 * 1024
MCP_LAST_WORDS_CHARS_MAX: Final = 2_000
# A shorter value of `env` (`1`, `yes`) is no secret, and stands in many words.
MCP_HIDDEN_CHARS_MIN: Final = 4

# A server that is a program. Node and Java need room; a server may live for days.
MCP_PROGRAM_MEMORY_BYTES_MAX: Final = 4 * 1024 * 1024 * 1024
MCP_PROGRAM_PROCESSES_MAX: Final = 512
MCP_PROGRAM_CPU_S_MAX: Final = 7 * 86_400
MCP_PROGRAM_FILE_BYTES_MAX: Final = 2 * 1024 * 1024 * 1024
MCP_PROGRAM_DISK_BYTES_MAX: Final = 4 * 1024 * 1024 * 1024
MCP_PROGRAM_OPEN_FILES_MAX: Final = 8_192
MCP_PROGRAM_LINKS_MAX: Final = 64
MCP_PROGRAM_WATCH_S: Final = 0.25
# How it is ended: what was sent is written, then its input ends, then it is asked, then killed.
MCP_FLUSH_S: Final = 0.5
MCP_STOP_GRACE_S: Final = 2.0
MCP_TERMINATE_GRACE_S: Final = 1.0

# A server at an address.
MCP_READ_S: Final = 300.0
MCP_GOODBYE_S: Final = 2.0
MCP_HTTP_CONNECTIONS_MAX: Final = 20
MCP_ADDRESSES_TRIED_MAX: Final = 4
MCP_WS_FRAMES_WAITING_MAX: Final = 2
