"""`deny read` holds for every tool an agent has, by whatever name it asks for a file."""

import sqlite3
from pathlib import Path
from typing import Any

import pytest
from agents import Answering, events_of, executor, scripted, settings
from repositories import repository

from dataagent_core.events import ToolResultEvent

SECRET = "SECRET-4711"
RULES = """
[[rules]]
tool = "read"
resource = "/secrets/**"
action = "deny"

[[rules]]
tool = "read"
resource = "/conf/keys/*"
action = "deny"

[[rules]]
tool = "read"
resource = "**/.env"
action = "deny"
"""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    folder = tmp_path / "home"
    folder.mkdir()
    (folder / "permissions.toml").write_text(RULES)
    return folder


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = repository(tmp_path / "p", **{"a.txt": "plain\n"})
    for name in ("secrets/key", "secrets/deep/key.txt", "conf/keys/one", "src/.env"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(f"{SECRET}\n")
    (folder / "secrets" / "t.csv").write_text(f"a,b\n1,{SECRET}\n")
    with sqlite3.connect(folder / "secrets" / "t.db") as database:
        database.execute("create table t (a, b)")
        database.execute("insert into t values (1, ?)", (SECRET,))
    (folder / "data").mkdir()
    (folder / "data" / "x.csv").write_text("a\n1\n")
    (folder / "way").symlink_to("secrets")
    (folder / "key").symlink_to("secrets/key")
    (folder / "table.csv").symlink_to("secrets/t.csv")
    (folder / "env").symlink_to("src/.env")
    (folder / "hard").hardlink_to(folder / "secrets" / "key")
    (folder / "plain").hardlink_to(folder / "a.txt")
    return folder


async def answers(project: Path, home: Path, *calls: tuple[str, dict[str, Any]]) -> list[str]:
    script = ({"tool_calls": [{"name": name, "args": args}]} for name, args in calls)
    agent = executor(
        scripted(*script, {"text": "done"}),
        project,
        handler=Answering(),
        chosen=settings(home=home),
    )
    events = await events_of(agent)
    await agent.aclose()
    said = [str(event.result) for event in events if isinstance(event, ToolResultEvent)]
    assert len(said) == len(calls)
    return said


FILE_TOOLS: list[tuple[str, dict[str, Any]]] = [
    *(
        ("read_file", {"file_path": path})
        for path in (
            "/secrets/key",
            "secrets/key",
            "//secrets/./key",
            "/secrets//deep/key.txt",
            "/way/key",
            "/way/deep/key.txt",
            "/key",
            "/env",
            "/src/.env",
            "/conf/keys/one",
            "/hard",
        )
    ),
    ("grep", {"pattern": "SECRET"}),
    ("grep", {"pattern": "SECRET", "path": "/", "glob": "**/key*"}),
    ("grep", {"pattern": "SECRET", "path": "/secrets"}),
    ("grep", {"pattern": "SECRET", "path": "/way"}),
    ("grep", {"pattern": "SECRET", "path": "/key"}),
    ("grep", {"pattern": "SECRET", "path": "/conf"}),
    ("shell", {"command": "cat hard key env way/key"}),
    ("code_executor", {"code": "print(open('hard').read())"}),
    ("grep", {"pattern": ".", "path": "/src", "context_lines": 2}),
    ("edit_file", {"file_path": "/src/.env", "old_string": "SECRET", "new_string": "x"}),
    ("edit_file", {"file_path": "/env", "old_string": "SECRET", "new_string": "x"}),
    ("multi_edit", {"file_path": "/key", "edits": [{"old_string": "SECRE", "new_string": "x"}]}),
    ("write_file", {"file_path": "/secrets/key", "content": "x"}),
    ("sql_query", {"source": "/secrets/t.csv", "sql": "select * from t"}),
    ("sql_query", {"source": "/secrets/t.db", "sql": "select * from t"}),
    ("sql_query", {"source": "/table.csv", "sql": "select * from t"}),
    ("sql_query", {"source": "/secrets", "sql": "select * from t"}),
    ("sql_query", {"source": "/way", "sql": "select * from t"}),
    ("sql_query", {"source": "/way/t.csv", "sql": "select * from t"}),
    ("data_describe", {"source": "/secrets/t.csv"}),
    ("data_describe", {"source": "/secrets/t.csv", "table": "t"}),
    ("data_describe", {"source": "/way/t.db", "table": "t"}),
]


async def test_no_file_or_data_tool_opens_it(project: Path, home: Path):
    said = await answers(project, home, *FILE_TOOLS)
    assert [call for call, one in zip(FILE_TOOLS, said, strict=True) if SECRET in one] == []


async def test_what_is_not_denied_is_read_under_every_name(project: Path, home: Path):
    (project / "also").symlink_to("a.txt")
    calls = [("read_file", {"file_path": path}) for path in ("/a.txt", "/also", "/plain")]
    assert all("plain" in said for said in await answers(project, home, *calls))


async def test_names_inside_are_not_listed(project: Path, home: Path):
    said = await answers(
        project,
        home,
        ("glob", {"pattern": "**/*key*"}),
        ("glob", {"pattern": "/secrets/**"}),
        ("ls", {"path": "/secrets"}),
        ("ls", {"path": "/way"}),
        ("data_list_sources", {}),
    )
    for one in said:
        assert "deep" not in one
        assert "t.csv" not in one
