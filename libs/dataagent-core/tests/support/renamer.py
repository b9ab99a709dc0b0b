"""A process that swaps a directory with a link as fast as it can, until it is killed.

Usage: renamer.py DIRECTORY LINK. It prints a line once it swaps.
"""

import ctypes
import os
import sys

AT_FDCWD = -100
RENAME_EXCHANGE = 2


def main() -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    one, two = (os.fsencode(path) for path in sys.argv[1:3])
    os.write(1, b"swapping\n")
    while True:
        if libc.renameat2(AT_FDCWD, one, AT_FDCWD, two, RENAME_EXCHANGE) != 0:
            raise OSError(ctypes.get_errno(), "renameat2")


if __name__ == "__main__":
    main()
