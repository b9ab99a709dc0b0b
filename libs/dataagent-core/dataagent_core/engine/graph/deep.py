"""Everything DataAgent uses of deepagents, in one module, so that it can be replaced.

`tune` also makes it cheaper: LangSmith's thread hops around every hook, a quarter of a step, are
done inline unless LangSmith traces.
"""

import os
from collections.abc import Awaitable, Callable, Iterable
from typing import Any

import langsmith
from deepagents.backends import CompositeBackend
from deepagents.graph import DeepAgentState
from deepagents.middleware.patch_tool_calls import PatchToolCallsMiddleware
from langchain_core.language_models import BaseChatModel

from dataagent_core.engine.middleware.middleware_chain import Middleware

__all__ = [
    "CompositeBackend",
    "DeepAgentState",
    "PatchToolCalls",
    "prompt_caching",
    "tune",
]

ARTIFACTS = "/artifacts/"


class PatchToolCalls(PatchToolCallsMiddleware):
    """Answers calls that a cancelled run left open; reads only messages, so it needs no thread."""

    async def abefore_agent(self, state: Any, runtime: Any) -> dict[str, Any] | None:
        return self.before_agent(state, runtime)


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
