"""Collects the warnings of a server as notes on the result."""

from collections.abc import Hashable

# Kinds of warnings that are reported, each with its first text.
_KINDS_MAX = 10
_CHARS_MAX = 500


class ServerWarnings:
    """Counts warnings by kind: the sum of a text column warns for every row."""

    def __init__(self) -> None:
        self._first: dict[Hashable, str] = {}
        self._counts: dict[Hashable, int] = {}

    def add(self, kind: Hashable, message: str) -> None:
        """Add a warning."""
        if kind in self._first or len(self._first) < _KINDS_MAX:
            self._first.setdefault(kind, message)
            self._counts[kind] = self._counts.get(kind, 0) + 1

    def clear(self) -> None:
        """Drop the warnings of a run whose rows are not kept."""
        self._first.clear()
        self._counts.clear()

    def notes(self, total: int = 0, *, is_cut: bool = False) -> list[str]:
        """Write the notes; `total` is the server's own count, which may keep only the first ones.

        `is_cut` says that the statement was ended early.
        """
        counts = dict(self._counts)
        if len(counts) == 1:
            counts = {kind: max(count, total) for kind, count in counts.items()}
        return [
            f"The server warns: {message[:_CHARS_MAX]}{_format_count(counts[kind], is_cut=is_cut)}"
            for kind, message in self._first.items()
        ]


def _format_count(count: int, *, is_cut: bool) -> str:
    if is_cut:
        return f" (at least {count} such warning{'s' if count > 1 else ''})"
    return f" ({count} such warnings)" if count > 1 else ""
