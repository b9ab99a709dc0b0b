"""S2 §15: the console. Its own promises are in `f9.py`; here are the document's pages and parts.

TokenUsageChart is on the page of use, whose sums are tested beside it (`web/src/pages/usage`).
"""

from tests.requirements.entry import Requirement
from tests.requirements.s2.section import implemented

CONSOLE: tuple[Requirement, ...] = (
    *implemented(
        {
            "15.2-AgentChat": "The chat page.",
            "15.2-ToolManager": "The tools, with their rules and parameters.",
            "15.3-MessageBubble": "Messages with Markdown, tables and charts.",
            "15.3-ThoughtBubble": "What the agent thought is folded, and unfolds.",
            "15.3-ToolCallCard": "A tool call is a card.",
            "15.3-ActivityTimeline": "A run's steps, with durations and tokens.",
            "15.2-SubAgents": "Sub-agents: list and details.",
            "15.2-SkillRegistry": "Skills: registry and editor.",
            "15.2-InteractionPatterns": "The pattern laboratory: flow, success, uses, workflow, edit.",
            "15.2-RouterDashboard": "Which sub-agent got which work.",
            "15.3-WorkPlanCard": "A work plan is a card whose steps are ticked off; a person changes it.",
            "15.3-SubAgentCard": "A sub-agent's work is a card with its own steps.",
            "15.5": "Skills of system, tenant and project on three tabs: disable, enable, override, upload.",
            "15.2-MemoryGraph": "The memory graph.",
            "15.2-MemorySearch": "Search in memories.",
        }
    ),
)
