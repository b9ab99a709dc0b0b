"""Everything DataAgent takes from deepagents, in one place, so that it can be replaced.

Also the knob that makes it cheap: LangSmith's thread hops around every hook, measured at a quarter
of a step, are done inline while nobody traces with it.
"""

import os
from collections.abc import Awaitable, Callable, Iterable
from pathlib import Path
from typing import Any

import langsmith
from deepagents.backends import CompositeBackend, FilesystemBackend
from deepagents.backends.protocol import BackendProtocol, FileDownloadResponse, LsResult
from deepagents.graph import DeepAgentState
from deepagents.middleware.filesystem import FilesystemMiddleware, FilesystemPermission
from deepagents.middleware.patch_tool_calls import PatchToolCallsMiddleware
from deepagents.middleware.skills import SkillsMiddleware
from deepagents.middleware.subagents import SubAgent, SubAgentMiddleware
from deepagents.middleware.summarization import create_summarization_middleware
from langchain.agents.middleware.types import AgentMiddleware
from langchain_core.language_models import BaseChatModel

from dataagent_core.engine.token_count import TokenCounter
from dataagent_core.memory import MEMORY_PATH

__all__ = [
    "CompositeBackend",
    "DeepAgentState",
    "PatchToolCallsMiddleware",
    "SkillsMiddleware",
    "SubAgent",
    "SubAgentMiddleware",
    "compaction",
    "file_tools",
    "prompt_caching",
    "skills",
    "tune",
    "workspace_backend",
]

Middleware = AgentMiddleware[Any, Any, Any]

ASSISTANT_SKILLS = "/skills/assistant/"
PROJECT_SKILLS = "/skills/project/"
_ARTIFACTS = "/artifacts/"

# The agent's own directory also holds configuration; of it the agent sees its notes and skills.
_PERMISSIONS = [
    FilesystemPermission(operations=["read", "write"], paths=[MEMORY_PATH], mode="allow"),
    FilesystemPermission(operations=["read", "write"], paths=["/memories/**"], mode="deny"),
    FilesystemPermission(operations=["write"], paths=["/skills/**"], mode="deny"),
]


def workspace_backend(
    workspace: Path, agent_dir: Path, project_skills: Path | None
) -> CompositeBackend:
    """Show the agent its workspace as `/`, and beside it its notes, skills and long results."""
    routes: dict[str, BackendProtocol] = {
        "/memories/": _folder(agent_dir),
        ASSISTANT_SKILLS: _folder(agent_dir / "skills"),
        _ARTIFACTS: _folder(agent_dir / "artifacts"),
    }
    if project_skills is not None:
        routes[PROJECT_SKILLS] = _folder(project_skills)
    return _Workspace(
        default=_folder(workspace), routes=routes, artifacts_root=_ARTIFACTS.rstrip("/")
    )


class _Workspace(CompositeBackend):
    """What is beside the workspace can be reached, but is not listed among the person's files."""

    def ls(self, path: str) -> LsResult:
        return self._without_routes(super().ls(path))

    async def als(self, path: str) -> LsResult:
        return self._without_routes(await super().als(path))

    def _without_routes(self, listed: LsResult) -> LsResult:
        own = [entry for entry in listed.entries or [] if entry["path"] not in self.routes]
        return listed if listed.error else LsResult(entries=own)


def _folder(path: Path) -> FilesystemBackend:
    path.mkdir(parents=True, exist_ok=True)
    return _RegularFiles(root_dir=path, virtual_mode=True)


class _RegularFiles(FilesystemBackend):
    """A folder in which opening a pipe or a device for a look does not hang."""

    def download_files(self, paths: list[str]) -> list[FileDownloadResponse]:
        return [self._download(path) for path in paths]

    def _download(self, path: str) -> FileDownloadResponse:
        real = self.cwd / path.lstrip("/")
        if real.exists() and not real.is_file():
            return FileDownloadResponse(path=path, error="invalid_path")
        return super().download_files([path])[0]


def file_tools(backend: BackendProtocol) -> Middleware:
    """Give the agent `ls`, `read_file`, `write_file`, `edit_file`, `delete`, `glob`, `grep`."""
    return FilesystemMiddleware(
        backend=backend,
        permissions=_PERMISSIONS,
        tools=["ls", "read_file", "write_file", "edit_file", "delete", "glob", "grep"],
    )


def skills(backend: CompositeBackend) -> Middleware:
    """Offer the SKILL.md folders: name and description first, the rest when it is read."""
    known = [path for path in (ASSISTANT_SKILLS, PROJECT_SKILLS) if path in backend.routes]
    return SkillsMiddleware(backend=backend, sources=list(known))


def compaction(model: BaseChatModel, backend: BackendProtocol) -> Middleware:
    """Summarize the oldest part of a conversation that no longer fits."""
    # The library types its counter as taking messages only, and passes `tools` as well.
    counter: Any = TokenCounter()
    return create_summarization_middleware(model, backend, token_counter=counter)


def prompt_caching(models: Iterable[BaseChatModel]) -> list[Middleware]:
    """Mark what the provider may cache, where the provider wants it marked."""
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
    """Turn LangSmith's thread hops off, unless somebody traces with it."""
    wanted = ("LANGSMITH_TRACING", "LANGSMITH_TRACING_V2", "LANGCHAIN_TRACING_V2")
    if not any(os.environ.get(name, "").lower() in {"true", "1"} for name in wanted):
        langsmith.set_runtime_overrides(aio_to_thread=_inline)
