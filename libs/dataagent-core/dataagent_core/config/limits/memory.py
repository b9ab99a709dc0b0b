"""Limits of memory: what one memory holds, what is kept of a person, and what a search reads."""

from typing import Final

# Of one memory.
MEMORY_CONTENT_CHARS_MAX: Final = 4_000
MEMORY_QUOTE_CHARS_MAX: Final = 4_000
MEMORY_SUBJECT_CHARS_MAX: Final = 200
MEMORY_EXTRA_CHARS_MAX: Final = 10_000
# Of one user in a tenant.
MEMORIES_MAX: Final = 200_000
MEMORIES_PAGE_DEFAULT: Final = 50
MEMORIES_PAGE_MAX: Final = 500
# The newest ones of one text, one subject or one span of a conversation.
MEMORIES_FOUND_MAX: Final = 200

# What is kept of one document so that it is found; of more words, those that are in it most often.
INDEX_WORDS_MAX: Final = 2_000
INDEX_DIMENSIONS_MAX: Final = 8_192
# What the words of a query read: words, and rows of all of them together.
SEARCH_WORDS_MAX: Final = 32
SEARCH_WORD_ROWS_MAX: Final = 2_000
# Vectors that a process keeps ready for searches, of all scopes together.
VECTOR_CACHE_BYTES_MAX: Final = 256_000_000

# Hybrid search, with S2's numbers.
MEMORY_TOP_K: Final = 10
MEMORY_TOP_K_MAX: Final = 100
VECTOR_WEIGHT: Final = 0.4
KEYWORD_WEIGHT: Final = 0.3
GRAPH_WEIGHT: Final = 0.3
RRF_K: Final = 60

# What a run is told without asking.
MEMORY_RECALL_SCORE: Final = 0.35
MEMORY_RECALL_TOKENS: Final = 600
MEMORY_RECALL_TOKENS_MAX: Final = 20_000
MEMORY_RECALL_MEMORIES_MAX: Final = 6
# A run never waits longer for memory, and goes on without it.
MEMORY_WAIT_S: Final = 2.0
# What a run said is lost with what is not learned in time, so its end waits longer; for the graph,
# which may be in another database, only for a part of that.
MEMORY_LEARN_WAIT_S: Final = 12.0
MEMORY_EPISODE_WAIT_S: Final = 4.0
# For the vectors of what is stored, and more for each text; without one it is found by its words
# until it is embedded again.
MEMORY_EMBED_WAIT_S: Final = 3.0
MEMORY_EMBED_WAIT_TEXT_S: Final = 0.1
# What is learned from one message at most.
MEMORIES_LEARNED_MAX: Final = 20
# What one call of a memory tool returns.
MEMORY_TOOL_ROWS_MAX: Final = 50
MEMORY_LINE_CHARS_MAX: Final = 400
MEMORY_QUERY_CHARS_MAX: Final = 4_000

# The knowledge graph (S2).
ENTITY_DEDUPE_THRESHOLD: Final = 0.85
COMMUNITY_MIN_SIZE: Final = 3
COMMUNITY_RESOLUTION: Final = 1.0

# Other sources that a memory remembers, once several have said it.
MEMORY_SOURCES_KEPT_MAX: Final = 10
# Tries while others write the same.
MEMORY_WRITE_TRIES_MAX: Final = 10
# Expired memories that are removed in one step.
MEMORY_CLEANUP_BATCH: Final = 200
# What is read of the span that a memory rests on: events, and characters of each.
MEMORY_SOURCE_EVENTS_MAX: Final = 2_000
MEMORY_SOURCE_CHARS_MAX: Final = 200_000
# Times that a memory is looked for again while it is forgotten.
MEMORY_FORGET_ROUNDS_MAX: Final = 3
# What the doctor shows of each defect, and what it reads at once.
MEMORY_DOCTOR_EXAMPLES_MAX: Final = 5
# A passing thing that nobody asked for in this time is stale.
MEMORY_STALE_DAYS: Final = 180
# Turns of a conversation that are imported at once, and in one batch.
MEMORY_IMPORT_TURNS_MAX: Final = 100_000
MEMORY_IMPORT_BATCH_TURNS: Final = 200
