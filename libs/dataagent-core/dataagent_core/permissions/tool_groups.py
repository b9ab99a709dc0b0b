"""The groups of tools that rules may name, and the tools that are allowed without a rule."""

from dataagent_core.permissions.shell.line import names

# Tools of MCP servers begin with it.
MCP_PREFIX = "mcp__"
# They give a sub-agent a task.
TASK = "task"
TASK_TOOLS = frozenset({TASK, "start_task"})
# They look at a task in the background, and end it.
BACKGROUND_TOOLS = frozenset({"check_task", "cancel_task"})

MEMORY_CREATE = "memory_create"
# Answers from the knowledge graph without saying whose words they come from.
GRAPH_QUERY = "graph_query"

# A rule may name a group instead of a tool: `read`, `write`, `web`, `data`, `memory`, `task`. The
# last one is a tool as well, so that what holds for a task holds for one in the background.
GROUPS: dict[str, frozenset[str]] = {
    "read": frozenset({"read_file", "ls", "glob", "grep"}),
    "write": frozenset({"write_file", "edit_file", "multi_edit", "delete_file", "delete"}),
    "web": frozenset({"web_search", "fetch_url", "http_request", "web_scrape"}),
    "data": names(
        "data_list_sources data_search_catalog data_describe sql_check sql_query metric_query "
        "result_page result_export chart_create report_create"
    ),
    "memory": names("memory_search entity_lookup episode_retrieval") | {MEMORY_CREATE, GRAPH_QUERY},
    TASK: TASK_TOOLS,
}

# Reads, and what only touches the run itself. Everything else asks: S1 §3.2.1's list, code,
# deletes, requests, `mcp__*`, and every tool nobody has heard of.
ALLOWED_BY_DEFAULT = (
    names(
        "read_file ls glob grep read_output write_todos recall summary ask_clarification "
        "ask_decision propose_plan find_tools load_tools skill check_task cancel_task "
        "finish_step plan_question plan_enter"
    )
    # Sources were added to be read; what these write is only ever a new file of their own.
    | GROUPS["data"]
    # The person's own; what is remembered after content of strangers is asked about (`taint.py`).
    | GROUPS["memory"]
)

# What an agent needs to go on with anything: these only touch the run itself and its tasks.
ALWAYS_USABLE = BACKGROUND_TOOLS | names(
    "skill read_output write_todos recall summary ask_clarification ask_decision propose_plan "
    "find_tools load_tools finish_step plan_question plan_enter"
)
# The plan's own: what it asks, and how a step ends. No rule is about them, also none about `*`: a
# step that may not end would go on for ever.
PLAN_TOOLS = names("finish_step plan_question")
# Those that every agent has from its middleware and no registry lists.
STACK_TOOLS = ALWAYS_USABLE | TASK_TOOLS

SHELL_TOOLS = frozenset({"shell", "execute"})
DELETE_TOOLS = frozenset({"delete", "delete_file"})
# What a call of these is about: a path, or the name of a source.
PATH_TOOLS = GROUPS["read"] | GROUPS["write"]
DATA_TOOLS = GROUPS["data"] | {"sql_write"}
