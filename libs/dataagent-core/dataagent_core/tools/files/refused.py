"""Edits that were refused once because of what they would do, and are made when asked for again.

It lives as long as the process: after a restart such an edit is refused once more, which costs a
call and damages nothing.
"""

import hashlib
import json
from collections.abc import Sequence
from threading import Lock

from dataagent_core.config.limits import EDIT_REFUSALS_MAX
from dataagent_core.tools.files.replace import Edit


class RefusedEdits:
    """The refused edits of one session."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._keys: dict[str, None] = {}

    def asked_again(self, path: str, text: str, edits: Sequence[Edit]) -> bool:
        """Say whether the same edits of the same text were refused before; else remember them."""
        key = _key(path, text, edits)
        with self._lock:
            if key in self._keys:
                del self._keys[key]
                return True
            self._keys[key] = None
            if len(self._keys) > EDIT_REFUSALS_MAX:
                del self._keys[next(iter(self._keys))]
        return False


def _key(path: str, text: str, edits: Sequence[Edit]) -> str:
    parts = [path, text, *([edit.old, edit.new, edit.replace_all] for edit in edits)]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()
