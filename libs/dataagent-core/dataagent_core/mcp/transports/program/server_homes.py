"""The home folder of each server of each owner, and its size limit.

It is kept between starts, so that what `npx -y` and `uvx` downloaded is there the next time; its
content counts, or a server that is started repeatedly would fill the disk.
"""

import hashlib
import os
import shutil
import tempfile
from pathlib import Path

from dataagent_core.config.limits import MEASURED_ENTRIES_MAX
from dataagent_core.errors import MCPServerError
from dataagent_core.mcp.owner import Owner
from dataagent_core.mcp.transports.program import environment
from dataagent_core.mcp.transports.program.program_policy import ProgramPolicy
from dataagent_core.sandbox.files.workspace_quota import QuotaUsage
from dataagent_core.sandbox.limits.command_limits import CommandLimits, narrow_limits
from dataagent_core.sandbox.limits.folder_size import measure_folder

_MIB = 2**20


def home_of(owner: Owner, server: str, policy: ProgramPolicy) -> Path:
    """Return the home of one server of one owner, created if necessary.

    It is created aside and moved into the folder. Once a program has used it, nothing in it is
    changed from outside: any name there may have become a link.
    """
    policy.folder.mkdir(parents=True, exist_ok=True)
    home = policy.folder / _name(owner, server)
    if home.is_dir():
        return home
    made = Path(tempfile.mkdtemp(prefix="new-", dir=policy.folder))
    inside = made / environment.HOME.strip("/")
    for folder in (inside, *(inside / below for below in environment.FOLDERS)):
        folder.mkdir(mode=0o700)
    if policy.run_as is not None:
        for folder in (made, *made.rglob("*")):
            os.chown(folder, policy.run_as, policy.run_as)
    try:
        made.rename(home)
    except OSError:
        # Another process created it first.
        shutil.rmtree(made, ignore_errors=True)
    return home


def forget_home(owner: Owner, server: str, folder: Path) -> None:
    """Remove the home of a deleted server. Blocks."""
    home = folder / _name(owner, server)
    if not home.is_dir():
        return
    try:
        shutil.rmtree(home)
    except OSError as error:
        raise MCPServerError(
            server, f"is removed, but not what it kept: {error}. Delete the folder {home}."
        ) from error


def _name(owner: Owner, server: str) -> str:
    identity = f"{owner.tenant_id}\0{owner.user_id}\0{server}"
    return hashlib.sha256(identity.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def limits_in(home: Path, server: str, limits: CommandLimits) -> CommandLimits:
    """Narrow the limits to the free space of the home; a full one is refused. Blocks."""
    descriptor = os.open(home, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        held = measure_folder(descriptor)
    finally:
        os.close(descriptor)
    usage = QuotaUsage(
        held_bytes=held.size_bytes,
        held_files=held.entries,
        free_bytes=limits.disk_growth_bytes - held.size_bytes,
        free_files=MEASURED_ENTRIES_MAX - held.entries,
    )
    if usage.free_bytes <= 0 or usage.free_files <= 0:
        raise MCPServerError(
            server,
            f"is not started: its home is full, with {held.size_bytes // _MIB:,} MiB in "
            f"{held.entries:,} files. The person who runs DataAgent can empty the folder "
            f"{home.name} among the homes of MCP servers.",
        )
    return narrow_limits(limits, usage)
