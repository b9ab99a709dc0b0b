"""The folder that each server of each owner keeps from start to start, and how much fits in it.

It stays, so that what `npx -y` and `uvx` fetched is there the next time; what it holds from earlier
starts counts, or a server that is started again and again would fill the disk.
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


def home_of(owner: Owner, server: str, place: ProgramPolicy) -> Path:
    """Give the folder of one server of one owner; names a person chose are no paths.

    It is made whole and moved to its place. Once a program has had it, nothing in it is touched
    from outside: any name there may have become a link.
    """
    place.folder.mkdir(parents=True, exist_ok=True)
    home = place.folder / _name(owner, server)
    if home.is_dir():
        return home
    made = Path(tempfile.mkdtemp(prefix="new-", dir=place.folder))
    inside = made / environment.HOME.strip("/")
    for folder in (inside, *(inside / below for below in environment.FOLDERS)):
        folder.mkdir(mode=0o700)
    if place.run_as is not None:
        for folder in (made, *made.rglob("*")):
            os.chown(folder, place.run_as, place.run_as)
    try:
        made.rename(home)
    except OSError:
        # Somebody else was quicker; theirs is as good.
        shutil.rmtree(made, ignore_errors=True)
    return home


def forget_home(owner: Owner, server: str, folder: Path) -> None:
    """Remove what a server that is no more kept in the homes' folder. It blocks."""
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
    whose = f"{owner.tenant_id}\0{owner.user_id}\0{server}"
    return hashlib.sha256(whose.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def limits_in(home: Path, server: str, limits: CommandLimits) -> CommandLimits:
    """Narrow the limits to what the home still takes; a full one is refused. It blocks."""
    descriptor = os.open(home, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        held = measure_folder(descriptor)
    finally:
        os.close(descriptor)
    room = QuotaUsage(
        held_bytes=held.size_bytes,
        held_files=held.entries,
        free_bytes=limits.disk_growth_bytes - held.size_bytes,
        free_files=MEASURED_ENTRIES_MAX - held.entries,
    )
    if room.free_bytes <= 0 or room.free_files <= 0:
        raise MCPServerError(
            server,
            f"is not started: its home is full, with {held.size_bytes // _MIB:,} MiB in "
            f"{held.entries:,} files. The person who runs DataAgent can empty the folder "
            f"{home.name} among the homes of MCP servers.",
        )
    return narrow_limits(limits, room)
