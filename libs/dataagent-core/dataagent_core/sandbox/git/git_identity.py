"""Who commits: the person's name and mail for git, and nothing else of their configuration."""

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from dataagent_core.config.limits import SANDBOX_HELPER_S

_PASSED_ON = ("HOME", "PATH", "XDG_CONFIG_HOME", "GIT_CONFIG_GLOBAL")


@dataclass(frozen=True, slots=True)
class GitIdentity:
    """What git writes into a commit; empty where the person has not told git."""

    name: str = ""
    email: str = ""

    def config(self) -> str:
        """Write it as a file of git's; a repository's own configuration comes before it."""
        known = [("name", self.name), ("email", self.email)]
        lines = [f"\t{key} = {_quoted(value)}\n" for key, value in known if value]
        return "".join(["[user]\n", *lines]) if lines else ""


NO_GIT_IDENTITY: Final = GitIdentity()


def read_person_identity(workspace: Path) -> GitIdentity:
    """Ask git for the identity it would use in a folder. It blocks; `git config` runs nothing."""
    return GitIdentity(_asked("user.name", workspace), _asked("user.email", workspace))


def ask_git(workspace: Path, *words: str) -> str:
    """Let `git config` answer in a folder; empty where it has no answer. It blocks."""
    asked = ["git", "-C", str(workspace), "config", *words]
    try:
        answer = subprocess.run(  # noqa: S603 (fixed words and a folder)
            asked,
            capture_output=True,
            check=False,
            stdin=subprocess.DEVNULL,
            timeout=SANDBOX_HELPER_S,
            env={name: os.environ[name] for name in _PASSED_ON if name in os.environ},
        )
    except (OSError, subprocess.SubprocessError):
        return ""  # no git, or none that answers: then commits ask who one is, as everywhere
    return os.fsdecode(answer.stdout) if answer.returncode == 0 else ""


def _asked(key: str, workspace: Path) -> str:
    # The person's file may hold other identities for other folders, so git is asked in this one.
    return ask_git(workspace, "--global", "--includes", "--get", key).strip()


def _quoted(value: str) -> str:
    plain = "".join(c for c in value if c.isprintable())
    escaped = plain.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
