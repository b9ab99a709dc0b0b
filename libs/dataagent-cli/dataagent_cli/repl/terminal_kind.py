"""Detects whether the terminal supports an inline prompt."""

import sys
from collections.abc import Mapping
from typing import Literal

Kind = Literal["inline", "plain", "none"]

# Terminals whose cursor cannot be moved.
_WITHOUT_CURSOR = frozenset({"", "dumb", "unknown", "emacs"})


def kind_of_terminal(environment: Mapping[str, str]) -> Kind:
    """Return the kind; `none` if nobody can see a question and answer it."""
    if not (sys.stdin.isatty() and sys.stdout.isatty() and sys.stderr.isatty()):
        return "none"
    return "plain" if environment.get("TERM", "") in _WITHOUT_CURSOR else "inline"
