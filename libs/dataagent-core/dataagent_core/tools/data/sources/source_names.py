"""Makes the name of a source from a file's name, and removes secrets from a location."""

import re
from urllib.parse import urlsplit, urlunsplit

from dataagent_core.config.limits.data import DATA_SOURCE_NAME_CHARS_MAX
from dataagent_core.tools.data.sources.source_spec import RESULTS_SOURCE


def make_source_name(stem: str) -> str:
    """Make a valid name of a file's stem."""
    name = re.sub(r"[^A-Za-z0-9_-]+", "_", stem).strip("_-")
    if not name or not name[0].isalpha() or name.lower() == RESULTS_SOURCE:
        name = f"file_{name}".rstrip("_")
    return name[:DATA_SOURCE_NAME_CHARS_MAX]


def remove_secrets(location: str) -> str:
    """Return a location without its password and without options, which may hold secrets."""
    if "://" not in location:
        return location
    parts = urlsplit(location)
    login = f"{parts.username}:***@" if parts.username and parts.password else ""
    if parts.username and not parts.password:
        login = f"{parts.username}@"
    port = f":{parts.port}" if parts.port else ""
    return urlunsplit((parts.scheme, f"{login}{parts.hostname or ''}{port}", parts.path, "", ""))
