"""How git runs inside the sandbox: a repository's own settings start fewer programs.

These come before every file of git's, and after a command's own `-c`. A repository that stands bare
in a folder is not taken for one unless it is named. Hooks and filters stay in a command that was
approved: they are the person's own, and LFS needs them. A command that only looks runs no hook;
what the environment cannot say is left out of the configuration it finds (`git_shown.py`).
"""

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


def git_environment(*, looks: bool) -> dict[str, str]:
    """Give the variables for a command, or for one that only looks."""
    settings = _SETTINGS | ({"core.hooksPath": "/dev/null"} if looks else {})
    found = {"GIT_CONFIG_COUNT": str(len(settings)), "GIT_PAGER": "cat"}
    if looks:
        # The indexes of submodules and worktrees stay as they are.
        found["GIT_OPTIONAL_LOCKS"] = "0"
    for number, (key, value) in enumerate(settings.items()):
        found[f"GIT_CONFIG_KEY_{number}"] = key
        found[f"GIT_CONFIG_VALUE_{number}"] = value
    return found
