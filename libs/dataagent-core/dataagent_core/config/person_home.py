"""Where one person's own files are: notes, skills, rules, kept outputs, reports.

They are beside the workspaces and out of every agent's reach. The single person of a machine, whom
nobody names, has them in `HOME` itself.
"""

import hashlib
from pathlib import Path

from dataagent_core.errors import DirectoryError, ValidationError

# The tenant of whoever has none.
LOCAL_TENANT = "local"


def person_home(home: Path, tenant_id: str | None, user_id: str | None) -> Path:
    """Name the folder of one person by a digest: ids are other people's words, not file names."""
    if tenant_id is None and user_id is None:
        return home
    ids = (tenant_id or LOCAL_TENANT, user_id or "")
    for one in ids:
        # It separates the two below: an id that holds it could be read as another pair.
        if "\0" in one:
            raise ValidationError(f"{one!r:.80} cannot be an id: it holds a NUL character.")
    named = "\0".join(ids)
    return home / "people" / hashlib.sha256(named.encode()).hexdigest()[:32]


def ensure_person_home(folder: Path) -> Path:
    """Make a person's folder, for its owner only."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise DirectoryError(
            f"The directory {folder} cannot be made: {error.strerror or error}. Make its parent "
            "writable, or set DATAAGENT_HOME to a directory you own."
        ) from error
    return folder
