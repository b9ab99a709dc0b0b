"""`ShellMiddleware` (S1): the `shell` tool for an agent that is not built by `AgentFactory`.

The tool and the sandbox are the ones the factory uses. Approvals are not part of it: they belong to
the executor (`permissions/gate.py`), so an agent without one runs every command it likes, inside
the sandbox.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from langchain.agents.middleware.types import AgentMiddleware

from dataagent_core.sandbox.bubblewrap.bwrap_sandbox import BwrapSandbox
from dataagent_core.sandbox.bubblewrap.checked_sandbox import CheckedSandbox
from dataagent_core.sandbox.bubblewrap.self_test import SandboxHealth
from dataagent_core.sandbox.paths.workspace_location import locate_terminal_workspace
from dataagent_core.tools.shell.shell_tool import make_shell_tool


class ShellMiddleware(AgentMiddleware[Any, Any, Any]):
    """Brings the `shell` tool, whose commands see the workspace and no network."""

    def __init__(self, workspace_root: str | Path, env: Mapping[str, str] | None = None) -> None:
        super().__init__()
        root = Path(workspace_root).resolve()
        place = locate_terminal_workspace(root)
        self._sandbox = CheckedSandbox(
            "shell", SandboxHealth(), lambda: BwrapSandbox.open(root, place=place)
        )
        self.tools = [make_shell_tool(self._sandbox, env=env, place=place)]

    async def aclose(self) -> None:
        """End the commands that still run and remove the sandbox's scratch space."""
        await self._sandbox.aclose()
