"""Answers questions from a pipe, one JSON object a line, until the pipe is closed.

`{"id": 1, "op": "query", ...}` calls the method `query(...)` of the program's handler with the
other values; back comes `{"id": 1, "answer": ...}` or `{"id": 1, "error": "one sentence"}`, with
`"own": true` where the sentence is ours and so quotes nothing of the data. `"full": true` asks for
another process for the next question: what an engine gave back is not free, and every allocation
would fail.
"""

import json
import os
import sys
from pathlib import Path
from typing import Any

_ERROR_CHARS_MAX = 2_000
# Of the memory this process may have.
_FULL_SHARE = 0.75
# What a handler may be asked for; nothing else of it can be reached from outside.
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
    """The same in our own words: it quotes no value an engine read, so a model may read it too."""


def serve_questions(handler: object) -> None:
    """Answer until the pipe is closed."""
    questions = os.fdopen(os.dup(0), "r", encoding="utf-8")
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    # What libraries read and print must not get in between.
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(nothing, 1)
    for line in questions:
        answer = _answer(handler, json.loads(line))
        if _is_full():
            answer["full"] = True
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


def _is_full() -> bool:
    """Say whether this process has taken most of the memory it may."""
    if sys.platform != "linux":
        return False
    import resource

    sizes = Path("/proc/self/statm").read_text("ascii").split()
    page = resource.getpagesize()
    taken = ((resource.RLIMIT_AS, sizes[0]), (resource.RLIMIT_DATA, sizes[5]))
    limits = ((resource.getrlimit(kind)[0], int(pages) * page) for kind, pages in taken)
    return any(limit > 0 and size > limit * _FULL_SHARE for limit, size in limits)


def _answer(handler: object, question: dict[str, Any]) -> dict[str, Any]:
    number, operation = question.pop("id"), question.pop("op")
    if operation not in OPERATIONS:
        return {"id": number, "error": f"there is no operation {operation!r}"}
    try:
        return {"id": number, "answer": getattr(handler, operation)(**question)}
    except MemoryError:
        return {"id": number, "error": "the query needs more memory than it may use", "own": True}
    except OwnQuestionError as error:
        return {"id": number, "error": _sentence(error), "own": True}
    except Exception as error:  # noqa: BLE001 - every engine has its own; the host turns it into one of ours
        return {"id": number, "error": _sentence(error)}


def _sentence(error: Exception) -> str:
    text = str(getattr(error, "orig", None) or error).strip() or type(error).__name__
    print(f"{type(error).__name__}: {text}", file=sys.stderr)  # noqa: T201 - the worker's log
    return text[:_ERROR_CHARS_MAX]
