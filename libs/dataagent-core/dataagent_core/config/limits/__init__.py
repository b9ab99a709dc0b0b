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
ANSWERS_PASSED_OVER_MAX: Final = 5
CANCEL_GRACE_S: Final = 0.5
TEXT_BATCH_S: Final = 0.05
TEXT_BATCH_EVENTS_MAX: Final = 64

# How a model call is tried again.
MODEL_RETRIES_MAX: Final = 4
MODEL_RETRY_BASE_S: Final = 0.5
MODEL_RETRY_DELAY_S_MAX: Final = 60.0
MODEL_RETRY_JITTER_SHARE: Final = 0.1
# How long what a broken stream still holds may take to reach the log.
STREAM_SETTLE_S: Final = 0.05
EMPTY_ANSWERS_MAX: Final = 2
# S3's recovery table, for tools.
TOOL_RETRIES_MAX: Final = 3
# From this wait on, another model is asked instead, where there is one.
FALLBACK_PATIENCE_S: Final = 10.0
# When an endpoint is left alone, and for how long.
BREAKER_FAILURES: Final = 10
BREAKER_OPEN_S: Final = 30.0
BREAKERS_KEPT_MAX: Final = 1_000
MODEL_CALL_TIMEOUT_S: Final = 600.0
MODEL_CONNECT_TIMEOUT_S: Final = 10.0
MODEL_SILENCE_S: Final = 300.0
# Descriptions of tools that are worked out once: of all agents of a process.
TOOL_SCHEMAS_KEPT_MAX: Final = 1_000
# Compiled graphs: one for each assistant's name and each choice of memory and skills.
SHARED_GRAPHS_KEPT_MAX: Final = 64
RETRY_AFTER_S_MAX: Final = 86_400.0
ERROR_CAUSES_MAX: Final = 10
OLLAMA_PROBE_S: Final = 0.3
OLLAMA_PROBE_BYTES_MAX: Final = 1_000_000

# How the use of models is counted, and what holds at a budget.
CALL_TOKENS_MAX: Final = 1_000_000_000
# S2's estimate has up to 36 % too few tokens (p95 of the worst kind of text, in `make bench`).
# Until a model has said what it counts, its input is held at so much more; then at what it counts,
# and somewhat more for what is new.
INPUT_DENSITY_UNKNOWN: Final = 1.6
INPUT_DENSITY_MARGIN: Final = 1.25
INPUT_DENSITY_MAX: Final = 8.0
# A share of its budget from which on a person is told, and by which a yes raises it.
BUDGET_WARN_SHARE: Final = 0.8
BUDGET_RAISE_SHARE: Final = 0.25
# Longer than a call may take: what is reserved longer belongs to a process that died.
RESERVATION_LEASE_S: Final = 3_600.0
USAGE_ROWS_MAX: Final = 1_000
# Of a model's name in the book of use; what is longer is kept by its beginning.
USAGE_MODEL_CHARS_MAX: Final = 255
# After so many days runs and sessions are no longer told apart in what was used; sums stay.
USAGE_RUNS_KEPT_DAYS: Final = 90
# Rows of what was used on days long past that are added up in one transaction.
USAGE_ROLLED_UP_AT_ONCE_MAX: Final = 500
BUDGET_ASKED_MAX: Final = 5

# What one event may hold. Of a result more than a model is ever given (`OUTPUT_BYTES_MAX` and a
# notice), so that `recall` reads it in full.
TOOL_RESULT_EVENT_CHARS_MAX: Final = 60_000
DIFF_CHARS_MAX: Final = 50_000
DIFF_FILE_BYTES_MAX: Final = 500_000
# What a message names with `@` and is given to the model with it.
ATTACHMENTS_MAX: Final = 20
ATTACHED_FILE_CHARS_MAX: Final = 20_000
ATTACHED_CHARS_MAX: Final = 40_000
ATTACHED_TREE_ENTRIES_MAX: Final = 200
# A message does not wait longer for the tables of a source it names.
ATTACHED_SOURCE_WAIT_S: Final = 10.0
# Of git's `HEAD`, and of the file that says where it is.
GIT_HEAD_BYTES_MAX: Final = 4_096
ERROR_CHARS_MAX: Final = 4_000

# What one read returns.
EVENTS_PAGE_DEFAULT: Final = 1_000
EVENTS_PAGE_MAX: Final = 10_000
MESSAGES_PAGE_DEFAULT: Final = 100
MESSAGES_READ_MAX: Final = 10_000

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

# What a permission decision looks at.
PERMISSION_FILE_BYTES_MAX: Final = 100_000
PERMISSION_RULES_MAX: Final = 1_000
PERMISSION_PATTERN_CHARS_MAX: Final = 1_000
PERMISSION_PATTERNS_CACHED_MAX: Final = 10_000
PERMISSION_RULE_SETS_CACHED_MAX: Final = 64
SHELL_COMMAND_CHARS_MAX: Final = 32_000
SHELL_SIMPLE_COMMANDS_MAX: Final = 500
SHELL_SCRIPTS_DEEP_MAX: Final = 6
SHELL_STARTED_COMMANDS_MAX: Final = 64
SHELL_TREE_DEEP_MAX: Final = 120
SHELL_BRACE_WORDS_MAX: Final = 64
SHELL_COMMANDS_CACHED_MAX: Final = 128

# When equal calls are a loop (S2 §6.4.4).
DOOM_LOOP_CALLS: Final = 3
DOOM_LOOP_WINDOW_S: Final = 60.0
DOOM_LOOP_KEPT_MAX: Final = 10

# What the file tools and the sandbox's safe paths take.
PATH_BYTES_MAX: Final = 4_000
PATH_NAME_BYTES_MAX: Final = 255
PATH_LINKS_MAX: Final = 40
PATH_TRIES_MAX: Final = 16
FILE_BYTES_MAX: Final = 32 * 1024 * 1024
DIRECTORY_ENTRIES_MAX: Final = 10_000
WALK_ENTRIES_MAX: Final = 200_000
WALK_DEEP_MAX: Final = 100
READ_LEDGER_FILES_MAX: Final = 10_000

# What a tool shows of its output (S2 §7.2.6).
OUTPUT_BYTES_MAX: Final = 50 * 1024
OUTPUT_LINE_CHARS_MAX: Final = 2_000
OUTPUT_LINES_DEFAULT: Final = 2_000
# How long, and how much of it per agent and person, the whole of long outputs is kept.
KEPT_OUTPUT_DAYS_MAX: Final = 30
KEPT_OUTPUTS_BYTES_MAX: Final = 100_000_000

# How an edit finds its place.
EDITS_MAX: Final = 100
EDIT_PLACES_MAX: Final = 10_000
EDIT_PLACES_SHOWN_MAX: Final = 20
EDIT_FUZZY_LINES_MAX: Final = 2_000
EDIT_BLANK_LINES_MAX: Final = 10
EDIT_FUZZY_WORDS_MAX: Final = 1_000
EDIT_ANCHOR_LINES_MIN: Final = 3
EDIT_ANCHOR_CANDIDATES_MAX: Final = 100
EDIT_ANCHOR_LIKENESS_MIN: Final = 0.9
# What is shown of the file when the text of an edit was not found.
EDIT_NEAREST_LINES_MAX: Final = 40
EDIT_NEAREST_SHARE_MIN: Final = 0.5
# How long a text may be to be parsed after an edit, and how many refused edits are remembered.
EDIT_PARSED_CHARS_MAX: Final = 1_000_000
EDIT_PARSED_DEPTH_MAX: Final = 500
EDIT_REFUSALS_MAX: Final = 100

# How far a search goes.
GLOB_FILES_MAX: Final = 1_000
GREP_MATCHES_DEFAULT: Final = 200
GREP_MATCHES_MAX: Final = 2_000
GREP_CONTEXT_LINES_MAX: Final = 20
GREP_PATTERN_CHARS_MAX: Final = 1_000
GREP_COMPILED_BYTES_MAX: Final = 16 * 1024 * 1024
GLOB_PATTERN_CHARS_MAX: Final = 500
GLOB_BRACES_MAX: Final = 100
SEARCH_S_MAX: Final = 20.0
SEARCH_OUTPUT_BYTES_MAX: Final = 32 * 1024 * 1024
SEARCH_ERROR_BYTES_MAX: Final = 16_000
# How many files, and how much text, one ripgrep looks at for lines: few first, then ever more.
SEARCH_BATCH_FILES_MIN: Final = 16
SEARCH_BATCH_FILES_MAX: Final = 1_024
SEARCH_BATCH_CHARS_MAX: Final = 8_000_000
IGNORE_FILE_BYTES_MAX: Final = 256_000

# What one person's workspace may hold (S4).
WORKSPACE_BYTES_MAX: Final = 1024 * 1024 * 1024
WORKSPACE_FILES_MAX: Final = 10_000
# Removal of a tree: how deep it goes at once, how often it tries again while programs write in it,
# how long the trash is left to whoever removes it, how many entries of it go at once.
REMOVED_DEEP_MAX: Final = 64
REMOVED_PASSES_MAX: Final = 20
THROWN_S: Final = 600.0
TRASH_EMPTIED_AT_ONCE_MAX: Final = 1_000
# How many entries one count of a directory looks at, and how much more of the disk a file may
# occupy than its length before its blocks count instead.
MEASURED_ENTRIES_MAX: Final = 2_000_000
MEASURED_SLACK_BYTES: Final = 64 * 1024

# What one command in the sandbox may use; a total is of the whole process tree.
SANDBOX_TIMEOUT_S: Final = 120.0
SANDBOX_TIMEOUT_S_MAX: Final = 3_600.0
SANDBOX_MEMORY_BYTES_MAX: Final = 2_147_483_648
SANDBOX_PROCESSES_MAX: Final = 256
SANDBOX_CPU_S_MAX: Final = 3_600
SANDBOX_FILE_BYTES_MAX: Final = 1_073_741_824
SANDBOX_OPEN_FILES_MAX: Final = 1_024
SANDBOX_DISK_GROWTH_BYTES_MAX: Final = 2_147_483_648
SANDBOX_NEW_FILES_MAX: Final = 100_000
SANDBOX_TMP_BYTES_MAX: Final = 536_870_912
SANDBOX_SHM_BYTES_MAX: Final = 134_217_728
SANDBOX_STDIN_BYTES_MAX: Final = 50_000_000
SANDBOX_OUTPUT_KEPT_BYTES_MAX: Final = 10_000_000
SANDBOX_OUTPUT_TOTAL_BYTES_MAX: Final = 200_000_000
SANDBOX_COMMAND_BYTES_MAX: Final = 120_000

# How the sandbox works.
SANDBOX_START_S: Final = 10.0
SANDBOX_KILL_WAIT_S: Final = 5.0
SANDBOX_DRAIN_S: Final = 1.0
SANDBOX_WATCH_INTERVAL_S: Final = 0.02
# Files without a name are looked for this often, and at once when memory or disk shrinks.
SANDBOX_WATCH_HELD_S: Final = 0.5
# Folders are counted this often though the disk did not shrink, at most a twentieth of the time.
SANDBOX_WATCH_COUNT_S: Final = 5.0
SANDBOX_WATCH_COUNT_SHARE: Final = 20
SANDBOX_NICE: Final = 5
# Entries that are counted; of more, and when folders move this often meanwhile, what the file
# system lost is taken as the command's.
SANDBOX_WATCH_FILES_MAX: Final = 200_000
SANDBOX_WATCH_MOVED_MAX: Final = 5
# Files that programs of the host obey (`sandbox/host_guard/host_guard.py`).
HOST_SCAN_ENTRIES_MAX: Final = 5_000_000
HOST_INCLUDES_DEEP_MAX: Final = 5
HOST_FILE_BYTES_MAX: Final = 1_000_000
HOST_FILE_SHOWN_CHARS_MAX: Final = 2_000
HELD_CHANGES_MAX: Final = 200
SANDBOX_FREEZE_S: Final = 5.0
SANDBOX_HELPER_S: Final = 5.0
# Of a command that should only look.
LOOK_BYTES_MAX: Final = 256 * 1024 * 1024
LOOK_COMPARED_BYTES_MAX: Final = 4 * 1024 * 1024
LOOK_WRITES_TOLD_MAX: Final = 20
LOOK_ANNOUNCED_AFTER_S: Final = 1.0
LOOK_ANNOUNCED_CHARS_MAX: Final = 300
# Looked at before a command for what rules deny to read.
DENIED_ENTRIES_MAX: Final = 200_000
# bubblewrap takes 9,000 arguments; a covered folder needs up to eleven.
DENIED_MASKS_MAX: Final = 700
SANDBOX_LINE_BYTES_MAX: Final = 4_000_000
SANDBOX_LAST_WORDS_BYTES: Final = 8_192
SANDBOX_SELFTEST_S: Final = 10.0

# A machine elsewhere. Its vendor ends it after these times, should we be killed before we can.
REMOTE_LIFE_S_MAX: Final = 14_400
REMOTE_IDLE_S_MAX: Final = 1_800
REMOTE_ANSWER_S: Final = 30.0
REMOTE_FILES_S: Final = 60
REMOTE_STDIN_BYTES_MAX: Final = 64_000
REMOTE_FOLDERS_MAX: Final = 500
# Up to this size files travel inside the answer of a command; larger ones on their own.
REMOTE_INLINE_BYTES_MAX: Final = 1_000_000

# What the sandbox's way out to the network takes.
PROXY_HEAD_BYTES_MAX: Final = 16_384
PROXY_CONNECTIONS_MAX: Final = 64
PROXY_CONNECT_S: Final = 10.0
PROXY_IDLE_S: Final = 300.0
PROXY_CHUNK_BYTES: Final = 65_536

# The Python of `code_executor`.
CODE_TIMEOUT_S: Final = 120.0
CODE_IDLE_S: Final = 1_800.0
CODE_INTERRUPT_S: Final = 3.0
CODE_BYTES_MAX: Final = 1_000_000
CODE_VALUE_CHARS_MAX: Final = 10_000
CODE_PLOTS_MAX: Final = 20
CODE_FILES_SHOWN_MAX: Final = 50
CODE_FILES_SEEN_MAX: Final = 20_000

# What is remembered of a workspace, to show what a command changed in it. Files beyond what is kept
# are only measured; entries beyond what is seen are not looked at.
SHADOW_ENTRIES_SEEN_MAX: Final = 50_000
SHADOW_FILES_MAX: Final = 10_000
SHADOW_FILE_BYTES_MAX: Final = 500_000
SHADOW_BYTES_MAX: Final = 100_000_000
SHADOW_SPARE_BYTES_MAX: Final = 50_000_000
SHADOW_SPARE_S: Final = 2 * SANDBOX_TIMEOUT_S_MAX
SHADOW_BATCH_FILES: Final = 100
SHADOW_UNSWEPT_BYTES_MAX: Final = 10_000_000
SHADOW_READ_S_MAX: Final = 10.0
SHADOW_BUSY_S: Final = 5.0
SHADOW_UNUSED_S_MAX: Final = 30 * 86_400.0
SHADOW_WORKSPACES_MAX: Final = 50
# Two changes this close together may carry the same time stamp.
SHADOW_STAMP_NS: Final = 20_000_000

# What is told of the changes one command made.
COMMAND_CHANGES_MAX: Final = 200
COMMAND_DIFF_CHARS_MAX: Final = 500_000
COMMAND_PLACES_NAMED_MAX: Final = 3
# Pairs of equal lines beyond which two texts are not aligned line by line.
DIFF_PAIRS_MAX: Final = 100_000

# What a result lists of the files a call made.
ARTIFACTS_MAX: Final = 50
ARTIFACT_SNIFF_BYTES: Final = 512

# What is looked at to find out where a call sends things.
TAINT_ARGUMENTS_MAX: Final = 1_000
TAINT_TARGETS_NAMED_MAX: Final = 10_000

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

# What one web request may cost, and what of it a model is shown.
WEB_URL_CHARS_MAX: Final = 8_000
WEB_REDIRECTS_MAX: Final = 5
WEB_ADDRESSES_TRIED_MAX: Final = 4
WEB_CONNECT_S: Final = 10.0
WEB_REQUEST_S: Final = 30.0
WEB_REQUEST_S_MAX: Final = 120.0
WEB_REQUEST_BODY_BYTES_MAX: Final = 1_000_000
WEB_REQUEST_HEADERS_MAX: Final = 50
WEB_HEADER_CHARS_MAX: Final = 8_000
WEB_RESPONSE_BYTES_MAX: Final = 5_000_000
WEB_RESPONSE_HEADERS_SHOWN_CHARS_MAX: Final = 4_000
WEB_RESULT_BYTES_MAX: Final = 50_000
WEB_SELECTOR_CHARS_MAX: Final = 500
WEB_SEARCH_QUERY_CHARS_MAX: Final = 400
WEB_SEARCH_RESULTS: Final = 5
WEB_SEARCH_RESULTS_MAX: Final = 20
WEB_SEARCH_SNIPPET_CHARS_MAX: Final = 1_000

# What the child process that reads a page may use.
WEB_HTML_CHARS_MAX: Final = 2_000_000
WEB_HTML_CONVERTED_CHARS_MAX: Final = 400_000
WEB_TITLE_CHARS_MAX: Final = 300
WEB_PARSE_S: Final = 10.0
WEB_PARSE_MEMORY_BYTES_MAX: Final = 1_000_000_000

# What a summary takes in: the parts of the longest text fit into one last call, since a chunk is
# cut at half its length at the earliest.
SUMMARY_TEXT_CHARS_MAX: Final = 400_000
SUMMARY_CHUNK_CHARS_MAX: Final = 40_000
SUMMARY_PART_CHARS_MAX: Final = 2_000
SUMMARY_INSTRUCTIONS_CHARS_MAX: Final = 4_000
SUMMARY_CALLS_AT_ONCE_MAX: Final = 4

# How a call is checked, and what a model is told when it is wrong.
TOOL_NAME_CHARS_MAX: Final = 64
ARGUMENT_PROBLEMS_SHOWN_MAX: Final = 5
ARGUMENT_VALUE_SHOWN_CHARS_MAX: Final = 80
ARGUMENT_DEPTH_MAX: Final = 32
ARGUMENT_CHECKS_MAX: Final = 50_000
NEAREST_NAMES_MAX: Final = 3
NAMES_SHOWN_MAX: Final = 30

# What the catalogue of tools may cost, and how many tools it gives out.
CATALOG_LISTING_TOKENS_MAX: Final = 2_700
# Up to this cost, the tools a program hands in are shown with their schemas and need no loading.
CATALOG_SHOWN_TOKENS_MAX: Final = 3_000
CATALOG_LINE_CHARS_MAX: Final = 80
CATALOG_FOUND_TOOLS_MAX: Final = 10
CATALOG_LOAD_TOOLS_MAX: Final = 20
CATALOG_LOADED_TOOLS_MAX: Final = 100

# How large a composition of tools may be (S2 §7.4).
COMPOSITION_TOOLS_MAX: Final = 5
COMPOSITION_FALLBACKS_MAX: Final = 3

# What the agent may ask a person (S2 §6.4.2, §6.4.3).
CLARIFICATION_TIMEOUT_S: Final = 60
DECISION_TIMEOUT_S: Final = 300
QUESTION_TIMEOUT_S_MAX: Final = 7 * 86_400
QUESTION_CHARS_MAX: Final = 4_000
QUESTION_OPTIONS_MAX: Final = 12
# One pair for each choice of the two time-outs.
QUESTION_TOOLS_KEPT_MAX: Final = 16
PLAN_CHARS_MAX: Final = 20_000

# How much of a table is looked at to see whether its values are personal, and for how long.
PRIVACY_SAMPLE_ROWS: Final = 200
PRIVACY_SAMPLE_COLUMNS: Final = 100
PRIVACY_SAMPLE_S: Final = 5.0
# Rows come and go without the schema changing: so long a look counts.
PRIVACY_SAMPLE_FRESH_S: Final = 900.0
PRIVACY_NAMES_MAX: Final = 50_000
