"""The roots of a server: the workspace, if the server may see it.

A program in the sandbox may see the workspace when a path that its configuration declares holds it;
a program without a sandbox sees it anyway. A server at an address gets no roots. Pure.
"""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from dataagent_core.mcp.config import MCPServerConfig
from dataagent_core.mcp.configuration.variables import expand_variables
from dataagent_core.mcp.owner import Owner
from dataagent_core.mcp.ports import RootsFor
from dataagent_core.mcp.transports.program.program_files import is_beneath


def roots_in(
    workspace: Path, *, sandboxed: bool = True, variables: Mapping[str, str] | None = None
) -> RootsFor:
    """Return a function that finds the roots of servers for one workspace."""

    async def roots_for(owner: Owner, config: MCPServerConfig) -> Sequence[Path]:
        del owner
        found = visible_workspace(
            workspace, expand_variables(config, variables or {}), sandboxed=sandboxed
        )
        return () if found is None else (found,)

    return roots_for


async def no_roots(owner: Owner, config: MCPServerConfig) -> Sequence[Path]:
    """Return no roots for any server."""
    del owner, config
    return ()


def visible_workspace(
    workspace: Path, config: MCPServerConfig, *, sandboxed: bool = True
) -> Path | None:
    """Return the workspace as a server's program sees it, or None if it may not."""
    if config.transport != "stdio":
        return None
    real = os.path.realpath(workspace)
    if not sandboxed:
        return Path(real)
    for declared in (*config.write_paths, *config.read_paths):
        # Declared paths appear inside where they are outside
        # (`transports/program/start_program.py`).
        path = os.path.normpath(Path(declared).expanduser())
        shown = os.path.realpath(path)
        if is_beneath(real, [shown]):
            return Path(path + real[len(shown.rstrip("/")) :])
    return None
