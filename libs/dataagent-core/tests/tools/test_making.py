"""Tools of one function share what was read of its signature, and nothing else."""

import gc
import weakref
from collections.abc import Callable

import pytest
from langchain_core.tools import BaseTool

from dataagent_core.tools.definition.tool_factory import make_tool
from dataagent_core.tools.effects import effect_metadata


class Files:
    """What a tool of one agent works on."""


def coroutine_of(files: Files) -> BaseTool:
    async def look(path: str) -> str:
        """Look at a file."""
        return f"{path} in {files}"

    return make_tool(look, effect_metadata("pure"))


def function_of(files: Files) -> BaseTool:
    def look(path: str) -> str:
        """Look at a file."""
        return f"{path} in {files}"

    return make_tool(look, effect_metadata("pure"))


@pytest.mark.parametrize("tool_of", [coroutine_of, function_of])
def test_what_the_first_agent_worked_on_goes_with_it(tool_of: Callable[[Files], BaseTool]):
    files = Files()
    first, held = tool_of(files), weakref.ref(files)
    second = tool_of(Files())
    assert first.tool_call_schema is second.tool_call_schema
    del files, first
    gc.collect()
    assert held() is None
