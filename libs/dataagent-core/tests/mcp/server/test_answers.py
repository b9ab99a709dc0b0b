"""What a call of one of our tools is answered over MCP."""

from typing import Any

from langchain_core.messages import ToolMessage

from dataagent_core.mcp.server.call_results import answer_of


def test_a_text_is_answered_alone() -> None:
    answer: Any = answer_of(ToolMessage("words", tool_call_id="1"))
    assert [part.text for part in answer.content] == ["words"]
