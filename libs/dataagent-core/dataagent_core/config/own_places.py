"""Where DataAgent keeps its own files: settings, keys, the log. No tool of an agent reaches them.

It is named here once; files are closed to tools by `sandbox.safe_held` and hidden from commands by
`sandbox.masks`, wherever they lie in a workspace.
"""

from pathlib import Path

from dataagent_core.config.settings import Settings
from dataagent_core.errors import ConfigurationError

# What SQLite keeps beside a database; a journal that somebody else wrote would be played back.
_SIDES = ("", "-wal", "-shm", "-journal")


def own_places(settings: Settings) -> tuple[Path, ...]:
    """List the folders and files; some may not be there yet."""
    try:
        database = settings.database_path
    except ConfigurationError:
        files: tuple[Path, ...] = ()  # a server elsewhere: there is no file
    else:
        files = tuple(database.with_name(database.name + side) for side in _SIDES)
    usual = Path("~/.dataagent").expanduser()
    return (settings.home, usual, settings.secret_key_path, *files)
