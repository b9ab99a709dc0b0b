"""`dataagent patterns`: the same task three times becomes a workflow that is shown, run, forgotten."""

import asyncio
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from dataagent_cli.commands.learned.patterns.stored_patterns import find_pattern, open_library
from dataagent_cli.commands.learned.patterns.workflow_files import store_workflow
from dataagent_cli.wiring import start
from dataagent_core.errors import ConflictError
from dataagent_core.patterns.workflow.compile_pattern import compare_file
from dataagent_core.patterns.workflow.workflow_record import read_record

Command = Callable[..., tuple[int, str, str]]
MONTHS = ("2026-01", "2026-02", "2026-03")
TASK = "Write the sales note of {month} into a file"
NAME = "write-the-sales-note-of-date-into-a-file"


def turns(month: str) -> list[dict[str, Any]]:
    path = f"/{month}.md"
    calls = [
        {"name": "write_file", "args": {"file_path": path, "content": f"Sales of {month}\n"}},
        {"name": "read_file", "args": {"file_path": path}},
    ]
    return [
        *({"tool_calls": [call]} for call in calls),
        {"text": f"The note of {month} is written."},
    ]


@pytest.fixture
def taught(command: Command, endpoint: Any) -> Command:
    """Do the task three times."""
    for month in MONTHS:
        with endpoint(*turns(month)):
            code, _, err = command("run", TASK.format(month=month), "--yes", "--plan", "never")
            assert code == 0, err
    return command


@pytest.fixture
def compiled(taught: Command) -> Command:
    """Make a workflow of it."""
    (listed,) = json.loads(taught("patterns", "list", "--json")[1])
    assert taught("patterns", "compile", listed["id"], "--yes")[0] == 0
    return taught


@pytest.mark.requirement("F21-6-cli")
def test_a_task_done_three_times_is_compiled_and_runs_without_a_model(
    taught: Command, endpoint: Any, workspace: Path
) -> None:
    (listed,) = json.loads(taught("patterns", "list", "--json")[1])
    assert (listed["uses"], listed["repeats"], listed["saved"]) == (3, 3, None)
    code, out, err = taught("patterns", "compile", listed["id"][:8], "--yes")
    assert code == 0, err
    assert "goal: Write the sales note of {{date}} into a file" in out
    assert f"patterns run {NAME} --input date=2026-03" in err
    with endpoint():
        code, out, err = taught("patterns", "run", NAME, "--input", "date=2026-09", "--yes")
    assert code == 0, err
    assert out.startswith("The note of 2026-09 is written.")
    assert (workspace / "2026-09.md").read_text() == "Sales of 2026-09\n"
    assert f"runs as the workflow of the pattern {listed['id'][:8]}" in err
    (listed,) = json.loads(taught("patterns", "list", "--json")[1])
    assert (listed["saved"]["runs"], listed["saved"]["handed_over"]) == (1, 0)
    assert listed["saved"]["tokens_saved"] > 0
    assert "1 run, 0 handed over" in taught("patterns", "list")[1]
    # It is as it was, and asks for nothing.
    assert "is as it was" in taught("patterns", "compile", NAME)[2]


def test_a_file_that_a_person_changed_is_shown_as_a_diff_and_a_broken_one_is_refused(
    taught: Command, tmp_path: Path
) -> None:
    taught("patterns", "compile", "Write the sales note of {date} into a file", "--yes")
    code, text, err = taught("patterns", "show", NAME, "--workflow")
    assert code == 0, err
    file = tmp_path / "changed.yaml"
    file.write_text(text.replace("Sales of {{date}}", "All sales of {{date}}"))
    code, out, _ = taught("patterns", "edit", NAME, str(file), "--yes")
    assert code == 0
    assert "-      Sales of {{date}}" in out
    assert "+      All sales of {{date}}" in out
    file.write_text(text.replace("{{date}}.md", "{{year}}.md"))
    code, _, err = taught("patterns", "edit", NAME, str(file), "--yes")
    assert code != 0
    assert "step 1: year is neither an input nor taken from a step" in err
    assert "All sales" in taught("patterns", "show", NAME)[1]


def test_hostile_files_are_refused_with_what_is_wrong_and_draw_nothing(
    compiled: Command, tmp_path: Path
) -> None:
    before = compiled("patterns", "show", NAME, "--workflow")[1]
    named = f"name: {NAME}"
    hostile = {
        "": "the workflow has no fields",
        "- a": "the workflow has no fields",
        before.replace(named, 'name: "a\\n+forged"'): "name: write it in one line",
        before.replace(named, 'name: "\\u202ea"'): "name: write it in one line",
        before.replace("pattern: ", "pattern: b"): "and not of",
        before + "x: \x1b[2J": "YAML",
        "[" * 5_000: "nested",
        before + "#" * 100_000: "100,000",
    }
    file = tmp_path / "hostile.yaml"
    for text, said in hostile.items():
        file.write_text(text)
        code, out, err = compiled("patterns", "edit", NAME, str(file), "--yes")
        assert (code, out, said in err) == (2, "", True), err
        assert "_WorkflowFields" not in err
        assert "\x1b" not in err
    assert compiled("patterns", "show", NAME, "--workflow")[1] == before


def test_a_file_with_the_mark_of_an_editor_is_the_same_file(
    compiled: Command, tmp_path: Path
) -> None:
    file = tmp_path / "marked.yaml"
    text = compiled("patterns", "show", NAME, "--workflow")[1]
    file.write_text(text.rstrip("\n") + "\n", encoding="utf-8-sig")
    code, _, err = compiled("patterns", "edit", NAME, str(file), "--yes")
    assert code == 0
    assert "is as it was" in err


def test_who_comes_second_overwrites_nothing(compiled: Command) -> None:
    app = start()
    library = open_library(app)

    async def two_at_once() -> None:
        stale = await find_pattern(app, library, NAME)
        record = read_record(stale)
        assert record is not None
        for answer in ("first", "second"):
            text = record.text.replace("The note of", f"The {answer} note of")
            await store_workflow(app, stale, compare_file(stale, text), sure=True, as_json=True)

    with pytest.raises(ConflictError, match="changed meanwhile, and yours is not stored"):
        asyncio.run(two_at_once())
    assert "The first note of" in compiled("patterns", "show", NAME, "--workflow")[1]


def test_wrong_inputs_are_refused_before_anything_runs(taught: Command) -> None:
    code, _, err = taught("patterns", "run", NAME)
    assert (code, "There is no pattern" in err) == (1, True)
    (listed,) = json.loads(taught("patterns", "list", "--json")[1])
    code, _, err = taught("patterns", "run", listed["id"])
    assert "has no workflow yet" in err
    taught("patterns", "compile", listed["id"], "--yes")
    for given, said in (
        ((), "needs the input date"),
        (("--input", "date"), "has no `=`"),
        (("--input", "date=1", "--input", "date=2"), "date is given twice"),
        (("--input", "year=1", "--input", "date=2"), "has no input 'year'"),
    ):
        code, _, err = taught("patterns", "run", NAME, *given)
        assert code != 0
        assert said in err


def test_a_forgotten_pattern_is_gone_with_its_workflow(taught: Command) -> None:
    (listed,) = json.loads(taught("patterns", "list", "--json")[1])
    code, _, err = taught("patterns", "forget", listed["id"])
    assert (code, "Add --yes" in err) == (2, True)
    assert taught("patterns", "forget", listed["id"], "--yes")[0] == 0
    assert json.loads(taught("patterns", "list", "--json")[1]) == []


def test_the_workflow_in_the_document_is_what_is_compiled(command: Command, endpoint: Any) -> None:
    remarks = ("North sold more than south.", "South is ahead.", "Both regions sold the same.")
    for month, remark in zip(MONTHS, remarks, strict=True):
        Path(f"orders-{month}.csv").write_text("orders,region\n120,north\n80,south\n")
        read = {"name": "read_file", "args": {"file_path": f"/orders-{month}.csv"}}
        write = {
            "name": "write_file",
            "args": {"file_path": f"/note-{month}.md", "content": remark},
        }
        said = {"text": f"The note of {month} is written."}
        with endpoint({"tool_calls": [read]}, {"tool_calls": [write]}, said):
            message = f"Write a note on the orders of {month}"
            assert command("run", message, "--yes", "--plan", "never")[0] == 0
    (listed,) = json.loads(command("patterns", "list", "--json")[1])
    code, out, _ = command("patterns", "compile", listed["id"], "--yes")
    assert code == 0
    page = (Path(__file__).parents[4] / "docs" / "patterns.md").read_text("utf-8")
    (documented,) = re.findall(r"```yaml\n(.*?)```", page, re.DOTALL)
    # What it took is different each time.
    assert out.split("measured:")[0] == documented.split("measured:")[0]
