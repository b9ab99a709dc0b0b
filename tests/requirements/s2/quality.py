"""S2 §16.6 and appendices A to C: tests, security, and what OpenCode's ways promise.

The figures of appendix A for events and memory are measured (`benchmarks/`), and the coverage of
§16.6 has floors of its own (`tests/coverage_floors.py`).
"""

from tests.requirements.entry import Requirement
from tests.requirements.s2.section import implemented

QUALITY: tuple[Requirement, ...] = (
    *implemented(
        {
            "16.6-mcp": "Tools of an MCP server are found and carried out.",
            "16.6-composition": "An agent calls a composition like any tool.",
            "16.6-matching": "Skills are matched by keyword, by meaning and by both.",
            "16.6-routing": "Work reaches the right sub-agent.",
            "A-patterns": "A pattern is found in less than 100 ms.",
            "A-planning": "A work plan takes less than 5 seconds.",
            "B-tenants": "What one tenant does leaves no trace for another.",
            "B-sse-auth": "A stream ends when the right to it ends.",
            "C.2.2-once": "`once` holds for one call.",
            "C.2.2-always": "`always` holds from then on.",
            "C.2.2-wildcards": "Rules match by patterns.",
            "C.2.4": "Plan mode is left by a plan that a person accepts.",
            "C.2.5": "A failed model call is tried again.",
            "C.2.6": "A sub-agent has its own top_p and step limit, and may be hidden.",
            "B-learning": "A tenant can switch learning from its work off.",
        }
    ),
)
