"""Stores changes that were held back, in a private folder, until a person decides."""

import base64
import hashlib
import json
import os
import secrets
from dataclasses import dataclass
from pathlib import Path

from dataagent_core.config.files.atomic_write import write_atomically
from dataagent_core.config.limits import HELD_CHANGES_MAX
from dataagent_core.errors import ConflictError, NotFoundError

_OWNER_ONLY = 0o700


@dataclass(frozen=True, slots=True)
class HeldChange:
    """A file's new content; None where it could not be kept.

    Its `path` begins at the workspace, or at `base`: a repository outside.
    """

    number: str
    path: str
    content: bytes | None
    is_link: bool
    mode: int
    base: Path | None = None

    @property
    def shown(self) -> str:
        """The path as a person reads it."""
        return self.path if self.base is None else f"{self.base}{self.path}"


@dataclass(frozen=True, slots=True)
class HeldChangeStore:
    """The changes held back of one workspace. Every method blocks."""

    home: Path
    workspace: Path

    @property
    def _folder(self) -> Path:
        name = hashlib.sha256(os.fsencode(self.workspace.resolve())).hexdigest()[:32]
        return self.home / "held" / name

    def keep(
        self, path: str, content: bytes | None, *, link: bool, mode: int, base: Path | None = None
    ) -> str:
        """Store a change and give its number; beyond a limit the oldest are removed."""
        self._folder.mkdir(mode=_OWNER_ONLY, parents=True, exist_ok=True)
        number = secrets.token_hex(4)
        encoded = None if content is None else base64.b64encode(content).decode()
        text = json.dumps(
            {
                "path": path,
                "content": encoded,
                "link": link,
                "mode": mode,
                "base": None if base is None else str(base),
            }
        )
        write_atomically(self._folder / f"{number}.json", text)
        files = sorted(self._folder.glob("*.json"), key=lambda file: file.stat().st_mtime_ns)
        for old in files[:-HELD_CHANGES_MAX]:
            old.unlink(missing_ok=True)
        return number

    def all(self) -> list[HeldChange]:
        """List them, the oldest first."""
        files = sorted(self._folder.glob("*.json"), key=lambda file: file.stat().st_mtime_ns)
        return [_read_change(file) for file in files]

    def take(self, number: str) -> HeldChange:
        """Apply a change that a person has accepted."""
        change = self._find(number)
        if change.content is None:
            raise ConflictError(
                f"{change.shown!r} could not be kept: it lies beside its name as "
                "NAME.refused-…. Rename it yourself."
            )
        base = change.base or self.workspace
        target = base / change.path.lstrip("/")
        target.parent.mkdir(parents=True, exist_ok=True)
        real = Path(os.path.realpath(target.parent))
        if not real.is_relative_to(os.path.realpath(base)):
            raise ConflictError(f"{change.shown!r} leads out of the workspace through a link now.")
        target.unlink(missing_ok=True)
        if change.is_link:
            target.symlink_to(os.fsdecode(change.content))
        else:
            target.write_bytes(change.content)
            target.chmod(change.mode)
        self.drop(number)
        return change

    def drop(self, number: str) -> None:
        """Forget one."""
        (self._folder / f"{self._find(number).number}.json").unlink(missing_ok=True)

    def _find(self, number: str) -> HeldChange:
        for change in self.all():
            if change.number == number:
                return change
        raise NotFoundError(
            f"No change {number!r} is held back of {self.workspace}. "
            "`dataagent permissions held` lists them."
        )


def _read_change(file: Path) -> HeldChange:
    data = json.loads(file.read_text("utf-8"))
    content = None if data["content"] is None else base64.b64decode(data["content"])
    base = data.get("base")
    return HeldChange(
        file.stem,
        data["path"],
        content,
        data["link"],
        data["mode"],
        base=None if base is None else Path(base),
    )
