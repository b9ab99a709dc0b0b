"""The name under which an operator can call `dataagent-server` again, for hints."""

import shutil
import sys
from pathlib import Path
from typing import Final

NAME: Final = "dataagent-server"


def program() -> str:
    """Return the name if the shell finds it, else its path beside whatever was started."""
    beside = Path(sys.argv[0]).parent / NAME
    found = shutil.which(NAME)
    if not beside.exists() or (found and Path(found).resolve() == beside.resolve()):
        return NAME
    return str(beside)
