"""Serves requests from a pipe, one JSON object per line, until the pipe is closed.

`{"id": 1, "op": "query", ...}` calls the method `query(...)` of the program's handler with the
other values; the reply is `{"id": 1, "answer": ...}` or `{"id": 1, "error": "one sentence"}`, with
`"own": true` if the sentence is ours and so quotes no data. `"full": true` asks for another process
for the next request: memory that an engine released is not free again, and allocations would fail.
"""

import json
import os
import sys
from pathlib import Path
from typing import Any

_ERROR_CHARS_MAX = 2_000
# Of this process's memory limit.
_FULL_SHARE = 0.75
# The methods of a handler that a request may call.
OPERATIONS = frozenset(
    {
        "open",
        "fingerprint",
        "catalogue",
        "query",
        "estimate",
        "profile",
        "warnings",
        "write",
        "cancel",
    }
    | {"draw", "typeset", "subset"}
)


class QuestionError(Exception):
    """A failure whose text is a sentence for a person."""


class OwnQuestionError(QuestionError):
    """A failure in our own words: it quotes no data, so a model may read it too."""


def serve_questions(handler: object) -> None:
    """Serve requests until the pipe is closed."""
    requests = os.fdopen(os.dup(0), "r", encoding="utf-8")
    replies = os.fdopen(os.dup(1), "w", encoding="utf-8")
    # Libraries that read or print must not use our pipes.
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)
    os.dup2(null, 1)
    for line in requests:
        reply = _handle(handler, json.loads(line))
        if _is_full():
            reply["full"] = True
        replies.write(json.dumps(reply) + "\n")
        replies.flush()


def _is_full() -> bool:
    """Say whether this process uses most of its memory limit."""
    if sys.platform != "linux":
        return False
    import resource

    sizes = Path("/proc/self/statm").read_text("ascii").split()
    page = resource.getpagesize()
    taken = ((resource.RLIMIT_AS, sizes[0]), (resource.RLIMIT_DATA, sizes[5]))
    limits = ((resource.getrlimit(kind)[0], int(pages) * page) for kind, pages in taken)
    return any(limit > 0 and size > limit * _FULL_SHARE for limit, size in limits)


def _handle(handler: object, request: dict[str, Any]) -> dict[str, Any]:
    number, operation = request.pop("id"), request.pop("op")
    if operation not in OPERATIONS:
        return {"id": number, "error": f"there is no operation {operation!r}"}
    try:
        return {"id": number, "answer": getattr(handler, operation)(**request)}
    except MemoryError:
        return {"id": number, "error": "the query needs more memory than it may use", "own": True}
    except OwnQuestionError as error:
        return {"id": number, "error": _describe_error(error), "own": True}
    except Exception as error:  # noqa: BLE001 - every engine has its own; the host turns it into one of ours
        return {"id": number, "error": _describe_error(error)}


def _describe_error(error: Exception) -> str:
    text = str(getattr(error, "orig", None) or error).strip() or type(error).__name__
    print(f"{type(error).__name__}: {text}", file=sys.stderr)  # noqa: T201 - the worker's log
    return text[:_ERROR_CHARS_MAX]
