"""The pure decisions: exit codes, languages, the catalogue, what an edit would do."""

import pytest

from dataagent_cli.approval.preview import preview
from dataagent_cli.messages import Messages
from dataagent_cli.output.exit_codes import of_run
from dataagent_cli.transcript.calls.tool_line import tool_line
from dataagent_core.events import ToolCallEvent, ToolResultEvent
from dataagent_core.language import language_of


@pytest.mark.requirement("F2-exit-codes")
@pytest.mark.parametrize(
    ("reason", "error_code", "expected"),
    [
        ("completed", None, 0),
        ("error", "MODEL_UNAVAILABLE", 1),
        ("error", "VALIDATION_ERROR", 2),
        ("limit", "LIMIT_REACHED", 1),
        ("rejected", None, 3),
        ("timeout", "TIMEOUT", 4),
        ("user_cancelled", None, 130),
        (None, None, 3),
        (None, "CHECKPOINT_ERROR", 1),
    ],
)
def test_every_ending_has_its_exit_code(reason: object, error_code: str | None, expected: int):
    assert of_run(reason, error_code) == expected  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize(
    ("wanted", "environment", "expected"),
    [
        ("zh", {"LANG": "en_US.UTF-8"}, "zh"),
        ("en", {"LANG": "zh_CN.UTF-8"}, "en"),
        ("auto", {"LANG": "zh_CN.UTF-8"}, "zh"),
        ("auto", {"LANG": "zh_CN.UTF-8", "LC_ALL": "C"}, "en"),
        ("auto", {"LANG": "zh_TW", "LC_ALL": ""}, "zh"),
        ("auto", {}, "en"),
    ],
)
def test_the_language_is_the_one_asked_for_or_the_locale(
    wanted: str, environment: dict[str, str], expected: str
):
    assert language_of(wanted, environment) == expected


class Files:
    """One file, as a backend shows it."""

    def __init__(self, content: bytes | None) -> None:
        self.content = content

    def download_files(self, paths: list[str]) -> list["Files"]:
        return [self]


def edit(old: str, new: str, **more: object) -> dict[str, object]:
    return {"file_path": "/a", "old_string": old, "new_string": new, **more}


def test_the_preview_is_the_change_the_call_would_make():
    files = Files(b"one\ntwo\none\n")
    once = preview("edit_file", edit("one", "ONE"), files)
    assert once is not None
    assert once.splitlines()[3:] == ["-one", "+ONE", " two", " one"]
    every = preview("edit_file", edit("one", "ONE", replace_all=True), files)
    assert every is not None
    assert every.count("+ONE") == 2
    written = preview("write_file", {"file_path": "/a", "content": "new\n"}, Files(None))
    assert written is not None
    assert written.endswith("+new")


@pytest.mark.parametrize(
    ("name", "args"),
    [
        ("edit_file", edit("absent", "x")),
        ("edit_file", {"file_path": "/a"}),
        ("write_file", {"file_path": 7, "content": "x"}),
        ("task", {"description": "x"}),
    ],
)
def test_without_a_sure_preview_there_is_none(name: str, args: dict[str, object]):
    assert preview(name, args, Files(b"one")) is None


@pytest.mark.parametrize("status", ["success", "error"])
def test_a_tool_line_keeps_argument_result_and_time_within_the_width(status: str):
    call = ToolCallEvent(tool_name="task", tool_args={"description": "very long " * 20})
    result = ToolResultEvent(tool_name="task", status=status, duration_ms=1500)
    line = tool_line(call, result, "because of that\nand more", Messages("en"), 80)
    assert len(line) <= 80
    assert line.startswith("✗ delegate very" if status == "error" else "✓ delegate very")
    assert "because of that and" in line
    assert line.endswith(" · 1.5 s")
