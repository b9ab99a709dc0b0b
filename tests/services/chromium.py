"""Chromium: the one on this machine, which `get_chromium.sh` installs where it may."""

import shutil

from tests.services.process import ServiceMissingError


def chromium() -> str:
    """Find the program."""
    found = shutil.which("chromium") or shutil.which("chromium", path="/usr/bin")
    if found is None:
        raise ServiceMissingError(
            "Chromium is not on this machine: run tests/services/get_chromium.sh as root."
        )
    return found
