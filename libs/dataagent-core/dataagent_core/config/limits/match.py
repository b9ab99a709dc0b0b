"""Limits of the match of skills and sub-agents, and of embeddings."""

from typing import Final

# What is read of a message (both ends), of a description and of one phrase.
MATCH_MESSAGE_CHARS_MAX: Final = 2_000
MATCH_DESCRIPTION_CHARS_MAX: Final = 1_024
MATCH_PHRASE_CHARS_MAX: Final = 200
# Of one skill or sub-agent; more are not read. A skill may not have more (`skills.py`).
MATCH_PHRASES_MAX: Final = 100
MATCH_PATTERNS_MAX: Final = 50
# Steps of all patterns of an index (`language/linear_regex.py`); those beyond are not searched.
MATCH_PATTERN_STEPS_MAX: Final = 200_000
# More than these are searched in a thread: a hostile one takes 10 ns a step and character.
MATCH_PATTERN_STEPS_ON_LOOP_MAX: Final = 10_000
# How many a match returns when nobody says, and how many a list of candidates shows.
MATCH_RESULTS_MAX: Final = 5
MATCH_CANDIDATES_MAX: Final = 20
# A message of a run does not wait longer to be compared by meaning.
MATCH_WAIT_S_MAX: Final = 2.0
# Indexes kept ready, one for each set of skills or sub-agents: 0.1 MB for the built-in skills, 8 MB
# for 1,000.
MATCH_INDEXES_MAX: Final = 64
# When embeddings that could not be had are asked for again.
MATCH_RETRY_S: Final = 60.0

# One request for embeddings.
EMBEDDING_TEXTS_PER_REQUEST_MAX: Final = 128
EMBEDDING_ANSWER_BYTES_MAX: Final = 64_000_000
EMBEDDING_TIMEOUT_S: Final = 10.0
# While a request takes longer than this, nobody else waits for its address; less than
# `MATCH_WAIT_S_MAX`, so that it holds up one message once.
EMBEDDING_LATE_S: Final = 1.5
# Embedders of a process, one for each model, address and key.
EMBEDDERS_KEPT_MAX: Final = 16
# Texts whose vectors are kept, so that a set with one changed skill costs one text.
EMBEDDING_TEXTS_KEPT_MAX: Final = 8_192

# The tests of a skill (`evals/evals.json`).
EVALS_FILE_BYTES_MAX: Final = 200_000
# Of each kind, should and should not.
EVALS_PROMPTS_MAX: Final = 200
