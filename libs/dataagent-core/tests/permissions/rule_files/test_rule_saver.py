"""An "always" kept for the project: saved by the engine, only where the folder is trusted."""

from pathlib import Path
from typing import Any

import pytest
from agents import Answering, events_of, executor, scripted, settings

from dataagent_core.errors import ValidationError
from dataagent_core.hitl import Decision
from dataagent_core.permissions import ProjectRules, Rule, RunTerms, load_rules
from dataagent_core.permissions.rule_files.trust import trust

SAVE: Decision = {"type": "approve", "scope": "always", "save": "project"}


def shell(*commands: str) -> list[dict[str, Any]]:
    calls = [{"tool_calls": [{"name": "shell", "args": {"command": c}}]} for c in commands]
    return [*calls, {"text": "ok"}]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "home").mkdir()
    return tmp_path / "home"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "project").mkdir()
    return tmp_path / "project"


async def asked_in_a_new_session(
    home: Path, project: Path, person: Answering, *commands: str, saving: bool = True
) -> tuple[list[str], list[Any]]:
    agent = executor(
        scripted(*shell(*commands)), project, handler=person, chosen=settings(home=home)
    )
    terms = RunTerms(rule_saver=ProjectRules(home, project) if saving else None)
    events = await events_of(agent, terms=terms)
    await agent.aclose()
    return [action["args"]["command"] for action in person.asked], events


async def test_what_is_saved_is_not_asked_about_in_later_sessions(home: Path, project: Path):
    trust(home, project)
    asked, _ = await asked_in_a_new_session(home, project, Answering(SAVE), "touch a", "touch a")
    assert asked == ["touch a"]
    assert load_rules(settings(home=home), project).project == (
        Rule("shell", "touch a", "allow", "project"),
    )
    # Only the command shown: not one like it, and not a line that holds more.
    later = ("touch a", "touch b", "touch a; touch c")
    asked, _ = await asked_in_a_new_session(home, project, Answering(), *later)
    assert asked == ["touch b", "touch a; touch c"]


async def test_an_untrusted_folder_takes_no_rules_and_the_person_is_asked_again(
    home: Path, project: Path
):
    person = Answering(SAVE, {"type": "approve"})
    asked, events = await asked_in_a_new_session(home, project, person, "touch a")
    assert asked == ["touch a", "touch a"]
    (warning,) = [e for e in events if e.event_type == "warning"]
    assert "dataagent permissions trust" in warning.message
    assert not (project / ".dataagent").exists()


async def test_without_a_saver_nothing_is_saved(home: Path, project: Path):
    trust(home, project)
    person = Answering(SAVE, {"type": "approve"})
    _, events = await asked_in_a_new_session(home, project, person, "touch a", saving=False)
    (warning,) = [e for e in events if e.event_type == "warning"]
    assert "nothing can be saved here" in warning.message
    assert not (project / ".dataagent").exists()


async def test_a_call_no_rule_can_cover_saves_nothing(home: Path, project: Path):
    trust(home, project)
    person = Answering(SAVE, {"type": "approve"})
    _, events = await asked_in_a_new_session(home, project, person, "touch $x")
    (warning,) = [e for e in events if e.event_type == "warning"]
    assert "no rule can cover this call" in warning.message


def test_saving_keeps_what_is_there_and_the_trust_in_it(home: Path, project: Path):
    rules = project / ".dataagent" / "permissions.toml"
    rules.parent.mkdir()
    rules.write_text('# ours\n[[rules]]\naction = "deny"\ntool = "web"\n')
    trust(home, project)
    saver = ProjectRules(home, project)
    new = Rule("shell", "make test *", "allow", "project")
    saver.save([new])
    saver.save([new])
    assert rules.read_text().startswith("# ours\n")
    assert rules.read_text().count("make test") == 1
    assert saver.trusted


@pytest.mark.parametrize("text", ["= =", '[[rules]]\naction = "maybe"\n'])
def test_a_broken_file_is_left_as_it_is(home: Path, project: Path, text: str):
    rules = project / ".dataagent" / "permissions.toml"
    rules.parent.mkdir()
    rules.write_text(text)
    trust(home, project)
    with pytest.raises(ValidationError, match=r"cannot be saved: .*permissions\.toml"):
        ProjectRules(home, project).save([Rule("shell", "x", "allow", "project")])
    assert rules.read_text() == text


def test_a_folder_that_cannot_be_written_is_told(home: Path, project: Path):
    (project / ".dataagent").write_text("a file")
    with pytest.raises(ValidationError, match="cannot be saved"):
        ProjectRules(home, project).save([Rule("shell", "x", "allow", "project")])
