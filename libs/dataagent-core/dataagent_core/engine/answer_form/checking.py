"""Checks a document against a schema, within a time limit.

A schema is anybody's, and its patterns, alternatives and references can take hours, during which
nothing else in this process would move. So a child does it, and is ended when it takes too long.
"""

import asyncio
import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from dataagent_core.config.answer_limits import (
    ANSWER_CHECK_S_MAX,
    ANSWER_PROBLEM_CHARS_MAX,
    ANSWER_PROBLEMS_TOLD_MAX,
)
from dataagent_core.errors import ValidationError

_CHECKER = Path(__file__).with_name("checker.py")


async def problems_of(
    document: str, schema: Mapping[str, Any], seconds_max: float = ANSWER_CHECK_S_MAX
) -> list[str]:
    """List what is wrong with a document; a schema that cannot be worked out is an error."""
    asked = {
        "schema": schema,
        "document": document,
        "problems_max": ANSWER_PROBLEMS_TOLD_MAX,
        "chars_max": ANSWER_PROBLEM_CHARS_MAX,
        "cpu_s_max": seconds_max,
    }
    child = await asyncio.create_subprocess_exec(
        sys.executable,
        "-I",
        str(_CHECKER),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        async with asyncio.timeout(seconds_max):
            told, complained = await child.communicate(json.dumps(asked).encode())
    except TimeoutError:
        raise ValidationError(
            f"the answer's schema is too costly: checking an answer took over {seconds_max:g} s. "
            "Simplify its patterns and alternatives."
        ) from None
    finally:
        if child.returncode is None:
            child.kill()
            await child.wait()
    if child.returncode:
        last = complained.decode("utf-8", "replace").strip().rpartition("\n")[2]
        raise ValidationError(
            f"the answer's schema cannot be worked out: {last or 'the check ended'!s:.300}"
        )
    return json.loads(told)
