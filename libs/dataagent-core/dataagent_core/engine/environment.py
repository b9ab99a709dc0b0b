"""Tells the model the day, the time zone, the platform and the git branch it works on.

The day and not the time: the text is the same all day, so what a provider has cached of a request
holds. It stands behind what is longer-lived in the system message for the same reason. The folder
is named in the prompt itself (`config/prompts.py`).
"""

import asyncio
import platform
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from langchain.agents.middleware.types import AgentMiddleware, ModelRequest, ModelResponse

from dataagent_core.engine.git_branch import git_branch
from dataagent_core.models.system_message import appended

Handler = Callable[[ModelRequest[Any]], Awaitable[ModelResponse[Any]]]


def local_now() -> datetime:
    """Give the time in the time zone of this machine."""
    return datetime.now().astimezone()


@dataclass(frozen=True, slots=True, kw_only=True)
class Environment:
    """Where an agent works; `folder` is None where its files are on another machine."""

    folder: Path | None
    # A person's own workspace on a server is no part of a repository that the server lies in.
    look_above: bool = False
    now: Callable[[], datetime] = local_now

    def text(self) -> str:
        """Say it in one line; it blocks while the branch is read."""
        branch = git_branch(self.folder, look_above=self.look_above) if self.folder else None
        system = platform.system() if self.folder else None
        return environment_text(self.now(), system, branch)


def environment_text(now: datetime, system: str | None, branch: str | None) -> str:
    """Write the line."""
    offset = f"{now:%z}"
    parts = [
        f"Today is {now:%A}, {now:%Y-%m-%d} (time zone UTC{offset[:3]}:{offset[3:5]}).",
        *([f"Platform: {system}."] if system else []),
        *([f"Git branch: `{branch}`."] if branch else []),
    ]
    return " ".join(parts)


class EnvironmentMiddleware(AgentMiddleware[Any, Any, Any]):
    """Around the model calls of an agent and its sub-agents."""

    def __init__(self, environment: Environment) -> None:
        super().__init__()
        self._environment = environment

    async def awrap_model_call(
        self, request: ModelRequest[Any], handler: Handler
    ) -> ModelResponse[Any]:
        line = await asyncio.to_thread(self._environment.text)
        told = appended(request.system_message, line)
        return await handler(request.override(system_message=told))
