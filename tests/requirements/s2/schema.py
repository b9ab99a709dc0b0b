"""S2 §13: tables. Conversations are `sessions` here; types are widened (ARCHITECTURE.md)."""

from tests.requirements.entry import Requirement
from tests.requirements.s2.section import implemented

SCHEMA: tuple[Requirement, ...] = (
    *implemented(
        {
            "13-agent_execution_events": "agent_execution_events are numbered without gaps in their conversation.",
            "13-execution_checkpoints": "execution_checkpoints are kept and removed with their conversation.",
            "13-tool_execution_records": "tool_execution_records are listed by conversation and message.",
            "13-agent_activity_logs": "agent_activity_logs: what each sub-agent did, with tokens and duration.",
            "13-subagents": "subagents: one of a name in its project or its tenant.",
            "13-agent_executions-result": "agent_executions keeps result, agent_type, trace_id and checkpoint_id.",
            "13-skills": "skills, with scope and is_system_skill.",
            "13-tenant_skill_configs": "tenant_skill_configs.",
            "13-agent_executions": "agent_executions: thoughts, plan steps, current step, pattern, duration, counts.",
            "13-conversations": "Conversations: agent_mode, workflow learning, concurrent steps, planning time-out.",
            "13-tool_compositions": "tool_compositions, of a tenant or a project, with counts that add up.",
            "13-interaction_patterns": "interaction_patterns.",
        }
    ),
)
