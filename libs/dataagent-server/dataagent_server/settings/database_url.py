"""The database URL of the settings: one URL, or S0's `mysql_*` settings. Pure."""

from pathlib import Path
from urllib.parse import quote


def mysql_url(host: str, port: int, user: str, password: str, database: str) -> str:
    """Write S0's five settings as one URL; special characters of a password are escaped."""
    shown_host = f"[{host}]" if ":" in host else host
    account = f"{quote(user, safe='')}:{quote(password, safe='')}" if password else quote(user)
    return f"mysql://{account}@{shown_host}:{port}/{quote(database, safe='')}"


def sqlite_url(home: Path) -> str:
    """Return the file of DATAAGENT_HOME that the terminal uses as well."""
    return f"sqlite:///{quote(str(home / 'dataagent.db'))}"
