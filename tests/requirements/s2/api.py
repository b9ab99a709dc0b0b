"""S2 §14.1, §14.2 and §14.5; the skills' and agents' end points are with them."""

from tests.requirements.entry import Requirement
from tests.requirements.s2.section import implemented

API: tuple[Requirement, ...] = (
    *implemented(
        {
            "14.1": "POST /api/v1/agent/chat streams a run as SSE.",
            "14.5-events": "GET /api/v1/agent/conversations/{id}/events gives the document's form.",
            "14.5-execution-status": "GET /api/v1/agent/conversations/{id}/execution-status.",
            "14.5-resume": "POST /api/v1/agent/conversations/{id}/resume: 202, or 404 when there is nothing.",
            "14.5-tool-executions": "GET /api/v1/agent/conversations/{id}/tool-executions, by message, limited.",
            "14.2-execution": "GET /api/v1/agent/conversations/{id}/execution.",
            "14.2-GET-patterns": "GET /api/v1/agent/patterns.",
            "14.2-POST-patterns": "POST /api/v1/agent/patterns, for admins.",
            "14.2-DELETE-patterns": "DELETE /api/v1/agent/patterns/{id}, for admins.",
        }
    ),
)
