"""Where the shadows of all workspaces lie: one private folder each, below a folder of our home.

A folder that has not been used for long, or is one too many, is removed when another is opened.
"""

import hashlib
import os
import shutil
import time
from pathlib import Path

from dataagent_core.config.limits import SHADOW_SPARE_S, SHADOW_UNUSED_S_MAX, SHADOW_WORKSPACES_MAX

_OWNER_ONLY = 0o700


def open_folder(shadows: Path, workspace: Path) -> Path:
    """Make the folder for one workspace, for its owner only, and note that it is in use."""
    folder = shadows / hashlib.sha256(os.fsencode(workspace)).hexdigest()[:32]
    for private in (shadows, folder):
        private.mkdir(mode=_OWNER_ONLY, parents=True, exist_ok=True)
        private.chmod(_OWNER_ONLY)
    os.utime(folder)
    _drop_unused(shadows, time.time())
    return folder


def _drop_unused(shadows: Path, now_s: float) -> None:
    ages = sorted((now_s - found.stat().st_mtime, found) for found in shadows.iterdir())
    for number, (age_s, folder) in enumerate(ages):
        one_too_many = number >= SHADOW_WORKSPACES_MAX and age_s > SHADOW_SPARE_S
        if one_too_many or age_s > SHADOW_UNUSED_S_MAX:
            shutil.rmtree(folder, ignore_errors=True)
