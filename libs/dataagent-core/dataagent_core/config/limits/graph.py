"""Limits of the knowledge graph: what an episode adds, what it may cost, and what a walk reads."""

from typing import Final

# Of one episode. A longer one is cut in parts for a model; what is beyond is said to be left out.
EPISODE_CHARS_MAX: Final = 2_000_000
EPISODE_PART_CHARS: Final = 8_000
EPISODE_PARTS_MAX: Final = 6
# What the rules read of it, which takes a second.
EPISODE_RULES_CHARS_MAX: Final = 200_000
EPISODE_ENTITIES_MAX: Final = 200
EPISODE_RELATIONS_MAX: Final = 300
EPISODE_REASON_CHARS_MAX: Final = 1_000
# What its extraction may cost: calls of a model, and tokens of all of them, asked and answered.
EPISODE_CALLS_MAX: Final = 12
EPISODE_TOKENS_MAX: Final = 40_000
EPISODE_ANSWER_TOKENS: Final = 2_000
EPISODE_ANSWER_CHARS_MAX: Final = 60_000
# Attempts before an episode is given up, until a person tries it again.
EPISODE_ATTEMPTS_MAX: Final = 3
# Between them, so that a model that is away for a minute does not use them up.
EPISODE_RETRY_PAUSE_S: Final = 300
# Entities of the graph that a model is shown beside a part of the text.
EPISODE_KNOWN_MAX: Final = 40
# Episodes that one call of `process_pending` brings further, and those of one transaction.
EPISODES_PENDING_MAX: Final = 10_000
EPISODES_PER_BATCH: Final = 500

ENTITY_NAME_CHARS_MAX: Final = 200
ENTITY_TYPE_CHARS_MAX: Final = 40
ENTITY_SUMMARY_CHARS_MAX: Final = 2_000
ENTITY_ALIASES_MAX: Final = 50
RELATION_NAME_CHARS_MAX: Final = 100
RELATION_FACT_CHARS_MAX: Final = 1_000
COMMUNITY_NAME_CHARS_MAX: Final = 200
COMMUNITY_SUMMARY_CHARS_MAX: Final = 2_000
COMMUNITY_ANSWER_TOKENS: Final = 300
# Communities whose summary a model writes in one update; the others get one made of names.
COMMUNITY_CALLS_MAX: Final = 20

# What a walk reads: steps, entities it goes on from, and edges of one step.
GRAPH_HOPS_MAX: Final = 3
NEAR_FRONTIER_MAX: Final = 100
NEAR_EDGES_MAX: Final = 2_000
# Rows of one page, of relations of an entity, and of a query.
GRAPH_PAGE_MAX: Final = 1_000
GRAPH_RELATIONS_MAX: Final = 2_000
GRAPH_QUERY_CHARS_MAX: Final = 4_000
GRAPH_QUERY_ROWS_MAX: Final = 500
# Paths of a pattern that are looked at for `ORDER BY` and counts.
GRAPH_QUERY_PATHS_MAX: Final = 100_000
