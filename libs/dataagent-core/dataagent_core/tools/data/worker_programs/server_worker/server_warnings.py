"""What a server warns of while it answers, as sentences that go with the rows."""

from collections.abc import Hashable

# Kinds of warnings that are told; each with its first text.
_KINDS_MAX = 10
_CHARS_MAX = 500


class ServerWarnings:
    """Counts warnings by their kind: a column of text that is added up warns at every row."""

    def __init__(self) -> None:
        self._first: dict[Hashable, str] = {}
        self._counts: dict[Hashable, int] = {}

    def add(self, kind: Hashable, message: str) -> None:
        """Remember one."""
        if kind in self._first or len(self._first) < _KINDS_MAX:
            self._first.setdefault(kind, message)
            self._counts[kind] = self._counts.get(kind, 0) + 1

    def clear(self) -> None:
        """Forget those of a run whose rows are not kept."""
        self._first.clear()
        self._counts.clear()

    def notes(self, total: int = 0, *, is_cut: bool = False) -> list[str]:
        """Write them; `total` is the server's own count where it keeps only the first ones.

        `is_cut` says that the answer was ended before the server was through with it.
        """
        counts = dict(self._counts)
        if len(counts) == 1:
            counts = {kind: max(count, total) for kind, count in counts.items()}
        return [
            f"The server warns: {message[:_CHARS_MAX]}{_times(counts[kind], is_cut=is_cut)}"
            for kind, message in self._first.items()
        ]


def _times(count: int, *, is_cut: bool) -> str:
    if is_cut:
        return f" (at least {count} such warning{'s' if count > 1 else ''})"
    return f" ({count} such warnings)" if count > 1 else ""
