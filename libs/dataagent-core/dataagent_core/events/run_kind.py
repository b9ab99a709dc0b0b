"""The kinds of runs, and how the log names them: by the id of the message that a run is for.

The only place that reads a kind from a message's id. Whoever has a run asks for its `kind`.
"""

from typing import Final, Literal

# Answers a message, or only shows the session's history shorter from then on.
RunKind = Literal["message", "compaction"]

_SUFFIXES: Final[dict[RunKind, str]] = {"message": ":m0", "compaction": ":compact"}


def message_id_for(run_id: str, kind: RunKind = "message") -> str:
    """Name the message of a new run."""
    return run_id + _SUFFIXES[kind]


def kind_of_run(message_id: str) -> RunKind:
    """Read the kind of a run from the id of its message."""
    return "compaction" if message_id.endswith(_SUFFIXES["compaction"]) else "message"
