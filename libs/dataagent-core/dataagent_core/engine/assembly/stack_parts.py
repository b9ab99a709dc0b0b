"""What the stack of an agent is made from (`stack.py`); a sub-agent's is made from a copy."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from langchain_core.language_models import BaseChatModel

from dataagent_core.config.limits.subagents import SUBAGENT_DEPTH
from dataagent_core.context import ContextWindowManager
from dataagent_core.context.middleware import AskWindow
from dataagent_core.engine.assembly.subagent_models import SubAgentModels
from dataagent_core.engine.graph import deep
from dataagent_core.engine.loops.pattern_use import PatternUse
from dataagent_core.engine.memory.memory_use import MemoryUse
from dataagent_core.engine.middleware.environment import EnvironmentMiddleware
from dataagent_core.engine.middleware.middleware_chain import Middleware
from dataagent_core.engine.middleware.server_tools import Servers
from dataagent_core.engine.model_calls.model_calls import ModelCalls
from dataagent_core.engine.model_calls.side_calls import SideCalls
from dataagent_core.memory import PromptFile
from dataagent_core.models import ResolvedModel
from dataagent_core.models.embeddings import Embedder
from dataagent_core.permissions import Policy
from dataagent_core.planning.plan_terms import PlanTerms
from dataagent_core.runs import BackgroundRuns
from dataagent_core.sandbox.files.root import Root
from dataagent_core.session.stores.bundle import Stores
from dataagent_core.skills.offer import AgentSkills
from dataagent_core.subagents import SubAgent
from dataagent_core.tools.composition.composition_store import CompositionStore
from dataagent_core.tools.files.file_probe import FileProbe
from dataagent_core.tools.pipeline.call_forecast import Forecasters
from dataagent_core.tools.pipeline.execution import BoundOutput
from dataagent_core.tools.registry import ToolRegistry
from dataagent_core.tools.shell.shell_look import ShellLook
from dataagent_core.tools.workspace_history.call_watch import CallWatch

if TYPE_CHECKING:
    from dataagent_core.mcp.programs import ProgramApprovalRequests


@dataclass(frozen=True, slots=True, kw_only=True)
class DelegationTerms:
    """How deep and how long sub-agents work; `models` makes those that are not the agent's own."""

    depth_max: int = SUBAGENT_DEPTH
    timeout_s: float | None = None
    models: SubAgentModels | None = None
    # They find who fits a message: by meaning, and by a model where that is unsure.
    embedder: Embedder | None = None
    side_calls: SideCalls | None = None
    # Starts tasks in the background; None: the agent has none.
    background: BackgroundRuns | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class StackParts:
    """What the list is made from."""

    model: BaseChatModel
    backend: deep.CompositeBackend
    policy: Policy
    environment: EnvironmentMiddleware
    bound: BoundOutput
    registry: ToolRegistry
    watch: CallWatch | None
    probe: FileProbe
    forecasters: Forecasters
    # Set if commands run in a sandbox of this host.
    shell_look: ShellLook | None
    memory: Sequence[PromptFile] | None
    # None: the agent knows no skills.
    skills: AgentSkills | None
    window: ContextWindowManager
    # Set if the model's window is unknown.
    ask_window: AskWindow | None
    stores: Stores
    extra: Sequence[Middleware]
    models: Sequence[ResolvedModel]
    model_calls: ModelCalls
    # Counts executions of compositions.
    compositions: CompositionStore
    # Their tools are known only when a run begins.
    servers: Servers | None = None
    # The servers' programs that need an approval.
    programs: "ProgramApprovalRequests | None" = None
    # Whom it may give tasks to, and the terms of it.
    subagents: Sequence[SubAgent] = ()
    delegation: DelegationTerms = field(default_factory=DelegationTerms)
    # When and how its messages are planned.
    planning: PlanTerms | None = None
    patterns: PatternUse | None = None
    # None: its runs recall no memories.
    memories: MemoryUse | None = None
    plan_files: Root | None = None
    # The names from the agent's own sub-agent down to the one whose stack this is.
    lineage: tuple[str, ...] = ()
    # Set for a named sub-agent: its own terms around model calls.
    turns: Middleware | None = None

    @property
    def is_subagent(self) -> bool:
        """Whether this is the stack of a sub-agent, and not of the agent itself."""
        return bool(self.lineage)
