"""`dataagent run` against an OpenAI-compatible server that someone else wrote."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.thirdparty.aimock import aimock

ANSWER = "It is noted, in as many words as it takes to see a stream."
FIXTURES = [
    {
        "match": {"userMessage": "note it", "hasToolResult": False},
        "response": {
            "content": "I write it down.",
            "toolCalls": [
                {"name": "write_file", "arguments": {"file_path": "/note.txt", "content": "noted"}}
            ],
        },
    },
    {
        "match": {"userMessage": "note it", "hasToolResult": True},
        "response": {"content": ANSWER},
    },
]


@pytest.mark.requirement("F2-third-party-endpoint")
def test_a_run_streams_text_and_calls_tools(tmp_path: Path) -> None:
    with aimock(FIXTURES) as base_url:
        finished = subprocess.run(
            [str(Path(sys.executable).with_name("dataagent")), "run", "note it", "--yes", "--json"],
            env=os.environ
            | {
                "DATAAGENT_HOME": str(tmp_path / "home"),
                "DATAAGENT_MODEL": "openai:someones-model",
                "OPENAI_BASE_URL": base_url,
            },
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
    assert finished.returncode == 0, finished.stderr
    events = [json.loads(line) for line in finished.stdout.splitlines()]
    kinds = [event["event_type"] for event in events]
    assert kinds.count("tool_result") == 1
    assert (tmp_path / "note.txt").read_text() == "noted"
    assert events[-1]["content"] == ANSWER
    pieces = [e["content"] for e in events if e["event_type"] == "text" and not e["is_final"]]
    assert "".join(pieces).endswith(ANSWER)
