"""Opens closed standard streams (`<&-`) on /dev/null.

Python has `None` for such a stream, and the next opened file would get its number: a message could
be written into a database.
"""

import os
import sys


def claim_standard_streams() -> None:
    """Open the closed ones; call it before any other file is opened."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        try:
            os.fstat(number)
        except OSError:
            # The lowest free number is this one: those below it are open.
            os.open(os.devnull, os.O_RDWR)
        if getattr(sys, name) is None:
            mode = "r" if number == 0 else "w"
            stream = os.fdopen(number, mode, encoding="utf-8", closefd=False)
            setattr(sys, name, stream)
