"""What a host allows the programs of MCP servers: the CLI of one person, or a tenant's server.

A server's program is foreign code. `command.py` and `start_program.py` enforce this policy.
"""

from dataclasses import dataclass, field
from pathlib import Path

from dataagent_core.config.limits import mcp as limits
from dataagent_core.sandbox.limits.command_limits import CommandLimits
from dataagent_core.sandbox.network.egress import EgressPolicy
from dataagent_core.sandbox.paths.path_masks import DeniedFolder
from dataagent_core.sandbox.port import Network


def program_limits() -> CommandLimits:
    """Return the limits of a server's program; those of a run are too tight for Node and Java."""
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
    """Where programs are started, and what they may use."""

    # The folder of the homes, one for each server of each owner.
    folder: Path
    network: Network = "none"
    network_most: Network = "full"
    # Ports and addresses that `network: hosts` allows; the configuration names the hosts.
    egress: EgressPolicy = field(default_factory=EgressPolicy)
    # None: any. Else names, absolute paths, or `npx @scope/*` and `uvx name-*`; a path with a
    # space is quoted as in a shell.
    commands: tuple[str, ...] | None = None
    # None: any. Else the folders of the machine beneath which paths may be declared.
    path_roots: tuple[Path, ...] | None = None
    # Never mounted, nor any folder above: DATAAGENT_HOME, the file with the secret key.
    kept_away: tuple[Path, ...] = ()
    # Paths that rules deny to read; covered inside the mounts.
    denied: tuple[DeniedFolder, ...] = ()
    limits: CommandLimits = field(default_factory=program_limits)
    # False only if the person chose so: a plain process with the person's access.
    sandboxed: bool = True
    run_as: int | None = None
