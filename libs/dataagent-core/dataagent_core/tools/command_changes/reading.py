"""Reads one file exactly as it was surveyed, or not at all."""

import os
import stat

from dataagent_core.config.limits import SHADOW_FILE_BYTES_MAX
from dataagent_core.errors import DataAgentError
from dataagent_core.sandbox.safe_open import SafeRoot
from dataagent_core.sandbox.safe_paths import parts_of
from dataagent_core.sandbox.safe_read import pieces
from dataagent_core.sandbox.safe_survey import Stamp, stamp_of
from dataagent_core.sandbox.safe_walk import arrive


def content_of(root: SafeRoot, path: str, stamp: Stamp) -> bytes | None:
    """Give a file's content; `None` if it cannot be read or is no longer what was surveyed."""
    try:
        return _target(root, path) if stat.S_ISLNK(stamp.mode) else _content(root, path, stamp)
    except (DataAgentError, OSError):
        return None


def _content(root: SafeRoot, path: str, stamp: Stamp) -> bytes | None:
    descriptor = root.open_fd(path)
    try:
        # Where links are followed, another file may stand behind the name by now.
        if stamp_of(os.fstat(descriptor)) != stamp:
            return None
        data = b"".join(pieces(descriptor, SHADOW_FILE_BYTES_MAX + 1))
        unchanged = stamp_of(os.fstat(descriptor)) == stamp and len(data) == stamp.size_bytes
        return data if unchanged else None
    finally:
        os.close(descriptor)


def _target(root: SafeRoot, path: str) -> bytes:
    with arrive(
        root.fileno(),
        parts_of(path),
        follow=False,
        one_device=root.links == "refuse",
        follow_last=False,
    ) as place:
        return os.fsencode(os.readlink(place.name, dir_fd=place.directory_fd))
