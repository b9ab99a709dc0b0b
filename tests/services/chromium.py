"""Finds Chromium on this machine; `get_chromium.sh` installs it if it may."""

import shutil

from tests.services.process import ServiceMissingError

# The headless shell renders as the browser does, in a quarter less time.
_PROGRAMS = ("chromium-headless-shell", "chromium")


def chromium() -> str:
    """Find the program."""
    for program in _PROGRAMS:
        found = shutil.which(program) or shutil.which(program, path="/usr/bin")
        if found is not None:
            return found
    raise ServiceMissingError(
        "Chromium is not on this machine: run tests/services/get_chromium.sh as root."
    )
