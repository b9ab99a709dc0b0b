"""How a command line is run on this machine: by bash, and with nothing read before it.

The permission rules read a line as a fresh bash does (`permissions/shell`). So no other shell may
read it (dash ends some strings elsewhere), and nothing may have changed what its words mean: no
start file, and no function or option of bash that came along in the environment.
"""

import shutil
from collections.abc import Mapping

from dataagent_core.errors import SandboxUnavailableError

# Only the system's own: a workspace or a home may hold a program of this name.
_FOLDERS = "/usr/bin:/bin:/usr/local/bin"

# What bash takes from its environment that changes how it reads or runs a line, besides `BASH_*`,
# among which are the files it reads first and exported functions.
_SETTINGS = frozenset(
    {"ENV", "SHELLOPTS", "BASHOPTS", "POSIXLY_CORRECT", "PS4", "CDPATH", "GLOBIGNORE", "EXECIGNORE"}
)


def build_bash_command(line: str) -> tuple[str, ...]:
    """Give the words that run a command line."""
    bash = shutil.which("bash", path=_FOLDERS)
    if bash is None:
        raise SandboxUnavailableError(
            "There is no bash on this machine, and command lines are judged as bash reads them. "
            "Install bash, or work without the shell."
        )
    return (bash, "--noprofile", "--norc", "-c", line)


def drop_bash_settings(environment: Mapping[str, str]) -> dict[str, str]:
    """Leave out what would make bash another bash."""
    return {
        name: value
        for name, value in environment.items()
        if name not in _SETTINGS and not name.startswith("BASH_")
    }
