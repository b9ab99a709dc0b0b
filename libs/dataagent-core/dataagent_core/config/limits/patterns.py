"""Limits of patterns: what is read of a run, what is kept of it, and what a search reads."""

from typing import Final

# What is read of a goal or of a message (both ends).
PATTERN_GOAL_CHARS_MAX: Final = 2_000
# Of a run, the first ones; the others are only counted.
TRACE_CALLS_MAX: Final = 500
TRACE_STEPS_MAX: Final = 100
TRACE_QUESTIONS_MAX: Final = 100
TRACE_TEXT_CHARS_MAX: Final = 4_000

# Of one pattern. The name is S2 §13's VARCHAR(200).
PATTERN_NAME_CHARS_MAX: Final = 200
PATTERN_TEXT_CHARS_MAX: Final = 500
PATTERN_STEPS_MAX: Final = 50
PATTERN_STEP_TOOLS_MAX: Final = 20
PATTERN_CHAIN_CALLS_MAX: Final = 50
PATTERN_CHAINS_MAX: Final = 3
PATTERN_ARGUMENTS_MAX: Final = 20
PATTERN_PREFERENCES_MAX: Final = 20
PATTERN_CHOICES_MAX: Final = 12
PATTERN_CORRECTIONS_MAX: Final = 10
PATTERN_ENTITIES_MAX: Final = 24
PATTERN_ENTITY_CHARS_MAX: Final = 64
# Runs a pattern remembers, so that none counts twice and late feedback can change its count.
PATTERN_RUNS_KEPT_MAX: Final = 20
# What a model is told of patterns that fit a message.
PATTERN_NOTE_CHARS_MAX: Final = 4_000
PATTERN_HINTS_MAX: Final = 3

# Of a tenant.
PATTERNS_MAX: Final = 200_000
PATTERNS_PAGE_DEFAULT: Final = 50
PATTERNS_PAGE_MAX: Final = 500
# What a search reads: patterns of the signature, the newest ones of each term, and those of them
# that share most terms.
PATTERN_SIGNATURE_READ_MAX: Final = 10
PATTERN_TERM_READ_MAX: Final = 200
PATTERN_TERMS_SEARCHED_MAX: Final = 12
PATTERN_CANDIDATES_MAX: Final = 20
# Times a run is learned again because another process changed the pattern meanwhile.
PATTERN_LEARN_TRIES_MAX: Final = 20

# Of a workflow: what a run's results are kept of while one is compiled, and what its file may hold.
TRACE_RESULT_CHARS_MAX: Final = 20_000
WORKFLOW_TRACES_MIN: Final = 3
WORKFLOW_TRACES_MAX: Final = 10
WORKFLOW_BYTES_MAX: Final = 100_000
# Comparing two files takes time with the square of their lines.
WORKFLOW_LINES_MAX: Final = 3_000
WORKFLOW_STEPS_MAX: Final = 50
WORKFLOW_NAMES_MAX: Final = 40
WORKFLOW_TEXT_CHARS_MAX: Final = 4_000
# Values beyond which two texts of different runs are not compared word by word.
WORKFLOW_COMPARED_CHARS_MAX: Final = 2_000
# Pairs of words and signs that are compared while a workflow is compiled: some seconds.
WORKFLOW_COMPARISONS_MAX: Final = 10_000_000
# What one call for the places of a step, or for the answer, reads and writes.
WORKFLOW_RESULTS_CHARS_MAX: Final = 6_000
WORKFLOW_ANSWER_TOKENS_MAX: Final = 2_000
WORKFLOW_TIMEOUT_MS: Final = 60_000
# Repeats after which a person is told that a workflow can be made.
WORKFLOW_REPEATS: Final = 5
