"""The skills that come with DataAgent: the system tier, the same for everybody and read-only."""

from pathlib import Path


def built_in_folder() -> Path:
    """Return the folder with a folder for each built-in skill."""
    return Path(__file__).parent / "built_in"
