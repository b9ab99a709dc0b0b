"""How much data a step of a plan would read: the sizes of the workspace's files that it names.

It opens nothing. What a rule hides, or what is not there, counts as nothing.
"""

import re
from typing import Final

from dataagent_core.errors import DataAgentError
from dataagent_core.planning.work_plan import PlanStep
from dataagent_core.sandbox.files.root import Root

_FILE: Final = re.compile(
    r"[^\s\"'`,;:()<>\[\]{}\uff0c\u3002\uff1b\u3001]{1,200}\.\w{1,8}\b", re.ASCII
)
_FILES_MAX: Final = 20


def measure_named_files(root: Root, step: PlanStep) -> int:
    """Sum the bytes of the files that a step names; it blocks."""
    text = f"{step.description} {step.thought_prompt}"
    names = dict.fromkeys(match[0].removeprefix("@") for match in _FILE.finditer(text))
    return sum(_measure(root, name) for name in list(names)[:_FILES_MAX])


def _measure(root: Root, name: str) -> int:
    try:
        return root.stat(f"/{name.lstrip('/')}").size_bytes
    except (DataAgentError, OSError):
        return 0
