"""Every limit of core, each named with its unit.

A limit that a person may want to change is a setting whose default stands here; the others keep
memory, disk and patience bounded and are only changed in code.
"""

from typing import Final

# User messages.
PROMPT_CHARS_MAX: Final = 400_000

# Runs.
RUN_MODEL_CALLS_MAX: Final = 500
RECURSION_LIMIT_STEPS: Final = 1_000
ANSWER_TRIES_MAX: Final = 3
ANSWERS_PASSED_OVER_MAX: Final = 5
CANCEL_GRACE_S: Final = 0.5
TEXT_BATCH_S: Final = 0.05
TEXT_BATCH_EVENTS_MAX: Final = 64

# Retries of model calls.
MODEL_RETRIES_MAX: Final = 4
MODEL_RETRY_BASE_S: Final = 0.5
MODEL_RETRY_DELAY_S_MAX: Final = 60.0
MODEL_RETRY_JITTER_SHARE: Final = 0.1
# The wait for the last pieces of a broken stream to reach the log.
STREAM_SETTLE_S: Final = 0.05
EMPTY_ANSWERS_MAX: Final = 2
# S3's recovery table, for tools.
TOOL_RETRIES_MAX: Final = 3
# From this wait on, a fallback model is used instead, if there is one.
FALLBACK_PATIENCE_S: Final = 10.0
# Circuit breakers of endpoints.
BREAKER_FAILURES: Final = 10
BREAKER_OPEN_S: Final = 30.0
BREAKERS_KEPT_MAX: Final = 1_000
MODEL_CALL_TIMEOUT_S: Final = 600.0
MODEL_CONNECT_TIMEOUT_S: Final = 10.0
MODEL_SILENCE_S: Final = 300.0
# Tool schemas cached for all agents of a process.
TOOL_SCHEMAS_KEPT_MAX: Final = 1_000
# Compiled graphs: one for each assistant's name and each choice of memory and skills.
SHARED_GRAPHS_KEPT_MAX: Final = 64
RETRY_AFTER_S_MAX: Final = 86_400.0
ERROR_CAUSES_MAX: Final = 10
OLLAMA_PROBE_S: Final = 0.3
OLLAMA_PROBE_BYTES_MAX: Final = 1_000_000

# Usage and budgets.
CALL_TOKENS_MAX: Final = 1_000_000_000
# S2's estimate has up to 36 % too few tokens (p95 of the worst kind of text, in `make bench`).
# Before a provider's first count, so much more is reserved for the input; then its last count with
# a margin for new messages.
INPUT_DENSITY_UNKNOWN: Final = 1.6
INPUT_DENSITY_MARGIN: Final = 1.25
INPUT_DENSITY_MAX: Final = 8.0
# The share of a budget at which a warning is sent, and by which an approval raises it.
BUDGET_WARN_SHARE: Final = 0.8
BUDGET_RAISE_SHARE: Final = 0.25
# Longer than a call may take: an older reservation belongs to a process that died.
RESERVATION_LEASE_S: Final = 3_600.0
USAGE_ROWS_MAX: Final = 1_000
# The longest model name in the usage store; longer ones are cut.
USAGE_MODEL_CHARS_MAX: Final = 255
# After so many days usage is rolled up: sums stay, runs and sessions are dropped.
USAGE_RUNS_KEPT_DAYS: Final = 90
# Rows of past days that are rolled up in one transaction.
USAGE_ROLLED_UP_AT_ONCE_MAX: Final = 500
BUDGET_ASKED_MAX: Final = 5

# The content of one event. A result may be longer than a model is ever given (`OUTPUT_BYTES_MAX`
# and a notice), so that `recall` reads it in full.
TOOL_RESULT_EVENT_CHARS_MAX: Final = 60_000
DIFF_CHARS_MAX: Final = 50_000
DIFF_FILE_BYTES_MAX: Final = 500_000
# Attachments: what a message names with `@`.
ATTACHMENTS_MAX: Final = 20
ATTACHED_FILE_CHARS_MAX: Final = 20_000
ATTACHED_CHARS_MAX: Final = 40_000
ATTACHED_TREE_ENTRIES_MAX: Final = 200
# The wait for the tables of a data source that a message names.
ATTACHED_SOURCE_WAIT_S: Final = 10.0
# Git's `HEAD`, and the file that says where it is.
GIT_HEAD_BYTES_MAX: Final = 4_096
ERROR_CHARS_MAX: Final = 4_000

# Pages of reads.
EVENTS_PAGE_DEFAULT: Final = 1_000
EVENTS_PAGE_MAX: Final = 10_000
MESSAGES_PAGE_DEFAULT: Final = 100
MESSAGES_READ_MAX: Final = 10_000

# Time-outs of sessions and locks.
SESSION_TIMEOUT_S: Final = 3_600
SQLITE_BUSY_S: Final = 30.0
LOCK_TRIES_MAX: Final = 5
LOCK_PAUSE_S: Final = 0.02

# Files of a project.
MEMORY_FILE_BYTES_MAX: Final = 256_000
CONFIG_FILE_BYTES_MAX: Final = 1_000_000
CONFIG_ERRORS_SHOWN_MAX: Final = 5
CONFIG_VALUE_SHOWN_CHARS_MAX: Final = 200

# Permission decisions.
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

# Paths of file tools and the sandbox.
PATH_BYTES_MAX: Final = 4_000
PATH_NAME_BYTES_MAX: Final = 255
PATH_LINKS_MAX: Final = 40
PATH_TRIES_MAX: Final = 16
FILE_BYTES_MAX: Final = 32 * 1024 * 1024
DIRECTORY_ENTRIES_MAX: Final = 10_000
WALK_ENTRIES_MAX: Final = 200_000
WALK_DEEP_MAX: Final = 100
READ_LEDGER_FILES_MAX: Final = 10_000

# The output of a tool (S2 §7.2.6).
OUTPUT_BYTES_MAX: Final = 50 * 1024
OUTPUT_LINE_CHARS_MAX: Final = 2_000
OUTPUT_LINES_DEFAULT: Final = 2_000
# How long, and how many bytes per agent and user, full outputs are kept.
KEPT_OUTPUT_DAYS_MAX: Final = 30
KEPT_OUTPUTS_BYTES_MAX: Final = 100_000_000

# Edits of files.
EDITS_MAX: Final = 100
EDIT_PLACES_MAX: Final = 10_000
EDIT_PLACES_SHOWN_MAX: Final = 20
EDIT_FUZZY_LINES_MAX: Final = 2_000
EDIT_BLANK_LINES_MAX: Final = 10
EDIT_FUZZY_WORDS_MAX: Final = 1_000
EDIT_ANCHOR_LINES_MIN: Final = 3
EDIT_ANCHOR_CANDIDATES_MAX: Final = 100
EDIT_ANCHOR_LIKENESS_MIN: Final = 0.9
# The lines of a file that are shown when the text of an edit was not found.
EDIT_NEAREST_LINES_MAX: Final = 40
EDIT_NEAREST_SHARE_MIN: Final = 0.5
# How long a text may be to be parsed after an edit, and how many refused edits are remembered.
EDIT_PARSED_CHARS_MAX: Final = 1_000_000
EDIT_PARSED_DEPTH_MAX: Final = 500
EDIT_REFUSALS_MAX: Final = 100

# Searches.
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
# Files and bytes that one ripgrep searches: few first, then more and more.
SEARCH_BATCH_FILES_MIN: Final = 16
SEARCH_BATCH_FILES_MAX: Final = 1_024
SEARCH_BATCH_CHARS_MAX: Final = 8_000_000
IGNORE_FILE_BYTES_MAX: Final = 256_000

# The quota of a workspace (S4).
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

# One command in the sandbox; totals are of the whole process tree.
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

# The sandbox itself.
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
# Looks: trial runs of commands.
LOOK_BYTES_MAX: Final = 256 * 1024 * 1024
LOOK_COMPARED_BYTES_MAX: Final = 4 * 1024 * 1024
LOOK_WRITES_TOLD_MAX: Final = 20
LOOK_ANNOUNCED_AFTER_S: Final = 1.0
LOOK_ANNOUNCED_CHARS_MAX: Final = 300
# Entries searched before a command for files that rules deny.
DENIED_ENTRIES_MAX: Final = 200_000
# bubblewrap takes 9,000 arguments; a covered folder needs up to eleven.
DENIED_MASKS_MAX: Final = 700
SANDBOX_LINE_BYTES_MAX: Final = 4_000_000
SANDBOX_LAST_WORDS_BYTES: Final = 8_192
SANDBOX_SELFTEST_S: Final = 10.0

# Machines of vendors, which end them after these times if we are killed before we can.
REMOTE_LIFE_S_MAX: Final = 14_400
REMOTE_IDLE_S_MAX: Final = 1_800
REMOTE_ANSWER_S: Final = 30.0
REMOTE_FILES_S: Final = 60
REMOTE_STDIN_BYTES_MAX: Final = 64_000
REMOTE_FOLDERS_MAX: Final = 500
# Up to this size files are part of a command's answer; larger ones are sent separately.
REMOTE_INLINE_BYTES_MAX: Final = 1_000_000

# The sandbox's network proxy.
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

# The report about the changes of one command.
COMMAND_CHANGES_MAX: Final = 200
COMMAND_DIFF_CHARS_MAX: Final = 500_000
COMMAND_PLACES_NAMED_MAX: Final = 3
# Pairs of equal lines beyond which two texts are not aligned line by line.
DIFF_PAIRS_MAX: Final = 100_000

# The files that a result lists.
ARTIFACTS_MAX: Final = 50
ARTIFACT_SNIFF_BYTES: Final = 512

# The arguments searched for targets that a call sends data to.
TAINT_ARGUMENTS_MAX: Final = 1_000
TAINT_TARGETS_NAMED_MAX: Final = 10_000

# The assumed metadata of an unknown model (S2 §5.2.7).
CONTEXT_LENGTH_TOKENS: Final = 128_000
OUTPUT_TOKENS_MAX: Final = 4_096
PRICES_CACHED_MAX: Final = 1_000

# Scripted models and their endpoint.
SCRIPT_BYTES_MAX: Final = 10_000_000
SCRIPT_DELAY_S_MAX: Final = 3_600.0
SCRIPT_CHUNK_CHARS: Final = 16
SCRIPT_ATTEMPTS_KEPT_MAX: Final = 10_000
SCRIPT_REQUESTS_KEPT_MAX: Final = 1_000
ENDPOINT_BODY_BYTES_MAX: Final = 50_000_000
ENDPOINT_SOCKET_S: Final = 60.0
ENDPOINT_STOP_S: Final = 5.0

# Web requests, and the part of a page that a model is shown.
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

# The child process that reads a page.
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

# The check of a call's arguments, and its error report.
TOOL_NAME_CHARS_MAX: Final = 64
ARGUMENT_PROBLEMS_SHOWN_MAX: Final = 5
ARGUMENT_VALUE_SHOWN_CHARS_MAX: Final = 80
ARGUMENT_DEPTH_MAX: Final = 32
ARGUMENT_CHECKS_MAX: Final = 50_000
NEAREST_NAMES_MAX: Final = 3
NAMES_SHOWN_MAX: Final = 30

# The tokens of the tool catalogue, and how many tools it returns.
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
# From so many executions on a success rate is shown; one below this rate is not offered by default.
COMPOSITION_RATED_EXECUTIONS_MIN: Final = 5
COMPOSITION_OFFERED_RATE_MIN: Final = 0.5

# Questions of the agent to a person (S2 §6.4.2, §6.4.3).
CLARIFICATION_TIMEOUT_S: Final = 60
DECISION_TIMEOUT_S: Final = 300
QUESTION_TIMEOUT_S_MAX: Final = 7 * 86_400
QUESTION_CHARS_MAX: Final = 4_000
# What a person says should have been different in a finished run.
FEEDBACK_CHARS_MAX: Final = 4_000
QUESTION_OPTIONS_MAX: Final = 12
# One pair for each choice of the two time-outs.
QUESTION_TOOLS_KEPT_MAX: Final = 16
PLAN_CHARS_MAX: Final = 20_000

# The sample of a table that is searched for personal values, and its time limit.
PRIVACY_SAMPLE_ROWS: Final = 200
PRIVACY_SAMPLE_COLUMNS: Final = 100
PRIVACY_SAMPLE_S: Final = 5.0
# How long such a sample counts, because rows change without the schema.
PRIVACY_SAMPLE_FRESH_S: Final = 900.0
PRIVACY_NAMES_MAX: Final = 50_000
