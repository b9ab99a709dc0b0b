"""What a call made is listed only if it is a file of the workspace, and as what it is."""

import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import ToolMessage

from dataagent_core.config.limits import ARTIFACTS_MAX
from dataagent_core.sandbox.files.safe_root import SafeRoot
from dataagent_core.tools.media.media_type import detect_media_type
from dataagent_core.tools.output.artifacts import describe_files, read_artifacts
from dataagent_core.tools.pipeline.agent_call import AgentCall

CALL = AgentCall(name="code_executor", args={}, call_id="c", message_id="m", subagent=None)
MADE = {"media_type": "image/png", "name": "a.png", "path": "/a.png", "bytes": 3}


def message(artifact: Any) -> ToolMessage:
    return ToolMessage(content="", tool_call_id="c", artifact=artifact)


def test_only_regular_files_inside_are_described(tmp_path: Path):
    workspace = tmp_path / "workspace"
    (workspace / "folder").mkdir(parents=True)
    (tmp_path / "secret").write_text("secret")
    (workspace / "a.txt").write_text("text")
    (workspace / "link").symlink_to(tmp_path / "secret")
    os.mkfifo(workspace / "pipe")
    paths = [
        "a.txt",
        "/a.txt",
        "link",
        "pipe",
        "folder",
        "../secret",
        "gone",
        "a\0b",
        "/etc/passwd",
    ]
    found = describe_files(SafeRoot(workspace, links="beneath"), paths)
    assert found == [{"media_type": "text/plain", "name": "a.txt", "path": "/a.txt", "bytes": 4}]


def test_no_more_than_a_limit_are_described(tmp_path: Path):
    names = [f"{n}.txt" for n in range(ARTIFACTS_MAX + 5)]
    for name in names:
        (tmp_path / name).touch()
    found = describe_files(SafeRoot(tmp_path, links="refuse"), names)
    assert [item["name"] for item in found] == names[:ARTIFACTS_MAX]


def test_an_event_lists_each_with_an_id_of_its_own():
    other = {**MADE, "path": "/b.png", "name": "b.png"}
    first, second = read_artifacts(CALL, message({"artifacts": [MADE, other]}))
    assert first == {"id": first["id"], **MADE}
    assert first["id"] != second["id"]
    assert read_artifacts(CALL, message({"artifacts": [MADE]})) == [first]


@pytest.mark.parametrize(
    "attached",
    [
        None,
        "text",
        {"artifacts": "no list"},
        {"artifacts": [1, {"path": "/a"}, {**MADE, "bytes": "3"}]},
    ],
)
def test_what_does_not_look_like_an_artifact_is_left_out(attached: Any):
    assert read_artifacts(CALL, message(attached)) == []


@pytest.mark.parametrize(
    ("name", "beginning", "kind"),
    [
        ("plot.png", b"\x89PNG\r\n\x1a\n....", "image/png"),
        ("plot", b"\x89PNG\r\n\x1a\n....", "image/png"),
        ("photo.JPG", b"\xff\xd8\xff\xe0", "image/jpeg"),
        ("plot.webp", b"RIFF\x00\x00\x00\x00WEBPVP8 ", "image/webp"),
        ("fake.png", b"<script>", "text/plain"),
        ("fake.png", b"\x00\x01", "application/octet-stream"),
        ("table.csv", b"a,b\n", "text/csv"),
        ("page.html", b"<html>", "text/html"),
        ("notes", "é".encode() * 255 + "é".encode()[:1], "text/plain"),
        ("data.csv.gz", b"\x1f\x8b\x08", "application/gzip"),
        ("unknown", b"\xff\xfe", "application/octet-stream"),
        ("empty", b"", "text/plain"),
    ],
)
def test_the_content_decides_and_the_name_helps(name: str, beginning: bytes, kind: str):
    assert detect_media_type(name, beginning) == kind


@given(st.text(), st.binary(max_size=64))
def test_every_file_has_a_media_type(name: str, beginning: bytes):
    assert "/" in detect_media_type(name, beginning)
