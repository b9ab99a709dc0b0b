"""The tables of S2 §13 have every column the document names."""

import pytest
from sqlalchemy import Connection, inspect

from dataagent_server.db.database import Database

pytestmark = pytest.mark.every_database

COLUMNS = {
    "skills": "id tenant_id project_id name display_name description trigger_phrases "
    "trigger_patterns summary content category tags enabled version scope is_system_skill "
    "created_at updated_at",
    "tenant_skill_configs": "id tenant_id system_skill_name action override_skill_id created_at "
    "updated_at",
    "tool_compositions": "id name description tools execution_template success_count "
    "failure_count usage_count created_at updated_at",
    "subagents": "id tenant_id project_id name display_name description system_prompt model color "
    "allowed_tools allowed_skills allowed_mcp_servers max_tokens temperature max_iterations "
    "enabled version total_invocations avg_execution_time_ms success_rate created_at updated_at",
    "agent_activity_logs": "id tenant_id project_id session_id agent_id parent_activity_id type "
    "status name input_data output_data error_message prompt_tokens completion_tokens "
    "total_tokens duration_ms started_at completed_at metadata",
    "agent_executions": "work_level_thought task_level_thought plan_steps current_step_index "
    "workflow_pattern_id total_duration_ms steps_completed steps_failed",
    # S2's conversations.
    "sessions": "agent_mode enable_workflow_learning max_concurrent_steps planning_timeout_ms",
    "interaction_patterns": "id tenant_id pattern_signature name description steps "
    "tool_compositions success_count failure_count avg_execution_time_ms usage_count created_at "
    "updated_at",
    # No table of the document, but its values (§4.2.1): a plan's conversation is its session.
    "work_plans": "id session_id status steps current_step_index interaction_pattern_id created_at "
    "updated_at",
}


@pytest.mark.requirement("S2-13-skills")
@pytest.mark.requirement("S2-13-tenant_skill_configs")
@pytest.mark.requirement("S2-13-tool_compositions")
@pytest.mark.requirement("S2-13-subagents")
@pytest.mark.requirement("S2-13-agent_activity_logs")
@pytest.mark.requirement("S2-13-agent_executions")
@pytest.mark.requirement("S2-13-conversations")
@pytest.mark.requirement("S2-13-interaction_patterns")
async def test_every_documented_column_is_there(database: Database):
    def find(connection: Connection) -> dict[str, set[str]]:
        inspector = inspect(connection)
        return {
            table: set(names.split()) - {c["name"] for c in inspector.get_columns(table)}
            for table, names in COLUMNS.items()
        }

    assert await database.read(find) == {table: set() for table in COLUMNS}
