"""S2 §9 and §14.3: sub-agents and how work is given to them."""

from tests.requirements.entry import Requirement
from tests.requirements.s2.section import implemented

SUBAGENTS: tuple[Requirement, ...] = (
    *implemented(
        {
            "14.3-agents": "POST, GET and DELETE /api/v1/agents/{agent_id}.",
            "14.3-list": "GET /api/v1/agents lists agents by kind, in pages.",
            "14.3-PUT": "PUT /api/v1/agents/{agent_id}.",
            "16.4-subagents": "/api/v1/subagents: create, list, get, change, delete.",
            "16.4-subagents-enable": "PATCH /api/v1/subagents/{id}/enable.",
            "9.1": "SubAgent: names, trigger, prompt, model, color, tools, skills, MCP servers, limits.",
            "9.2": "Explorer, researcher, coder, reviewer and operator are there.",
            "9.3-single": "Work goes to the best match.",
            "9.3-parallel": "Several sub-agents work at the same time.",
            "9.3-sequential": "Sub-agents work one after another, each on the result before.",
            "9.3-hierarchical": "A sub-agent gives work on.",
            "14.3-activities": "GET /api/v1/agents/{agent_id}/activities.",
            "16.4-subagents-stats": "GET /api/v1/subagents/{id}/stats.",
            "14.3-invoke": "POST /api/v1/agents/{agent_id}/invoke.",
            "16.4-subagents-match": "POST /api/v1/subagents/match.",
            "16.4-plan-step": "PlanStep has assigned_agent and required_skills.",
        }
    ),
)
