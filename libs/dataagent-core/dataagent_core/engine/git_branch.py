"""Which branch a folder's repository is on, read from its files: no program of git is run."""

import os
import re
import stat
from pathlib import Path

from dataagent_core.config.limits import GIT_HEAD_BYTES_MAX

# A name with anything else in it is not worth the risk of what it might say to a model.
_HEAD = re.compile(r"ref: refs/heads/([\w./+-]{1,100})\n?")
_GIT_DIRECTORY = re.compile(r"gitdir: ([^\n\0]+)\n?")


def git_branch(folder: Path, *, look_above: bool) -> str | None:
    """Name the branch; None without a repository, and where no branch is checked out."""
    for place in (folder, *folder.parents) if look_above else (folder,):
        marker = place / ".git"
        if not marker.exists():
            continue
        # A work tree and a submodule have a file that says where the rest is.
        elsewhere = _GIT_DIRECTORY.fullmatch(_text(marker)) if marker.is_file() else None
        head = (place / elsewhere[1] if elsewhere else marker) / "HEAD"
        found = _HEAD.fullmatch(_text(head))
        return found[1] if found else None
    return None


def _text(path: Path) -> str:
    try:
        # Not to be held up by a pipe of that name.
        opened = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return ""
    with os.fdopen(opened, "rb") as file:
        if not stat.S_ISREG(os.fstat(opened).st_mode):
            return ""
        return file.read(GIT_HEAD_BYTES_MAX).decode("utf-8", "replace")
