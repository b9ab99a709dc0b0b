"""The directory of one person's agent, with the `agent.md` it may rewrite.

`agents/{assistant_id}` in the person's own folder (`person_home.py`): two people who use the same
assistant have two directories.
"""

import os
from pathlib import Path

from dataagent_core.errors import DirectoryError
from dataagent_core.ids import checked_id

AGENT_FILE = "agent.md"


def ensure_agent_dir(home: Path, assistant_id: str, prompt: str) -> Path:
    """Make the directory, for its owner only, and write `agent.md` unless there is one."""
    directory = home / "agents" / checked_id(assistant_id, "assistant id")
    try:
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        _write_if_missing(directory / AGENT_FILE, prompt)
    except OSError as error:
        raise DirectoryError(
            f"The agent directory {directory} cannot be made: {error.strerror or error}. "
            "Make its parent writable, or set DATAAGENT_HOME to a directory you own."
        ) from error
    return directory


def _write_if_missing(path: Path, text: str) -> None:
    # Exclusive creation, so that two starting processes cannot overwrite what a person wrote.
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(text)
