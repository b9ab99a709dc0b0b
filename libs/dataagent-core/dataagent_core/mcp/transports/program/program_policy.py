"""What a place allows the programs of MCP servers: the CLI of one person, or a tenant's server.

A server's program is somebody else's code. `command.py`, `start_program.py` and `start_program.py`
hold it to what stands here.
"""

from dataclasses import dataclass, field
from pathlib import Path

from dataagent_core.config.limits import mcp as limits
from dataagent_core.sandbox.limits.command_limits import CommandLimits
from dataagent_core.sandbox.network.egress import EgressPolicy
from dataagent_core.sandbox.paths.path_masks import DeniedFolder
from dataagent_core.sandbox.port import Network


def program_limits() -> CommandLimits:
    """Give what a server's program may use; a run's own limits are too tight for node and Java."""
    return CommandLimits(
        memory_bytes=limits.MCP_PROGRAM_MEMORY_BYTES_MAX,
        processes=limits.MCP_PROGRAM_PROCESSES_MAX,
        cpu_s=limits.MCP_PROGRAM_CPU_S_MAX,
        file_bytes=limits.MCP_PROGRAM_FILE_BYTES_MAX,
        disk_growth_bytes=limits.MCP_PROGRAM_DISK_BYTES_MAX,
        open_files=limits.MCP_PROGRAM_OPEN_FILES_MAX,
        watch_interval_s=limits.MCP_PROGRAM_WATCH_S,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgramPolicy:
    """Where programs are started, and what they may have."""

    # Ours: each server of each owner keeps its home in here from start to start.
    folder: Path
    network: Network = "none"
    network_most: Network = "full"
    # Ports and addresses that `network: hosts` lets through; the names are the server's.
    egress: EgressPolicy = field(default_factory=EgressPolicy)
    # None: any. Else names, absolute paths, or `npx @scope/*` and `uvx name-*`; a path that has a
    # space is quoted as in a shell.
    commands: tuple[str, ...] | None = None
    # None: any. Else the folders of the machine beneath which paths may be declared.
    path_roots: tuple[Path, ...] | None = None
    # Never shown, nor anything above them: DATAAGENT_HOME, the file with the secret key.
    kept_away: tuple[Path, ...] = ()
    # What rules deny to read is covered, should it lie in what a program is shown.
    denied: tuple[DeniedFolder, ...] = ()
    limits: CommandLimits = field(default_factory=program_limits)
    # False only where one person chose to: a plain process that sees what they see.
    sandboxed: bool = True
    run_as: int | None = None
