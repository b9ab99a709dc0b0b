"""Which version of the server this is."""

from importlib.metadata import PackageNotFoundError, version


def server_version() -> str:
    """Read the version of the installed distribution."""
    try:
        return version("dataagent-server")
    except PackageNotFoundError:  # run from a copy of the sources
        return "0+unknown"
