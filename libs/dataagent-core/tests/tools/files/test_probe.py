"""Whether a change of a file happened can be told after a crash."""

from pathlib import Path
from typing import Any

import pytest
from file_tools import Run

from dataagent_core.sandbox.files.safe_root import SafeRoot
from dataagent_core.tools.files import Mounts
from dataagent_core.tools.files.file_probe import FileProbe, compare_change, forecast_change

EDIT = {"old_string": "one", "new_string": "two"}
CALLS = [
    ("edit_file", {"file_path": "a", **EDIT}),
    ("multi_edit", {"file_path": "/a", "edits": [EDIT]}),
    ("delete_file", {"file_path": "/a"}),
]


@pytest.mark.requirement("F3-10")
@pytest.mark.parametrize(("tool", "args"), CALLS)
def test_a_content_hash_tells_whether_a_change_happened(
    run: Run, workspace: Path, tool: str, args: dict[str, Any]
):
    mounts = Mounts(SafeRoot(workspace, links="refuse"))
    run("write_file", file_path="/a", content="one")
    expected = forecast_change(mounts, tool, args)
    assert expected is not None
    assert compare_change(mounts, expected) == "did_not_happen"
    run(tool, **args)
    assert compare_change(mounts, expected) == "happened"
    (workspace / "a").write_text("something else")
    assert compare_change(mounts, expected) == "unknown"


@pytest.mark.parametrize(
    ("tool", "args"),
    [
        ("edit_file", {"file_path": "a", "old_string": "nine", "new_string": "two"}),
        ("edit_file", {"file_path": "a"}),
        ("delete_file", {"file_path": "none"}),
        ("read_file", {"file_path": "a"}),
        ("shell", {"command": "true"}),
    ],
)
def test_nothing_is_expected_of_a_call_that_changes_no_file(
    run: Run, workspace: Path, tool: str, args: dict[str, Any]
):
    run("write_file", file_path="/a", content="one")
    assert forecast_change(Mounts(SafeRoot(workspace, links="refuse")), tool, args) is None


def test_a_finding_says_what_became_of_the_file(run: Run, workspace: Path):
    probe = FileProbe(Mounts(SafeRoot(workspace, links="refuse")))
    run("write_file", file_path="/a", content="one")
    note = probe.expect("edit_file", {"file_path": "/a", **EDIT})
    said: list[str] = []
    for text in ("one", "two", "three"):
        (workspace / "a").write_text(text)
        found = probe.look(note)
        assert found is not None
        said.append(found.text)
    assert said == [
        "'/a' is exactly as it was before the call: it has not happened.",
        "'/a' holds exactly what the call makes of it: it has happened.",
        "'/a' is neither as it was before the call nor as the call would leave it.",
    ]
    assert probe.look(probe.expect("shell", {"command": "true"})) is None
