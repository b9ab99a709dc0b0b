"""No function, class or constant is unused: something in the packages refers to each."""

from tests.source_names import uncalled_overrides, unused_names

# Names that only others use: the design documents, users of the library, and tests.
OF_OTHERS = {
    # Tables that only migrations and core's statements use
    *(
        f"dataagent_server.db.tables.usage:{table}"
        for table in ("budget_counters", "budget_reservations", "usage_days")
    ),
    "dataagent_server.db.tables.patterns:interaction_pattern_terms",
    # docs/documented-names.md
    "dataagent_core.errors:AgentError",
    "dataagent_core.errors:CheckpointError",
    "dataagent_core.errors:PermissionDeniedError",
    "dataagent_core.permissions.doom_loop:DoomLoopIntervention",
    "dataagent_server.api.deps:get_connection_manager",
    "dataagent_server.api.deps:get_current_user",
    "dataagent_server.api.deps:get_mcp_connection_manager",
    "dataagent_server.api.models.mcp_servers:MCPServerConfigRequest",
    "dataagent_server.api.models.mcp_servers:MCPServerConfigResponse",
    "dataagent_server.stores.mysql:MySQLMessageStore",
    "dataagent_server.workspaces.agent_workspace:get_user_default_workspace_path",
    # docs/permissions.md: declared by tools of others
    "dataagent_core.tools.declaration:approval_metadata",
    # docs/plans.md: reads what `AgentState.to_dict` gave
    "dataagent_core.engine.loops.staged.agent_state:read_state_dict",
    # A sandbox for programs that use deepagents' protocol
    "dataagent_core.sandbox.remote.remote_sandbox:SandboxBackend",
    # Suites for stores and sandboxes of others
    "dataagent_core.testing.conformance.mcp_oauth:PendingFlowsConformance",
    "dataagent_core.testing.conformance.mcp_oauth:TokenStoreConformance",
    "dataagent_core.testing.conformance.sandbox:SandboxConformance",
    "dataagent_core.testing.conformance.memory_world:memory_steps",
    # Opens the memories of a program that uses the library
    "dataagent_core.memory.sql.store.sqlite_memory_store:open_memory_store",
    # Writes docs/tools.md, which a test compares
    "dataagent_core.tools.catalog.reference_page:render_tools_page",
    # The activities are a projection of the log; tests compare them with what it gives anew
    "dataagent_server.runs.history.activities:rebuild_activities",
    # Workers, which `tools/child_process/child.py` loads by their file
    *(
        f"dataagent_core.tools.{worker}:{name}"
        for worker in ("media.pdf_worker", "media.picture_worker", "web.page_worker")
        for name in ("prepare", "work")
    ),
}


def test_every_name_of_the_packages_is_referred_to():
    assert set(unused_names()) == OF_OTHERS


# Their bases are sqlglot's and FastMCP's, with names that classes of ours have too.
OF_LIBRARIES = {"Parser._parse_projections", "ServedTools._get_tool", "ServedTools._list_tools"}


def test_every_private_method_that_overrides_one_of_ours_is_called():
    assert set(uncalled_overrides()) == OF_LIBRARIES
