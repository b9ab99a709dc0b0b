"""The tools every agent has: what their text gives away."""

from pathlib import Path

from agents import scripted, settings
from langchain_core.tools import StructuredTool

from dataagent_core.engine import AgentConfig, AgentFactory

CHARS_MAX = 200


def test_the_text_of_a_tool_does_not_spell_out_what_it_is_bound_to(tmp_path: Path):
    """A tracer writes it down: keys of settings and contents of stores have no place in it."""
    config = AgentConfig(assistant_id="t", model=scripted({"text": ""}), workspace_path=tmp_path)
    tools = AgentFactory(settings(tavily_api_key="key")).built_in_tools(config)
    texts = {
        tool.name: repr(tool.func or tool.coroutine)
        for tool in tools
        if isinstance(tool, StructuredTool)
    }
    assert len(texts) == len(tools)
    assert {name: text for name, text in texts.items() if len(text) > CHARS_MAX} == {}
