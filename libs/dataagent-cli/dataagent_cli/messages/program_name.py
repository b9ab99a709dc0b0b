"""The name of this program, for hints that show a command."""

import shutil
import sys
from pathlib import Path

NAME = "dataagent"


def program() -> str:
    """Return `dataagent` if the shell finds it, else the path it was started by."""
    started = Path(sys.argv[0])
    if started.name != NAME or started.parent == Path():
        return NAME
    found = shutil.which(NAME)
    if found and Path(found).resolve() == started.resolve():
        return NAME
    return str(started)
