"""Checks what a model passes to a tool, before anything runs, in words the model can act on.

Each problem names the field, what was given and what is expected. Tools written in Python carry a
pydantic model (`model_check.py`); tools from outside carry a JSON schema (`schema_check.py`).
"""

from collections.abc import Mapping
from typing import Any

from langchain_core.tools import BaseTool

from dataagent_core.config.limits import ARGUMENT_PROBLEMS_SHOWN_MAX
from dataagent_core.tools.pipeline.arguments.model_check import find_model_problems
from dataagent_core.tools.pipeline.arguments.schema_check import find_schema_problems

__all__ = ["describe_wrong_arguments", "find_argument_problems", "find_schema_problems"]


def find_argument_problems(tool: BaseTool, args: Mapping[str, Any]) -> list[str]:
    """List what is wrong with the arguments of a call; nothing when they are right."""
    schema = tool.tool_call_schema
    if isinstance(schema, dict):
        return find_schema_problems(schema, dict(args))
    return find_model_problems(schema, args)


def describe_wrong_arguments(name: str, problems: list[str]) -> str:
    """Answer a call whose arguments are wrong."""
    shown = problems[:ARGUMENT_PROBLEMS_SHOWN_MAX]
    more = len(problems) - len(shown)
    lines = [f"{name} did not run, because its arguments are wrong:"]
    lines += [f"- {problem}" for problem in shown]
    lines += [f"- and {more} more"] if more else []
    return "\n".join([*lines, "Correct them and call it again."])
