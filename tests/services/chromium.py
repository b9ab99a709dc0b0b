"""Chromium: the one on this machine, which `get_chromium.sh` installs where it may."""

import shutil

from tests.services.process import ServiceMissingError

# The shell renders as the browser does, without drawing a window nobody sees: a quarter less time.
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
