"""S2 §1 to §4: layers, technology, domain model.

§1's aims are the later sections', and §2's folders are an import rule here (PRODUCT.md).
"""

from tests.requirements.entry import Requirement
from tests.requirements.s2.section import (
    TEMPORAL,
    TRACING,
    implemented,
    planned,
)

OVERVIEW: tuple[Requirement, ...] = (
    *implemented(
        {
            "1.2-layers": "A skill is made of tools, a sub-agent has skills, an agent has sub-agents.",
            "2-layers": "Upper layers import lower ones only; ports are declared below their adapters.",
            "3.1-databases": "The same conversation runs on PostgreSQL, MySQL or MariaDB, and SQLite.",
            "3.3": "Models of Qwen, Gemini, DeepSeek and others are built from their names.",
            "4.1-projects": "A tenant holds projects, a project conversations; nothing of one is seen in another.",
            "4.1-tenant-config": "A tenant's configuration says which features and tools its agents have.",
            "4.2.1": "WorkPlan: conversation, status, steps, current step, pattern.",
            "4.2.2": "PlanStep: number, description, prompt, tools, expected output, dependencies, result.",
            "4.2.3": "InteractionPattern: tenant, name, steps, success rate, how often it was used.",
            "1.2-two-times": "A fact has the time it was true and the time it was learnt; both can be asked about.",
            "3.1-neo4j": "The knowledge graph is kept in Neo4j where there is one.",
        }
    ),
    *planned(
        TRACING,
        {
            "1.3-traces": "A run's model and tool calls are a trace with durations.",
        },
    ),
    *planned(
        TEMPORAL,
        {
            "3.1-temporal": "Runs are carried out by Temporal where there is one.",
        },
    ),
)
