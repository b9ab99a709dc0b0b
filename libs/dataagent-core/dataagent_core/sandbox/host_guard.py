"""Holds back what a command did to files that programs of the host obey, until a person agrees.

    async with guard.watched() as notes:
        (the command runs)
    notes: the old content is restored, the new one is kept aside and shown

Commands that run at once are compared with what there was before the first of them: what one plants
is not what the next one found. What an editor's own git reads in between, while the command still
runs, cannot be held; nor can what DataAgent is killed before it has looked at.
"""

import asyncio
import os
import stat
import threading
from collections.abc import AsyncGenerator, Generator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from dataagent_core.config.limits import (
    HOST_FILE_SHOWN_CHARS_MAX,
    HOST_INCLUDES_DEEP_MAX,
    HOST_SCAN_ENTRIES_MAX,
)
from dataagent_core.errors import LimitReachedError
from dataagent_core.sandbox.closed_places import ClosedPlaces
from dataagent_core.sandbox.finishing import to_the_end
from dataagent_core.sandbox.held_changes import HeldChanges
from dataagent_core.sandbox.host_judge import reason_to_hold
from dataagent_core.sandbox.host_named import named_by_files, named_by_person
from dataagent_core.sandbox.host_restore import restore
from dataagent_core.sandbox.host_scan import Found, What, scan
from dataagent_core.sandbox.safe_paths import Parts, shown_path
from dataagent_core.sandbox.workspace_place import WorkspacePlace

_FOLDER = os.O_PATH | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
# A command can make fewer files than this on top of what there was.
_ROOM = 2


@dataclass(frozen=True, slots=True)
class HostFiles:
    """What a folder held before, and what the person's configuration named in it."""

    files: Mapping[Parts, Found]
    named: Mapping[Parts, What]


# By folder.
Before = Mapping[Path, HostFiles]


@dataclass(slots=True)
class _Shared:
    """What there was before the first of the commands that run now."""

    before: Before | None = None
    running: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)


@dataclass(frozen=True)
class HostGuard:
    """Looks at one workspace; `held` keeps what is held back.

    `git_directory` is the repository's, where it lies outside and commands can write it.
    """

    workspace: Path
    place: WorkspacePlace
    held: HeldChanges
    closed: ClosedPlaces
    git_directory: Path | None = None
    _shared: _Shared = field(default_factory=_Shared)

    @asynccontextmanager
    async def watched(self) -> AsyncGenerator[list[str]]:
        """Look before and after; the list names what was held back, once it is over."""
        notes: list[str] = []
        begun = asyncio.ensure_future(asyncio.to_thread(self.look))
        try:
            before = await to_the_end(begun)
        except asyncio.CancelledError:
            if begun.exception() is None:
                self._released()
            raise
        try:
            yield notes
        finally:
            notes += await to_the_end(asyncio.to_thread(self.hold, before))

    def look(self) -> Before:
        """See what there is before a command; `hold` follows in any case. It blocks."""
        with self._shared.lock:
            if self._shared.before is None:
                self._shared.before = {root: self._seen(root) for root in self._places}
            self._shared.running += 1
            return self._shared.before

    def hold(self, before: Before) -> tuple[str, ...]:
        """Undo what a command did to such files, and say so. It blocks."""
        try:
            with self._shared.lock:
                held = (self._held_in(root, found) for root, found in before.items())
                return tuple(note for notes in held for note in notes)
        finally:
            self._released()

    def _released(self) -> None:
        with self._shared.lock:
            self._shared.running -= 1
            if self._shared.running <= 0:
                self._shared.before = None

    @property
    def _places(self) -> dict[Path, str]:
        """Give where programs find each folder that is looked at."""
        outside = self.git_directory
        return {self.workspace: self.place.path} | (
            {} if outside is None else {outside: str(outside)}
        )

    @cached_property
    def _named_by_person(self) -> dict[Parts, What]:
        return named_by_person(self.workspace, self.place.path)

    def _seen(self, root: Path) -> HostFiles:
        named: dict[Parts, What] = dict(self._named_by_person if root == self.workspace else {})
        found = self._scanned(root, named)
        for _ in range(HOST_INCLUDES_DEEP_MAX):
            more = named_by_files(found, self._places[root])
            if more.keys() <= named.keys():
                break
            named |= more
            found = self._scanned(root, named)
        return HostFiles(found, named)

    def _scanned(self, root: Path, named: Mapping[Parts, What]) -> Mapping[Parts, Found]:
        with _opened(root) as descriptor:
            found = scan(descriptor, HOST_SCAN_ENTRIES_MAX, self.closed.identities, named)
        if not found.complete:
            raise LimitReachedError(
                f"{str(root)!r} has more than {HOST_SCAN_ENTRIES_MAX:,} entries: files that "
                "programs of this computer obey could not be told from those a command makes. "
                "Start in a folder with fewer."
            )
        return found.files

    def _held_in(self, root: Path, before: HostFiles) -> Iterator[str]:
        with _opened(root) as descriptor:
            after = scan(
                descriptor, _ROOM * HOST_SCAN_ENTRIES_MAX, self.closed.identities, before.named
            )
            if not after.complete:
                yield f"{str(root)!r} has too many entries: not all of them were looked at."
            for parts, now in sorted(after.files.items(), key=lambda item: item[0]):
                was = before.files.get(parts)
                if was == now:
                    continue
                folder = "/".join((self._places[root], *parts[:-1]))
                why = reason_to_hold(parts, was, now, folder, list(self._places.values()))
                if why is not None:
                    yield from self._held(root, descriptor, parts, (was, now), why)

    def _held(
        self,
        root: Path,
        descriptor: int,
        parts: Parts,
        change: tuple[Found | None, Found],
        why: str,
    ) -> Iterator[str]:
        was, now = change
        base = None if root == self.workspace else root
        path = shown_path(parts) if base is None else str(root.joinpath(*parts))
        try:
            if not restore(descriptor, parts, was, now):
                return
        except OSError as error:
            yield (
                f"The change of {path!r} could NOT be undone ({error.strerror}): {why}. Whoever "
                f"runs DataAgent must look at it first.\n{_shown(now)}"
            )
            return
        mode = stat.S_IMODE(now.mode) & 0o777
        number = self.held.keep(
            shown_path(parts), now.content, link=now.is_link, mode=mode, base=base
        )
        yield (
            f"The change of {path!r} was held back, the file is as it was before: {why}. Whoever "
            "runs DataAgent on this computer can take it over with `dataagent permissions held "
            f"--take {number}`. {_shown(now)}"
        )


@contextmanager
def _opened(root: Path) -> Generator[int]:
    descriptor = os.open(root, _FOLDER)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def _shown(now: Found) -> str:
    content = (now.content or b"").decode("utf-8", "replace")
    shown = content[:HOST_FILE_SHOWN_CHARS_MAX]
    more = " (cut)" if len(content) > len(shown) else ""
    return f"It was{more}:\n{shown}"
