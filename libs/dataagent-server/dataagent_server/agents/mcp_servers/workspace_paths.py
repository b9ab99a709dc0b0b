"""`/workspace` among a program's arguments is the workspace of whoever uses it (S0). Pure."""

from dataclasses import replace
from typing import Final

from dataagent_core.mcp.config import MCPServerConfig
from dataagent_server.agents.mcp_servers.policy import WORKSPACE

_NAMED: Final = "/workspace"
_VARIABLE: Final = f"${{{WORKSPACE}}}"


def with_workspace(config: MCPServerConfig) -> MCPServerConfig:
    """Give the workspace's variable instead of its name, and declare the folder."""
    args = [_named(argument) for argument in config.args]
    if args == config.args:
        return config
    declared = _VARIABLE in (*config.read_paths, *config.write_paths)
    paths = config.write_paths if declared else [*config.write_paths, _VARIABLE]
    return replace(config, args=args, write_paths=paths)


def _named(argument: str) -> str:
    if argument == _NAMED or argument.startswith(f"{_NAMED}/"):
        return _VARIABLE + argument.removeprefix(_NAMED)
    return argument
