"""The paths of files that DataAgent keeps outside of workspaces.

`own_paths` lists settings, keys and the database: tools cannot open them
(`sandbox/paths/closed_paths.py`) and commands do not see them (`sandbox/paths/path_masks.py`).
`user_home` is the folder of one user, with notes, skills, rules and an `agents/{assistant_id}` for
each assistant; the single user of a machine has `HOME` itself. `sqlite_path` reads
`DATAAGENT_DATABASE_URL`; other databases are the server's. An error shows only the scheme of a URL,
because a URL may hold a password.
"""

import hashlib
import os
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import unquote

from dataagent_core.errors import ConfigurationError, DirectoryError, ValidationError
from dataagent_core.ids import checked_id

if TYPE_CHECKING:
    from dataagent_core.config.settings import Settings

_SQLITE = "sqlite:///"


def sqlite_path(url: str | None, default: Path) -> Path:
    """Return the file of a `sqlite:///` URL, or the default without a URL."""
    if url is None:
        return default
    path = url.removeprefix(_SQLITE).partition("?")[0]
    if not url.startswith(_SQLITE) or path in ("", ":memory:"):
        scheme = url.partition(":")[0]
        raise ConfigurationError(
            f"DATAAGENT_DATABASE_URL has the scheme {scheme!r}, which the command line cannot use: "
            "give sqlite:///relative/path or sqlite:////absolute/path, unset it to use "
            f"{default}, or run the server for other databases."
        )
    return Path(unquote(path)).expanduser().absolute()


# The folder of a home in which the shadows of all workspaces lie.
SHADOWS_NAME = "shadows"
# The skills of a project, in its folder, and of a person, in the folder of an assistant.
PROJECT_SKILLS: Final = Path(".dataagent/skills")
PERSON_SKILLS: Final = Path("skills")
# Where an agent's tools and commands find the skills of each tier.
SKILL_MOUNTS: Final = ("/skills/system/", "/skills/tenant/", "/skills/project/")
AGENT_FILE = "agent.md"


def ensure_agent_dir(home: Path, assistant_id: str, prompt: str) -> Path:
    """Create the directory, for its owner only, and write `agent.md` unless it exists."""
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
    # Exclusive creation, so that two starting processes cannot overwrite the user's text.
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(text)


# SQLite's files beside a database; a journal written by others would be played back.
_SIDES = ("", "-wal", "-shm", "-journal")


def own_paths(settings: "Settings") -> tuple[Path, ...]:
    """List the folders and files; some may not exist yet."""
    try:
        database = settings.database_path
    except ConfigurationError:
        files: tuple[Path, ...] = ()  # a server elsewhere: there is no file
    else:
        files = tuple(database.with_name(database.name + side) for side in _SIDES)
    usual = Path("~/.dataagent").expanduser()
    return (settings.home, usual, settings.secret_key_path, *files)


# The tenant of agents without one.
LOCAL_TENANT = "local"


def user_home(home: Path, tenant_id: str | None, user_id: str | None) -> Path:
    """Return the folder of a user, named by a digest, because ids are not safe file names."""
    if tenant_id is None and user_id is None:
        return home
    ids = (tenant_id or LOCAL_TENANT, user_id or "")
    for one in ids:
        # The separator of the digest's input: an id that holds it could equal another pair.
        if "\0" in one:
            raise ValidationError(f"{one!r:.80} cannot be an id: it holds a NUL character.")
    named = "\0".join(ids)
    return home / "people" / hashlib.sha256(named.encode()).hexdigest()[:32]


def ensure_user_home(folder: Path) -> Path:
    """Create a user's folder, for its owner only."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise DirectoryError(
            f"The directory {folder} cannot be made: {error.strerror or error}. Make its parent "
            "writable, or set DATAAGENT_HOME to a directory you own."
        ) from error
    return folder
