"""Constraints and indexes of the graph; each is made once, whoever comes first.

Every node has the label `GraphNode` beside its own (S2 §11.4), so that what belongs to a scope is
found by one index. `MemoryScope` nodes are only locks: who writes into a scope has its node.

Words and names are hashed together with their scope before they are stored, and a full-text index
with a plain analyzer finds them: the frequency of a word is that in its scope, Chinese needs no
analyzer, and no query has anything to escape.
"""

from typing import Final

LABEL_OF_ALL: Final = "GraphNode"
LABELS: Final = {"episode": "Episodic", "entity": "Entity"}
WORD_INDEXES: Final = {"episode": "episodic_words", "entity": "entity_words"}
NAME_INDEX: Final = "entity_names"

_PLAIN: Final = "OPTIONS {indexConfig: {`fulltext.analyzer`: 'whitespace'}}"
STATEMENTS: Final = (
    *(
        f"CREATE CONSTRAINT {name}_id IF NOT EXISTS FOR (n:{label}) "
        "REQUIRE (n.tenant_id, n.id) IS UNIQUE"
        for name, label in (*LABELS.items(), ("community", "Community"))
    ),
    (
        "CREATE CONSTRAINT memory_scope_key IF NOT EXISTS FOR (n:MemoryScope) "
        "REQUIRE n.scope IS UNIQUE"
    ),
    (
        "CREATE CONSTRAINT relates_to_id IF NOT EXISTS FOR ()-[r:RELATES_TO]-() "
        "REQUIRE (r.tenant_id, r.id) IS UNIQUE"
    ),
    "CREATE INDEX graph_node_scope IF NOT EXISTS FOR (n:GraphNode) ON (n.scope)",
    "CREATE INDEX graph_node_user IF NOT EXISTS FOR (n:GraphNode) ON (n.tenant_id, n.user_id)",
    (
        "CREATE INDEX graph_node_project IF NOT EXISTS FOR (n:GraphNode) "
        "ON (n.tenant_id, n.project_id)"
    ),
    "CREATE INDEX episodic_time IF NOT EXISTS FOR (n:Episodic) ON (n.scope, n.created_at)",
    "CREATE INDEX episodic_state IF NOT EXISTS FOR (n:Episodic) ON (n.tenant_id, n.state)",
    "CREATE INDEX entity_name_key IF NOT EXISTS FOR (n:Entity) ON (n.scope, n.name_key)",
    *(
        f"CREATE FULLTEXT INDEX {index} IF NOT EXISTS FOR (n:{LABELS[kind]}) ON EACH [n.words] "
        f"{_PLAIN}"
        for kind, index in WORD_INDEXES.items()
    ),
    (
        f"CREATE FULLTEXT INDEX {NAME_INDEX} IF NOT EXISTS FOR (n:Entity) "
        f"ON EACH [n.name_hashes] {_PLAIN}"
    ),
    "CALL db.awaitIndexes(60)",
)
