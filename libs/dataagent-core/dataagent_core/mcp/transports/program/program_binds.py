"""The folders and files of the machine that a server's program is shown, held open until it runs.

Each is opened once and compared with where it was meant to be: exchanging it for a link between a
look and the mount gains nothing.
"""

import os
import stat
from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from pathlib import Path

from dataagent_core.errors import MCPServerError
from dataagent_core.mcp.config import MCPServerConfig
from dataagent_core.mcp.transports.program.program_files import is_beneath
from dataagent_core.mcp.transports.program.program_policy import ProgramPolicy
from dataagent_core.sandbox.bubblewrap.system_binds import BindMount
from dataagent_core.sandbox.paths.path_masks import DeniedFolder, PathMask

# The kernel's and the system's own: no server needs them, and each leads to everything.
_NEVER = ("/proc", "/sys", "/dev", "/etc", "/run", "/var/run")


def open_declared_binds(
    config: MCPServerConfig, place: ProgramPolicy, held: ExitStack
) -> list[BindMount]:
    """Open what a configuration declares; a path that may not be shown is refused."""
    wanted = dict.fromkeys(config.read_paths, False)
    wanted |= dict.fromkeys(config.write_paths, True)
    binds: list[BindMount] = []
    for given, writable in wanted.items():
        path = os.path.normpath(Path(given).expanduser() if place.path_roots is None else given)
        # Looked up once: what is judged is what is opened.
        real = os.path.realpath(path)
        if problem := why_not_shown(path, real, place):
            raise MCPServerError(
                config.name, f"may not have the path {given!r}: {problem}. Declare another one."
            )
        try:
            binds.append(open_bind(real, path, held, writable=writable))
        except OSError as error:
            raise MCPServerError(
                config.name,
                f"cannot have the path {given!r}: {error.strerror or error}. "
                "Declare folders and files that exist.",
            ) from error
    return binds


def why_not_shown(path: str, real: str, place: ProgramPolicy) -> str | None:
    """Say why a path may not be shown, or None; judged as it was given and as it really is."""
    if not Path(path).is_absolute():
        return "it is not absolute"
    kept_away = [os.path.realpath(away) for away in (*place.kept_away, place.folder)]
    for shown in {path, real}:
        for away in (*_NEVER, *kept_away):
            if is_beneath(shown, [away]) or is_beneath(away, [shown]):
                return f"{shown!r} is, holds or lies in {away!r}, which no server is shown"
    if place.path_roots is not None:
        roots = [os.path.realpath(root) for root in place.path_roots]
        if not is_beneath(real, roots):
            return f"here only paths in {', '.join(roots) or 'no folder'} are allowed"
    return None


def list_denied_paths(binds: Iterable[BindMount], denied: Iterable[DeniedFolder]) -> list[PathMask]:
    """List what rules deny to read of what is shown, by its path inside. It blocks."""
    shown = list(binds)
    covered: list[PathMask] = []
    for folder in denied:
        real = os.path.realpath(folder.path)
        descriptor = os.open(real, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            masks = folder.find(descriptor)
        finally:
            os.close(descriptor)
        for mask in masks:
            host = real + mask.path
            for bind in shown:
                if is_beneath(host, [bind.source]):
                    inside = bind.dest + host[len(bind.source) :]
                    covered.append(PathMask(inside, mask.is_folder, mask.identity))
                elif is_beneath(bind.source, [host]):
                    is_folder = Path(bind.source).is_dir()
                    covered.append(PathMask(bind.dest, is_folder, mask.identity))
    return covered


def open_bind(source: str, dest: str, held: ExitStack, *, writable: bool = False) -> BindMount:
    """Open a folder or file to be mounted; it is the one that lay at `source`, or an error."""
    descriptor = os.open(source, os.O_PATH | os.O_NOFOLLOW | os.O_CLOEXEC)
    held.callback(os.close, descriptor)
    if os.readlink(f"/proc/self/fd/{descriptor}") != source:  # noqa: PTH115 - not a real path
        raise OSError(0, "it was replaced while it was opened")
    mode = os.fstat(descriptor).st_mode
    if not stat.S_ISDIR(mode) and not stat.S_ISREG(mode):
        raise OSError(0, "it is neither a folder nor a file")
    return BindMount(source, dest, descriptor, writable=writable)


def open_program_binds(shown: Mapping[str, str], held: ExitStack) -> list[BindMount]:
    """Open what a program stands on, read-only; what is already in another one is left out."""
    binds: list[BindMount] = []
    for dest, source in sorted(shown.items()):
        above = next((bind for bind in binds if is_beneath(dest, [bind.dest])), None)
        if above is None or source != above.source + dest[len(above.dest) :]:
            binds.append(open_bind(source, dest, held))
    return binds
