"""S2 §11.1 to §11.6: the knowledge graph."""

from tests.requirements.entry import Requirement
from tests.requirements.s2.section import implemented

GRAPH: tuple[Requirement, ...] = (
    *implemented(
        {
            "11.1-entities": "Entities are extracted from an episode.",
            "11.1-relations": "Relations between entities are found.",
            "11.1-reflexion": "A second look finds entities that were missed; it can be switched off.",
            "11.1-duplicates": "Equal entities are joined by similarity.",
            "11.1-communities": "Entities form communities (Louvain), each with a summary.",
            "11.3": "An episode is extracted, embedded, deduplicated, related and stored.",
            "11.4-nodes": "Episodic, Entity and Community nodes with their attributes.",
            "11.4-edges": "MENTIONS, RELATES_TO and BELONGS_TO.",
            "11.5": "Search joins vectors, words and the graph: weights 0.4, 0.3, 0.3, top_k 10, rrf_k 60.",
            "11.6": "Extraction model, reflexion, threshold 0.85, community size 3 and resolution are settings.",
        }
    ),
)
