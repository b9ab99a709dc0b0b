"""The configuration of an agent: every field of S0, S1 and S4."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from langchain.agents.middleware.types import AgentMiddleware
from langchain_core.language_models import BaseChatModel
from langchain_core.tools import BaseTool

from dataagent_core.config.limits import RECURSION_LIMIT_STEPS
from dataagent_core.mcp import MCPConfig
from dataagent_core.memory.graph.graph_service import GraphServicePort
from dataagent_core.memory.memory_service import MemoryService
from dataagent_core.patterns import PatternLibrary
from dataagent_core.planning.plan_terms import Loop
from dataagent_core.runs import BackgroundRuns
from dataagent_core.sandbox.workspaces import UserWorkspaceManager
from dataagent_core.skills import SkillSource
from dataagent_core.subagents import SubAgent
from dataagent_core.tools.composition.composition_store import CompositionStore
from dataagent_core.tools.composition.definition import ToolComposition
from dataagent_core.tools.data.data_access import DataAccess
from dataagent_core.tools.pipeline.hooks import PostHook, PreHook


@dataclass(frozen=True, slots=True)
class AgentConfig:
    """One agent; `model=None` means the model of the settings, or one whose key is set."""

    assistant_id: str
    user_id: str | None = None
    tenant_id: str | None = None
    # The project whose budgets its runs use, besides those of user and tenant.
    project_id: str | None = None
    model: str | BaseChatModel | None = None
    # Its notes (`agent.md`), and whether its runs recall and learn memories.
    enable_memory: bool = True
    enable_skills: bool = True
    enable_shell: bool = True
    enable_mcp: bool = True
    auto_approve: bool = False
    # `local`, `modal`, `daytona` or `runloop`; None means the one of the settings.
    sandbox_type: str | None = None
    sandbox_id: str | None = None
    system_prompt: str | None = None
    extra_tools: list[BaseTool] = field(default_factory=list[BaseTool])
    extra_middleware: list[AgentMiddleware[Any, Any, Any]] = field(
        default_factory=list[AgentMiddleware[Any, Any, Any]]
    )
    # Built-in tools this agent does not get.
    withheld_tools: frozenset[str] = frozenset()
    # Checks and changes around every tool call (S2 §7.5), and tools made of tools (§7.4).
    pre_hooks: list[PreHook] = field(default_factory=list[PreHook])
    post_hooks: list[PostHook] = field(default_factory=list[PostHook])
    compositions: list[ToolComposition] = field(default_factory=list[ToolComposition])
    # Where they are stored with the counts of their executions: one that this agent cannot run is
    # left out. When unset, they are the caller's own, and a file of the user's folder counts.
    composition_store: CompositionStore | None = None
    # Where its skills come from; when unset, the built-in ones and the folders of user and project.
    skills: SkillSource | None = None
    # Specialists it may delegate to, besides the general one; when unset, the built-in ones and the
    # files of user and project.
    subagents: tuple[SubAgent, ...] | None = None
    # Starts tasks of sub-agents in the background; when unset, the agent has none.
    background_runs: BackgroundRuns | None = None
    # Patterns of its tenant; when unset, a file of the user's folder. And whether they are wanted.
    patterns: PatternLibrary | None = None
    enable_patterns: bool = True
    # Memories of its tenant and their graph; when unset, a file of the user's folder. One that is
    # given is looked after by who gives it: they read waiting episodes into the graph.
    memory: MemoryService | None = None
    knowledge_graph: GraphServicePort | None = None
    # How its runs go on from turn to turn: react, the model decides; staged, in the stages of S3.
    loop: Loop = "react"
    mcp_config: MCPConfig | None = None
    # The user's folder of notes, skills, rules and kept outputs; by tenant and user when unset.
    home: Path | None = None
    # The directory of all workspaces (S0), and the one this agent works in (S4).
    workspace_root: Path | None = None
    workspace_path: Path | None = None
    # The user's data sources and results; when unset, only files of the workspace.
    data: DataAccess | None = None
    # Opens the user's workspace and enforces its quota; a default one when unset.
    workspace_manager: UserWorkspaceManager | None = None
    recursion_limit: int = RECURSION_LIMIT_STEPS
    timeout: float | None = None
