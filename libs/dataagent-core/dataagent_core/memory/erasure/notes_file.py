"""Takes lines out of notes (`agent.md`): those that hold a text that is to be forgotten."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from dataagent_core.config.files.atomic_write import write_atomically
from dataagent_core.memory.memory_results import MemoryOwner
from dataagent_core.memory.text_digest import fold_text
from dataagent_core.memory.texts.whole_words import is_within

# A shorter line of a text says too little to look for it alone.
_LINE_CHARS_MIN: Final = 6


@dataclass(frozen=True, slots=True)
class NotesFiles:
    """The notes of people; `find` lists those of one, whether they exist or not."""

    find: Callable[[MemoryOwner], Sequence[Path]]

    async def remove(self, owner: MemoryOwner, text: str) -> int:
        """Take out the lines that hold a text; say how many there were."""
        return await asyncio.to_thread(self._remove, owner, text)

    async def count(self, owner: MemoryOwner, text: str) -> int:
        """Count the lines that hold a text."""
        return await asyncio.to_thread(self._count, owner, text)

    async def remove_files(self, owner: MemoryOwner) -> int:
        """Remove all notes of a person; say how many files there were."""
        return await asyncio.to_thread(self._remove_files, owner)

    def _remove_files(self, owner: MemoryOwner) -> int:
        found = self.find(owner)
        for path in found:
            path.unlink(missing_ok=True)
        return len(found)

    def _remove(self, owner: MemoryOwner, text: str) -> int:
        removed = 0
        for path, lines in self._read(owner):
            kept = [line for line in lines if not holds_text(line.decode(errors="replace"), text)]
            if len(kept) < len(lines):
                removed += len(lines) - len(kept)
                write_atomically(path, b"".join(kept))
        return removed

    def _count(self, owner: MemoryOwner, text: str) -> int:
        return sum(
            holds_text(line.decode(errors="replace"), text)
            for _, lines in self._read(owner)
            for line in lines
        )

    def _read(self, owner: MemoryOwner) -> list[tuple[Path, list[bytes]]]:
        # A link could lead anywhere: notes of an agent are files.
        files = [path for path in self.find(owner) if path.is_file() and not path.is_symlink()]
        return [(path, path.read_bytes().splitlines(keepends=True)) for path in files]


def holds_text(line: str, text: str) -> bool:
    """Say whether a line holds a text, or a line of it, as whole words."""
    folded = fold_text(line)
    wanted = {fold_text(text), *_list_lines(text)}
    return any(is_within(one, folded) for one in wanted)


def _list_lines(text: str) -> list[str]:
    lines = text.splitlines()
    return [fold_text(line) for line in lines if len(line.strip()) >= _LINE_CHARS_MIN]
