"""Every tool of an agent under its name, with its origin, its effect and the hooks around it.

A registry is a value: adding makes a new one. It decides nothing about permission and runs nothing;
`tools/pipeline/tool_pipeline.py` does, and asks it before (`before`) and after (`after`) each call.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from langchain_core.tools import BaseTool

from dataagent_core.config.limits import NAMES_SHOWN_MAX, TOOL_NAME_CHARS_MAX
from dataagent_core.errors import ConfigurationError, NotFoundError
from dataagent_core.tools.composition.definition import ToolComposition
from dataagent_core.tools.definition.name_suggestions import suggest_names
from dataagent_core.tools.definition.tool_origin import ToolOrigin, make_origin_metadata
from dataagent_core.tools.effects import Effect, read_effect
from dataagent_core.tools.pipeline.agent_call import AgentCall
from dataagent_core.tools.pipeline.arguments import describe_wrong_arguments, find_argument_problems
from dataagent_core.tools.pipeline.hooks import (
    PostHook,
    PreHook,
    Refusal,
    run_post_hooks_on_return,
    run_pre_hooks,
)
from dataagent_core.tools.pipeline.outcome import ToolReturn

# What every provider accepts.
_NAME = re.compile(rf"[A-Za-z0-9_-]{{1,{TOOL_NAME_CHARS_MAX}}}\Z")


@dataclass(frozen=True, slots=True)
class RegisteredTool:
    """One tool and where it came from."""

    tool: BaseTool
    origin: ToolOrigin
    # What the tool is made of, if it is made of others; `tools/pipeline/tool_pipeline.py` runs
    # them.
    composition: ToolComposition | None = None

    @property
    def effect(self) -> Effect:
        """Say what the tool does to the world."""
        return read_effect(self.tool)


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolRegistry:
    """The tools by name, in the order they were added."""

    entries: Mapping[str, RegisteredTool] = field(default_factory=dict[str, RegisteredTool])
    pre_hooks: tuple[PreHook, ...] = ()
    post_hooks: tuple[PostHook, ...] = ()

    def adding(self, tools: Iterable[BaseTool], origin: ToolOrigin) -> "ToolRegistry":
        """Return a registry that has these tools too; two tools may not share a name."""
        entries = dict(self.entries)
        for tool in tools:
            name = check_tool_name(tool.name)
            if (other := entries.get(name)) is not None:
                raise ConfigurationError(
                    f"two tools are named {name!r}: one from {other.origin}, one from {origin}. "
                    "Rename one, or leave one out."
                )
            entries[name] = RegisteredTool(_with_origin(tool, origin), origin)
        return replace(self, entries=MappingProxyType(entries))

    def with_hooks(
        self, *, pre: Iterable[PreHook] = (), post: Iterable[PostHook] = ()
    ) -> "ToolRegistry":
        """Return a registry with these hooks after those it has."""
        return replace(
            self, pre_hooks=(*self.pre_hooks, *pre), post_hooks=(*self.post_hooks, *post)
        )

    def only(self, keep: Callable[[RegisteredTool], bool]) -> "ToolRegistry":
        """Return a registry of some of the tools."""
        kept = {name: entry for name, entry in self.entries.items() if keep(entry)}
        return replace(self, entries=MappingProxyType(kept))

    @property
    def tools(self) -> tuple[BaseTool, ...]:
        """List the tools, each stating its origin in its metadata."""
        return tuple(entry.tool for entry in self.entries.values())

    def find(self, name: str) -> RegisteredTool:
        """Return the tool of this name."""
        if name not in self.entries:
            hint = suggest_names(name, self.entries)
            raise NotFoundError(f"there is no tool {name!r}. {hint}".rstrip())
        return self.entries[name]

    def before(self, call: AgentCall) -> AgentCall | Refusal:
        """Check the arguments, run the pre-hooks, and check what they made of them."""
        if refusal := self.refusal(call):
            return refusal
        answer = run_pre_hooks(call, self.pre_hooks)
        if isinstance(answer, Refusal) or answer.args == call.args:
            return answer
        return self.refusal(answer) or answer

    def after(self, call: AgentCall, result: ToolReturn) -> ToolReturn:
        """Run the post-hooks on what the tool returned."""
        return run_post_hooks_on_return(call, result, self.post_hooks)

    def refusal(self, call: AgentCall) -> Refusal | None:
        """Say what is wrong with the name or the arguments of a call."""
        if call.name not in self.entries:
            hint = suggest_names(call.name, self.entries) or _list_names(self.entries)
            return Refusal(f"There is no tool {call.name!r:.100}. {hint}")
        problems = find_argument_problems(self.entries[call.name].tool, call.args)
        return Refusal(describe_wrong_arguments(call.name, problems)) if problems else None


def check_tool_name(name: str) -> str:
    """Return the name, or say why no provider would take it."""
    if not _NAME.match(name):
        raise ConfigurationError(
            f"{name!r:.100} cannot be the name of a tool: use 1 to {TOOL_NAME_CHARS_MAX} letters, "
            "digits, '_' or '-'."
        )
    return name


def _list_names(names: Iterable[str]) -> str:
    known = list(names)
    more = ", and others" if len(known) > NAMES_SHOWN_MAX else ""
    return f"Use one of: {', '.join(known[:NAMES_SHOWN_MAX])}{more}."


def _with_origin(tool: BaseTool, origin: ToolOrigin) -> BaseTool:
    # A copy: the tool may be somebody else's, and in another registry too.
    metadata = {**(tool.metadata or {}), **make_origin_metadata(origin)}
    return tool if metadata == tool.metadata else tool.model_copy(update={"metadata": metadata})
