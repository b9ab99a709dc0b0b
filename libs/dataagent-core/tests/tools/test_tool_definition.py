"""Tools of one definition share what was read of its signature, and nothing else."""

import gc
import weakref
from typing import Any

import pytest

from dataagent_core.tools.definition.tool_definition import ToolDefinition, define_tool


class Files:
    """What a tool of one agent works on."""


@define_tool("pure")
async def coroutine(files: Files, path: str) -> str:
    """Look at a file."""
    return f"{path} in {id(files)}"


@define_tool("pure")
def function(files: Files, path: str) -> str:
    """Look at a file."""
    return f"{path} in {id(files)}"


BOTH = pytest.mark.parametrize("definition", [coroutine, function])


@BOTH
def test_what_the_first_agent_worked_on_goes_with_it(definition: ToolDefinition[Files]):
    files = Files()
    first, held = definition.bind(files), weakref.ref(files)
    second = definition.bind(Files())
    assert first.tool_call_schema is second.tool_call_schema
    del files, first
    gc.collect()
    assert held() is None


@BOTH
async def test_each_agent_calls_the_tool_with_what_it_works_on(definition: ToolDefinition[Files]):
    agents = Files(), Files()
    answers = [await definition.bind(files).ainvoke({"path": "a"}) for files in agents]
    assert answers == [f"a in {id(files)}" for files in agents]


@BOTH
def test_a_model_sees_the_arguments_and_not_what_the_tool_works_on(
    definition: ToolDefinition[Files],
):
    tool = definition.bind(Files())
    schema: Any = tool.tool_call_schema
    assert list(schema.model_json_schema()["properties"]) == ["path"]
    assert (tool.name, tool.description) == (definition.function.__name__, "Look at a file.")


def test_a_description_of_its_own_reaches_the_model():
    tool = function.bind(Files(), "Look at a file of project x.")
    schema: Any = tool.tool_call_schema
    assert schema.model_json_schema()["description"] == tool.description
    assert function.bind(Files()).description == "Look at a file."
