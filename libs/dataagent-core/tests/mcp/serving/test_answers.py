"""What a call of one of our tools is answered over MCP."""

from typing import Any

from drawn_pictures import picture
from langchain_core.messages import ToolMessage

from dataagent_core.mcp.serving.answers import answer_of
from dataagent_core.tools.media.reference import MediaReference


def test_a_picture_that_was_read_is_said_not_to_be_sent() -> None:
    reference = MediaReference.of("/a.png", picture(30, 20))
    assert reference is not None
    content: list[Any] = [{"type": "text", "text": "/a.png: image/png"}, reference.block()]
    answer: Any = answer_of(ToolMessage(content, tool_call_id="1"))
    assert [part.text for part in answer.content] == [
        "/a.png: image/png",
        "The content of /a.png is not sent over MCP: only its type and size are.",
    ]


def test_a_text_is_answered_alone() -> None:
    answer: Any = answer_of(ToolMessage("words", tool_call_id="1"))
    assert [part.text for part in answer.content] == ["words"]
