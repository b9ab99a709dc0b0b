"""One text from the parts that middleware add to the system message."""

from typing import Any

import pytest
from langchain_core.messages import SystemMessage

from dataagent_core.models.system_message import append_to_system, as_one_text


def text_part(text: str, **more: Any) -> dict[str, Any]:
    return {"type": "text", "text": text, **more}


def test_parts_are_joined_with_a_gap_where_they_bring_none() -> None:
    parts: list[str | dict[str, Any]] = [text_part("a"), text_part("\n\nb"), text_part("c"), "d"]
    assert as_one_text(SystemMessage(content=parts)).content == "a\n\nb\n\nc\n\nd"


def test_joining_and_appending_may_come_in_either_order() -> None:
    message = SystemMessage(content=[text_part("a")])
    first = as_one_text(append_to_system(message, "b")).content
    assert first == append_to_system(as_one_text(message), "b").content


@pytest.mark.parametrize(
    "content",
    ["a text", [text_part("a", cache_control={"type": "ephemeral"})], [{"type": "image"}]],
)
def test_what_is_more_than_text_stays_as_it_is(content: Any) -> None:
    message = SystemMessage(content=content)
    assert as_one_text(message) is message
