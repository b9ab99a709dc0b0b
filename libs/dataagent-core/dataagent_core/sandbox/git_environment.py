"""How git runs inside the sandbox: a repository's own settings start fewer programs.

These come before every file of git's, and after a command's own `-c`. A repository that stands bare
in a folder is not taken for one unless it is named. Hooks and filters stay: in a command that was
approved they are the person's own, and LFS needs them.
"""

from collections.abc import Mapping
from typing import Final

_SETTINGS: Final = {
    "safe.bareRepository": "explicit",
    "core.fsmonitor": "false",
    "core.pager": "cat",
    "log.showSignature": "false",
    "protocol.ext.allow": "never",
    # It would end with the command, and take worktrees for gone that the sandbox does not show.
    "gc.auto": "0",
    "gc.worktreePruneExpire": "never",
}
_numbered = enumerate(_SETTINGS.items())
GIT_ENVIRONMENT: Final[Mapping[str, str]] = {
    "GIT_CONFIG_COUNT": str(len(_SETTINGS)),
    **{
        name: value
        for number, (key, setting) in _numbered
        for name, value in (
            (f"GIT_CONFIG_KEY_{number}", key),
            (f"GIT_CONFIG_VALUE_{number}", setting),
        )
    },
    "GIT_PAGER": "cat",
}
