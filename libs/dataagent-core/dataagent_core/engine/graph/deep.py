"""Everything DataAgent uses of deepagents, in one module, so that it can be replaced.

`tune` also makes it cheaper: LangSmith's thread hops around every hook, a quarter of a step, are
done inline unless LangSmith traces.
"""

import os
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from typing import Any

import langsmith
from deepagents.backends import CompositeBackend
from deepagents.graph import DeepAgentState
from deepagents.middleware.patch_tool_calls import PatchToolCallsMiddleware
from deepagents.middleware.skills import SkillsMiddleware
from deepagents.middleware.subagents import (
    CompiledSubAgent,
    SubAgent,
    SubAgentMiddleware,
    create_sub_agent,
)
from langchain.agents.middleware.types import AgentMiddleware
from langchain_core.language_models import BaseChatModel
from langchain_core.runnables import Runnable

from dataagent_core.config.paths import ASSISTANT_SKILLS, PROJECT_SKILLS
from dataagent_core.engine.middleware.middleware_chain import Middleware

__all__ = [
    "Agent",
    "CompiledSubAgent",
    "CompositeBackend",
    "DeepAgentState",
    "KnownSkill",
    "PatchToolCalls",
    "SkillsMiddleware",
    "SubAgent",
    "SubAgentMiddleware",
    "create_sub_agent",
    "known_skills",
    "prompt_caching",
    "skills",
    "tune",
]

Agent = Runnable[Any, Any]

ARTIFACTS = "/artifacts/"


class PatchToolCalls(PatchToolCallsMiddleware):
    """Answers calls that a cancelled run left open; reads only messages, so it needs no thread."""

    async def abefore_agent(self, state: Any, runtime: Any) -> dict[str, Any] | None:
        return self.before_agent(state, runtime)


class _Skills(SkillsMiddleware):
    """Without pinning, which is not used here and costs a step before every model call."""

    before_model: Any = AgentMiddleware.before_model
    abefore_model: Any = AgentMiddleware.abefore_model


def skills(backend: CompositeBackend) -> Middleware:
    """Make the middleware that offers skills: name and description first, the rest when read."""
    known = [path for path in (ASSISTANT_SKILLS, PROJECT_SKILLS) if path in backend.routes]
    return _Skills(backend=backend, sources=list(known))


@dataclass(frozen=True, slots=True)
class KnownSkill:
    """A skill as it is described to the agent; `path` is its file."""

    name: str
    description: str
    path: str


async def known_skills(backend: CompositeBackend) -> list[KnownSkill]:
    """List the skills that an agent with these files has at the start of a run."""
    offering: Any = skills(backend)
    begun = await offering.abefore_agent({}, None, {})
    return [
        KnownSkill(one["name"], one["description"], one["path"]) for one in begun["skills_metadata"]
    ]


def prompt_caching(models: Iterable[BaseChatModel]) -> list[Middleware]:
    """Make the middleware that marks what may be cached, for providers that need marks."""
    # By module name: importing the SDK of a provider that is not used costs a second.
    if not any(type(model).__module__.startswith("langchain_anthropic") for model in models):
        return []
    from langchain_anthropic.middleware import AnthropicPromptCachingMiddleware

    return [AnthropicPromptCachingMiddleware(unsupported_model_behavior="ignore")]


async def _inline(
    default: Callable[..., Awaitable[Any]],  # noqa: ARG001 (LangSmith's signature)
    context: Any,
    function: Callable[..., Any],
    /,
    *args: Any,
    **kwargs: Any,
) -> Any:
    return context.run(function, *args, **kwargs)


def tune() -> None:
    """Turn LangSmith's thread hops off, unless it traces."""
    wanted = ("LANGSMITH_TRACING", "LANGSMITH_TRACING_V2", "LANGCHAIN_TRACING_V2")
    if not any(os.environ.get(name, "").lower() in {"true", "1"} for name in wanted):
        langsmith.set_runtime_overrides(aio_to_thread=_inline)
