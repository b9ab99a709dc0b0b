"""Builds an agent from its configuration: model, workspace, prompt, tools and middleware."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from langchain.agents import create_agent
from langchain_core.tools import BaseTool

from dataagent_core.config import Settings
from dataagent_core.config.model_catalog import ModelMetadata, stated_limits
from dataagent_core.config.paths import (
    PERSON_SKILLS,
    SHADOWS_NAME,
    ensure_user_home,
    own_paths,
    user_home,
)
from dataagent_core.config.prompts import get_default_system_prompt
from dataagent_core.context import ContextWindowConfig, ContextWindowManager
from dataagent_core.context.window_size import ask_for_window
from dataagent_core.engine.assembly.agent_folders import open_agent_folders, open_workspace
from dataagent_core.engine.assembly.agent_limits import read_limits
from dataagent_core.engine.assembly.agent_memory_parts import make_agent_memory
from dataagent_core.engine.assembly.agent_patterns import make_pattern_use
from dataagent_core.engine.assembly.agent_resources import AgentResources, Closable
from dataagent_core.engine.assembly.built_in_tools import make_built_in_tools
from dataagent_core.engine.assembly.data_tools import (
    ProjectAliases,
    StoredConversations,
    build_data_tools,
)
from dataagent_core.engine.assembly.mcp_servers import AgentMCPServers, make_mcp_servers
from dataagent_core.engine.assembly.sandboxes import OpenMachine, Sandboxes
from dataagent_core.engine.assembly.skill_folders import make_shown_folders, make_skill_source
from dataagent_core.engine.assembly.stack_parts import DelegationTerms, StackParts
from dataagent_core.engine.assembly.subagent_models import Resolve, SubAgentModels
from dataagent_core.engine.attachments.attached_sources import DESCRIBING_TOOL, AttachedSources
from dataagent_core.engine.attachments.attachments import Attachments
from dataagent_core.engine.attachments.media import MediaLoader
from dataagent_core.engine.attachments.server_content import ServerContentReader
from dataagent_core.engine.config import AgentConfig
from dataagent_core.engine.executor import AgentExecutor
from dataagent_core.engine.graph import deep
from dataagent_core.engine.graph.agent_graph import AgentGraph
from dataagent_core.engine.graph.shared_graph import AgentParts, Graph, compile_shared_graph
from dataagent_core.engine.loops.pattern_use import PatternUse
from dataagent_core.engine.memory.run_memory import RunMemory
from dataagent_core.engine.middleware.environment import EnvironmentMiddleware
from dataagent_core.engine.middleware.middleware_chain import Middleware
from dataagent_core.engine.model_calls.model_calls import ModelCalls
from dataagent_core.engine.model_calls.side_calls import SideCalls
from dataagent_core.engine.stack import build_stack
from dataagent_core.hitl import HITLHandler
from dataagent_core.memory import memory_files
from dataagent_core.models import ResolvedModel, resolve_model
from dataagent_core.models.embeddings import resolve_embedder
from dataagent_core.models.retry.circuit_breaker import EndpointBreakers
from dataagent_core.permissions import Policy, load_rules
from dataagent_core.permissions.tool_groups import STACK_TOOLS
from dataagent_core.planning.plan_terms import PlanTerms
from dataagent_core.runs import RunContext
from dataagent_core.sandbox.bubblewrap.self_test import SandboxHealth
from dataagent_core.sandbox.port import LookSandbox
from dataagent_core.session.stores.bundle import Stores
from dataagent_core.skills.match import SkillMatchers
from dataagent_core.skills.offer import AgentSkills
from dataagent_core.subagents import SubAgent, built_in_subagents, load_subagents
from dataagent_core.subagents.subagent_folder import PERSON_SUBAGENTS, PROJECT_SUBAGENTS
from dataagent_core.tools.composition.composed_registry import (
    add_compositions,
    add_usable_compositions,
)
from dataagent_core.tools.composition.composition_store import SqliteCompositionStore
from dataagent_core.tools.data.agent_tools import DataToolServices
from dataagent_core.tools.data.receipts.session_tracer import SessionTracer
from dataagent_core.tools.definition.tool_origin import BUILT_IN, EXTRA
from dataagent_core.tools.files import FileAccess, Mounts, ReadLedger, make_file_forecasters
from dataagent_core.tools.files.file_probe import FileProbe
from dataagent_core.tools.output.output_keeper import OutputKeeper
from dataagent_core.tools.registry import ToolRegistry
from dataagent_core.tools.shell.denied_reads import make_denial_finder, make_mask_finder
from dataagent_core.tools.shell.shell_look import ShellLook
from dataagent_core.tools.workspace_history.call_watch import CallWatch

if TYPE_CHECKING:
    from dataagent_core.mcp.access import MCPAccess


@dataclass(frozen=True, slots=True, kw_only=True)
class _Built:
    prompt: str
    tools: Sequence[BaseTool]
    stack: list[Middleware]
    backend: deep.CompositeBackend
    models: list[ResolvedModel]
    ledger: ReadLedger
    subagents: Sequence[SubAgent]
    attachments: Attachments
    closing: list[Closable]
    ended: Sequence[Callable[[str], None]]
    data: DataToolServices
    built_in: list[BaseTool]
    skills: AgentSkills | None
    patterns: PatternUse
    memory: RunMemory | None


class AgentFactory:
    """Makes agents that share settings, stores and checkpoints."""

    def __init__(
        self,
        settings: Settings,
        hitl_handler: HITLHandler | None = None,
        *,
        stores: Stores | None = None,
        unsafe_host_shell: bool = False,
        open_machine: OpenMachine | None = None,
        resolve: Resolve = resolve_model,
        sandbox_health: SandboxHealth | None = None,
        breakers: EndpointBreakers | None = None,
        matchers: SkillMatchers | None = None,
        mcp: "MCPAccess | None" = None,
        installation_rules: bool = True,
    ) -> None:
        # Callers with many factories may share what is costly: models, a sandbox's self-test, the
        # breakers of endpoints, and the indexes of skills with the embedder.
        self._breakers = breakers or EndpointBreakers()
        health = sandbox_health or SandboxHealth()
        self._sandboxes = Sandboxes(settings, unsafe_host_shell, open_machine, health)
        self._resolve = resolve
        self._mcp = mcp
        # Whether `permissions.toml` of the settings' home applies; a server has rules of its own.
        self._installation_rules = installation_rules
        self.settings = settings
        self.hitl_handler = hitl_handler
        self._stores = stores or Stores.in_memory()
        # One index for each set of skills, whichever agent has it.
        self._matchers = matchers or SkillMatchers(resolve_embedder(settings))
        deep.tune()

    def create_agent(self, config: AgentConfig) -> tuple[AgentGraph, deep.CompositeBackend]:
        """Build an agent: a graph with LangGraph's interface, and the files it works on.

        Limits, budgets and stores are attached to the graph; `ainvoke`, `astream` and an
        `AgentExecutor` apply them alike. `aclose` the graph, or the executor, when done.
        """
        built = self._build(config)
        parts = AgentParts.of(built.models[0].model, built.prompt, built.tools, built.stack)
        if parts is None:
            graph = self._graph(config, built)
        else:
            shared = compile_shared_graph(parts.stack.state_schema, config.assistant_id)
            graph = shared.copy({"checkpointer": self._stores.checkpoints})
        resources = AgentResources(
            graph=graph,
            assistant_id=config.assistant_id,
            hitl_handler=self.hitl_handler,
            stores=self._stores,
            models=built.models,
            parts=parts,
            ledger=built.ledger,
            subagents=built.subagents,
            attachments=built.attachments,
            closing=built.closing,
            ended=built.ended,
            skills=built.skills,
            patterns=built.patterns,
            memory=built.memory,
            tracer=SessionTracer(
                self._stores.log,
                lambda: built.data.results,
                ProjectAliases(built.data),
                StoredConversations(
                    self._stores.messages,
                    built.data.access.sources,
                    self._stores.log,
                    built.attachments,
                ),
            ),
            limits=read_limits(config, self.settings),
            recursion_limit=config.recursion_limit,
            timeout_s=config.timeout if config.timeout is not None else self.settings.timeout,
        )
        return AgentGraph.of(resources, built.backend), built.backend

    def built_in_tools(self, config: AgentConfig) -> list[BaseTool]:
        """List the built-in tools of an agent of this configuration."""
        return self._build(config).built_in

    def create_executor(
        self, config: AgentConfig, hitl_handler: HITLHandler | None = None
    ) -> AgentExecutor:
        """Build an agent and its executor."""
        return AgentExecutor(*self.create_agent(config), hitl_handler)

    def _build(self, config: AgentConfig) -> _Built:
        config = self._sandboxes.resolve(config)
        # The model to use, then those to fall back to.
        fallbacks = (self.settings.fallback_model or "").split(",")
        specs = [config.model, *(name.strip() for name in fallbacks if name.strip())]
        models = [self._resolve(spec, self.settings) for spec in specs]
        workspace, own = open_workspace(config, self.settings)
        home = ensure_user_home(
            config.home or user_home(self.settings.home, config.tenant_id, config.user_id)
        )
        agent_dir = self.settings.ensure_agent_dir(config.assistant_id, home)
        (agent_dir / PERSON_SKILLS).mkdir(exist_ok=True)
        source = make_skill_source(config, agent_dir, workspace)
        rules = load_rules(
            self.settings, workspace, home=home, installation=self._installation_rules
        )
        shown = (
            make_shown_folders(source.folders, workspace, partial(make_mask_finder, rules))
            if source
            else {}
        )
        sandboxes = self._sandboxes.make_pair(
            config,
            workspace,
            own.root if own is not None else None,
            find_masks=make_mask_finder(rules),
            shown=tuple(shown.values()),
        )
        closed = own_paths(self.settings)
        places = open_agent_folders(
            workspace,
            closed,
            agent_dir,
            shown,
            own=own,
            remote=sandboxes.files,
            make_finder=partial(make_denial_finder, rules),
        )
        keeper = OutputKeeper(places.artifacts, deep.ARTIFACTS)
        sandboxed = not self._sandboxes.unsafe_host_shell
        data = build_data_tools(self.settings, config, places, workspace, sandboxed=sandboxed)
        # What the agent may read, under the names it uses.
        visible = Mounts(places.files, places.beside, sandboxes.place)
        media = MediaLoader(visible, self.settings.models)
        model_calls = ModelCalls(models, self.settings, self._breakers, media)
        side_calls = SideCalls(model_calls, models[0])
        subagents = _find_subagents(config, agent_dir, workspace)
        subagent_models = SubAgentModels(self._resolve, self.settings, self._breakers, media)
        shell = sandboxes.shell
        shell_look = ShellLook(shell, keeper.keep_text) if isinstance(shell, LookSandbox) else None
        policy = Policy(
            rules=rules,
            auto_approve=config.auto_approve,
            owned=frozenset(tool.name for tool in config.extra_tools),
            shell_confined=sandboxes.code is not None and not sandboxes.registries,
            # Only a sandbox of this host can run a look; the host's shell and vendors cannot.
            shell_layer="read_only" if shell_look is not None else "none",
            place=sandboxes.place,
        )
        servers = AgentMCPServers()
        if config.enable_mcp and config.mcp_config is not None and config.mcp_config.servers:
            servers = make_mcp_servers(
                self.settings,
                config,
                config.mcp_config,
                places,
                self._mcp,
                policy=policy,
                ask_model=side_calls.sample,
                sandboxed=sandboxed,
                find_masks=make_mask_finder(rules),
            )
        file_access = FileAccess(visible, ReadLedger())
        prompt = config.system_prompt or get_default_system_prompt(
            config.assistant_id, sandboxes.place.path, config.sandbox_type
        )
        memory = make_agent_memory(
            self.settings,
            config,
            self._stores,
            home=home,
            workspace=workspace,
            prompt=prompt,
            resolve=self._resolve,
        )
        made = make_built_in_tools(
            self.settings,
            places,
            sandboxes,
            ledger=file_access.ledger,
            keeper=keeper,
            data=data.tools,
            ask=side_calls,
        )
        built_in = [
            tool
            for tool in [*made, *(memory.tools if memory else [])]
            if tool.name not in config.withheld_tools
        ]
        registry = ToolRegistry(
            pre_hooks=tuple(config.pre_hooks), post_hooks=tuple(config.post_hooks)
        )
        registry = registry.adding(built_in, BUILT_IN).adding(config.extra_tools, EXTRA)
        counts = config.composition_store
        if counts is None:
            counts = SqliteCompositionStore(home / "compositions.db")
            if config.compositions:
                registry = add_compositions(registry, counts.add_counts(config.compositions))
        elif config.compositions:
            registry = add_usable_compositions(registry, config.compositions)
        skills = (
            AgentSkills(
                source=source,
                matchers=self._matchers,
                place=sandboxes.skill_place,
                tools=frozenset(registry.entries) | STACK_TOOLS,
                rules=rules,
            )
            if source
            else None
        )
        patterns = make_pattern_use(
            self.settings, config, home, self._stores.log, config.extra_tools
        )
        backend = places.backend()
        limits = stated_limits(models[0].name, self.settings.models)
        usual = ModelMetadata(name=models[0].name)
        parts = StackParts(
            model=models[0].model,
            backend=backend,
            policy=policy,
            environment=EnvironmentMiddleware(
                None if sandboxes.files else workspace, look_above=own is None
            ),
            bound=keeper,
            registry=registry,
            # Changes can be rewound, but not on a vendor's machine.
            watch=None if places.remote else CallWatch(places.workspace, home / SHADOWS_NAME),
            # It only compares files, so rules do not hide any from it.
            probe=FileProbe(Mounts(places.remote or places.workspace, places.beside)),
            forecasters={**make_file_forecasters(file_access), **data.forecasts},
            shell_look=shell_look,
            memory=memory_files(agent_dir, workspace, closed) if config.enable_memory else None,
            skills=skills,
            window=ContextWindowManager(ContextWindowConfig.of(self.settings, limits or usual)),
            ask_window=None if limits else partial(ask_for_window, models[0].model, models[0].name),
            stores=self._stores,
            extra=config.extra_middleware,
            models=models,
            model_calls=model_calls,
            compositions=counts,
            servers=servers.servers,
            programs=servers.programs,
            planning=PlanTerms.of(self.settings, config.loop),
            patterns=patterns,
            memories=memory.run.use if memory else None,
            plan_files=None if places.remote else places.workspace,
            subagents=subagents,
            delegation=DelegationTerms(
                depth_max=self.settings.subagent_depth,
                timeout_s=self.settings.subagent_timeout_s,
                models=subagent_models,
                embedder=self._matchers.embedder,
                side_calls=side_calls,
                background=config.background_runs,
            ),
        )
        return _Built(
            prompt=prompt,
            tools=registry.tools,
            stack=build_stack(parts),
            backend=backend,
            models=models,
            ledger=file_access.ledger,
            subagents=subagents,
            attachments=Attachments(
                file_access,
                sandboxes.place,
                ServerContentReader(servers.servers, rules),
                AttachedSources(data.services, rules)
                if any(tool.name == DESCRIBING_TOOL for tool in built_in)
                else None,
                places.remote is not None,
            ),
            closing=[
                # First: it may still work with a model.
                *([memory.run] if memory else []),
                *sandboxes.closing,
                *models,
                subagent_models,
                data.services,
                *servers.closing,
            ],
            ended=[*servers.ended, *([skills.forget] if skills else [])],
            skills=skills,
            patterns=patterns,
            memory=memory.run if memory else None,
            data=data.services,
            built_in=built_in,
        )

    def _graph(self, config: AgentConfig, built: _Built) -> Graph:
        """Compile a graph for this agent alone."""
        return create_agent(
            built.models[0].model,
            tools=built.tools,
            system_prompt=built.prompt,
            middleware=built.stack,
            state_schema=deep.DeepAgentState,
            context_schema=RunContext,
            checkpointer=self._stores.checkpoints,
            name=config.assistant_id,
        )


def _find_subagents(config: AgentConfig, agent_dir: Path, workspace: Path) -> tuple[SubAgent, ...]:
    if config.subagents is not None:
        return config.subagents
    project, person = workspace / PROJECT_SUBAGENTS, agent_dir / PERSON_SUBAGENTS
    return load_subagents(project, person, built_in_subagents()).subagents
