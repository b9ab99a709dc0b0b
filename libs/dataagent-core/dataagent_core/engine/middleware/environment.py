"""Tells the model the day, the time zone, the platform and the git branch it works on.

It gives the day and not the time, so that the text stays the same all day and a provider's cache of
the request stays valid. For the same reason it is at the end of the system message. The prompt
(`config/prompts.py`) names the folder. The branch is read from the repository's files; git is not
run.
"""

import asyncio
import os
import platform
import re
import stat
from datetime import datetime
from pathlib import Path
from typing import Any

from langchain.agents.middleware.types import AgentMiddleware, ModelRequest, ModelResponse

from dataagent_core.config.limits import GIT_HEAD_BYTES_MAX
from dataagent_core.engine.middleware.middleware_chain import ModelHandler
from dataagent_core.models.system_message import append_to_system

# Other characters are refused: a name could be an instruction to the model.
_HEAD = re.compile(r"ref: refs/heads/([\w./+-]{1,100})\n?")
_GIT_DIRECTORY = re.compile(r"gitdir: ([^\n\0]+)\n?")


class EnvironmentMiddleware(AgentMiddleware[Any, Any, Any]):
    """Wraps the model calls of an agent and its sub-agents.

    `folder` is None if the files are on another machine. `look_above` is off for a user's workspace
    on a server, which is not part of a repository that contains it.
    """

    def __init__(self, folder: Path | None, *, look_above: bool) -> None:
        super().__init__()
        self._folder = folder
        self._look_above = look_above

    async def awrap_model_call(
        self, request: ModelRequest[Any], handler: ModelHandler
    ) -> ModelResponse[Any]:
        now = datetime.now().astimezone()
        line = await asyncio.to_thread(
            environment_text, now, self._folder, look_above=self._look_above
        )
        system_message = append_to_system(request.system_message, line)
        return await handler(request.override(system_message=system_message))


def environment_text(now: datetime, folder: Path | None, *, look_above: bool = False) -> str:
    """Write the line. Blocks while the branch is read."""
    branch = git_branch(folder, look_above=look_above) if folder else None
    offset = f"{now:%z}"
    parts = [
        f"Today is {now:%A}, {now:%Y-%m-%d} (time zone UTC{offset[:3]}:{offset[3:5]}).",
        *([f"Platform: {platform.system()}."] if folder else []),
        *([f"Git branch: `{branch}`."] if branch else []),
    ]
    return " ".join(parts)


def git_branch(folder: Path, *, look_above: bool) -> str | None:
    """Return the branch; None without a repository or a checked-out branch."""
    for place in (folder, *folder.parents) if look_above else (folder,):
        marker = place / ".git"
        if not marker.exists():
            continue
        # In a work tree and a submodule, `.git` is a file that names the git directory.
        elsewhere = _GIT_DIRECTORY.fullmatch(_read_start(marker)) if marker.is_file() else None
        head = (place / elsewhere[1] if elsewhere else marker) / "HEAD"
        found = _HEAD.fullmatch(_read_start(head))
        return found[1] if found else None
    return None


def _read_start(path: Path) -> str:
    try:
        # A pipe of that name must not block.
        opened = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return ""
    with os.fdopen(opened, "rb") as file:
        if not stat.S_ISREG(os.fstat(opened).st_mode):
            return ""
        return file.read(GIT_HEAD_BYTES_MAX).decode("utf-8", "replace")
