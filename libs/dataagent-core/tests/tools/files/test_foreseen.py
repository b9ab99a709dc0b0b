"""What a call would make of a file is what the tool makes of it."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dataagent_core.errors import NotFoundError, ValidationError
from dataagent_core.tools.files.content_forecast import forecast_content


def test_each_tool_is_foreseen():
    before = b"one\ntwo\n"
    edit = {"file_path": "/a", "old_string": "two", "new_string": "2"}
    several = {"file_path": "/a", "edits": [edit, {"old_string": "one", "new_string": "1"}]}
    assert forecast_content("write_file", {"file_path": "/a", "content": "x"}, before) == b"x"
    assert forecast_content("write_file", {"file_path": "/a", "content": "x"}, None) == b"x"
    assert forecast_content("edit_file", edit, before) == b"one\n2\n"
    assert forecast_content("multi_edit", several, before) == b"1\n2\n"
    assert forecast_content("delete_file", {"file_path": "/a"}, before) is None


@pytest.mark.parametrize(
    ("tool", "args", "before", "error"),
    [
        ("edit_file", {"old_string": "three", "new_string": "3"}, b"one\n", ValidationError),
        ("edit_file", {"old_string": "one", "new_string": "1"}, None, NotFoundError),
        ("edit_file", {"old_string": 1}, b"one\n", ValidationError),
        ("multi_edit", {"edits": 3}, b"one\n", ValidationError),
        ("write_file", {"content": None}, None, ValidationError),
        ("delete_file", {}, None, NotFoundError),
    ],
)
def test_what_the_tool_would_refuse_is_refused(
    tool: str, args: dict[str, Any], before: bytes | None, error: type[Exception]
):
    with pytest.raises(error):
        forecast_content(tool, {"file_path": "/a", **args}, before)


@given(st.text("ab\r\n", max_size=30), st.text("ab", min_size=1, max_size=3))
def test_a_line_is_put_before_whatever_else_stands_there(rest: str, new: str):
    before = f"HEAD\n{rest}".encode()
    args = {"file_path": "/a", "old_string": "HEAD", "new_string": new}
    assert forecast_content("edit_file", args, before) == before.replace(b"HEAD", new.encode())
