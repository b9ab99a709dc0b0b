"""From `DATAAGENT_DATABASE_URL` to the SQLite file that core can use itself.

Other databases are the server's; a URL may hold a password, so only its scheme is ever shown.
"""

from pathlib import Path
from urllib.parse import unquote

from dataagent_core.errors import ConfigurationError

_SQLITE = "sqlite:///"


def sqlite_path(url: str | None, default: Path) -> Path:
    """Return the file a `sqlite:///` URL names, or the default without a URL."""
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
