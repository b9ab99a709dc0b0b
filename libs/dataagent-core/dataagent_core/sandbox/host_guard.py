"""Holds back what a command did to files that programs of the host obey, until a person agrees.

    before = guard.look()        what there was
    (the command runs)
    notes = guard.hold(before)   the old content is restored, the new one is kept aside and shown

What an editor's own git reads in between, while the command still runs, cannot be held.
"""

import os
import secrets
import threading
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

from dataagent_core.config.limits import HOST_FILE_SHOWN_CHARS_MAX, HOST_SCAN_ENTRIES_MAX
from dataagent_core.sandbox.closed_places import ClosedPlaces
from dataagent_core.sandbox.git_files import (
    drivers,
    is_harmless_common,
    is_harmless_config,
    is_harmless_pointer,
)
from dataagent_core.sandbox.held_changes import HeldChanges
from dataagent_core.sandbox.host_files import host_file
from dataagent_core.sandbox.host_scan import Found, scan
from dataagent_core.sandbox.safe_paths import Parts, shown_path
from dataagent_core.sandbox.workspace_place import WorkspacePlace

_FOLDER = os.O_PATH | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC

HostFiles = dict[Parts, Found]
_UNSEEN = (
    f"The workspace has more than {HOST_SCAN_ENTRIES_MAX} entries, or folders too deep: files "
    "there that programs of this computer obey were not looked for."
)


def reason_to_hold(parts: Parts, before: Found | None, after: Found, place: str) -> str | None:
    """Say which program would obey a changed file; None for what git writes by itself. Pure."""
    folder = shown_path(parts[:-1])
    text = (after.content or b"").decode("utf-8", "replace")
    known = after.content is not None and not after.is_link
    match after.what:
        case "config":
            harmless = known and is_harmless_config(text, folder)
        case "commondir":
            harmless = known and is_harmless_common(text, folder)
        case "pointer":
            harmless = known and is_harmless_pointer(text, folder, place)
        case "hook":
            harmless = known and parts[-1].endswith(".sample")
        case "attributes":
            old = drivers(before.content or b"") if before is not None else frozenset[bytes]()
            harmless = known and drivers(after.content or b"") <= old
        case "listed":
            entry = host_file(parts)
            return entry.who if entry is not None else None
    return None if harmless else "git runs programs it names"


@dataclass(frozen=True, slots=True)
class HostGuard:
    """Looks at one workspace; `held` keeps what is held back."""

    workspace: Path
    place: WorkspacePlace
    held: HeldChanges
    closed: ClosedPlaces
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def look(self) -> HostFiles:
        """See what there is before a command. It blocks."""
        with self._opened() as root:
            return scan(root.descriptor, self.closed.identities).files

    def hold(self, before: HostFiles) -> tuple[str, ...]:
        """Undo what a command did to such files, and say so. It blocks."""
        notes: list[str] = []
        with self._lock, self._opened() as root:
            after = scan(root.descriptor, self.closed.identities)
            if not after.complete:
                notes.append(_UNSEEN)
            for parts, now in sorted(after.files.items()):
                was = before.get(parts)
                if was == now:
                    continue
                why = reason_to_hold(parts, was, now, self.place.path)
                if why is not None and _restore(root.descriptor, parts, was, now):
                    mode = now.mode & 0o777
                    number = self.held.keep(
                        shown_path(parts), now.content, link=now.is_link, mode=mode
                    )
                    notes.append(_note(shown_path(parts), why, now, number))
        return tuple(notes)

    def _opened(self) -> "_Root":
        return _Root(self.workspace)


class _Root:
    """The workspace, open for one look."""

    def __init__(self, path: Path) -> None:
        self.descriptor = os.open(path, _FOLDER)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self.descriptor)


def _restore(root_fd: int, parts: Parts, was: Found | None, now: Found) -> bool:
    """Let a name hold what it held before; False if it has gone meanwhile."""
    with ExitStack() as stack:
        folder = root_fd
        try:
            for name in parts[:-1]:
                folder = os.open(name, _FOLDER, dir_fd=folder)
                stack.callback(os.close, folder)
            if now.content is None:
                # Too large to be kept elsewhere.
                aside = f"{parts[-1]}.refused-{secrets.token_hex(4)}"
                os.rename(parts[-1], aside, src_dir_fd=folder, dst_dir_fd=folder)
            else:
                os.unlink(parts[-1], dir_fd=folder)
        except OSError:
            return False
        if was is None or was.content is None:
            return True
        if was.is_link:
            os.symlink(was.content, os.fsencode(parts[-1]), dir_fd=folder)
            return True
        descriptor = os.open(parts[-1], _NEW, was.mode & 0o777, dir_fd=folder)
        with os.fdopen(descriptor, "wb") as file:
            file.write(was.content)
            os.fchmod(descriptor, was.mode & 0o777)
            with suppress(PermissionError):
                os.fchown(descriptor, *was.owner)
    return True


def _note(path: str, why: str, now: Found, number: str) -> str:
    content = (now.content or b"").decode("utf-8", "replace")
    shown = content[:HOST_FILE_SHOWN_CHARS_MAX]
    more = " (cut)" if len(content) > len(shown) else ""
    return (
        f"The change of {path!r} was held back, the file is as it was before: {why}. Whoever runs "
        f"DataAgent on this computer can take it over with `dataagent permissions held --take "
        f"{number}`. It was{more}:\n{shown}"
    )
