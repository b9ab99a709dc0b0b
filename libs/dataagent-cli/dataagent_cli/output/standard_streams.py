"""Standard streams that somebody closed (`<&-`) are opened on nothing.

Python has `None` in place of such a stream, and the next file opened would get its number: what is
meant for a person could land in a database.
"""

import os
import sys


def claim_standard_streams() -> None:
    """Open what is closed; call it before anything else is opened."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        try:
            os.fstat(number)
        except OSError:
            # The lowest free number, which is this one: those below it are open by now.
            os.open(os.devnull, os.O_RDWR)
        if getattr(sys, name) is None:
            mode = "r" if number == 0 else "w"
            stream = os.fdopen(number, mode, encoding="utf-8", closefd=False)
            setattr(sys, name, stream)
