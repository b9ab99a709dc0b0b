"""Whether the terminal can have a prompt that stays, and colours."""

import sys
from collections.abc import Mapping
from typing import Literal

Kind = Literal["inline", "plain", "none"]

# Terminals without a cursor that can be moved.
_WITHOUT_CURSOR = frozenset({"", "dumb", "unknown", "emacs"})


def kind_of_terminal(environment: Mapping[str, str]) -> Kind:
    """Say what can be shown here; `none` where nobody can see a question and answer it."""
    if not (sys.stdin.isatty() and sys.stdout.isatty() and sys.stderr.isatty()):
        return "none"
    return "plain" if environment.get("TERM", "") in _WITHOUT_CURSOR else "inline"
