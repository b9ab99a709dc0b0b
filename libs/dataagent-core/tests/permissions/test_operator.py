"""Rules in the settings: only the operator writes them, and their deny is final."""

from pathlib import Path
from typing import Any

import pytest
from agents import Answering, events_of, executor, scripted, settings
from judging import decide

from dataagent_core.config import Settings, provenance
from dataagent_core.errors import ConfigurationError
from dataagent_core.hitl import Decision
from dataagent_core.permissions import Rule, RuleSet, load_rules
from dataagent_core.permissions.policy import make_answer_rules
from dataagent_core.permissions.request import PermissionRequest
from dataagent_core.permissions.rule_files.rule_file import rules_of
from dataagent_core.permissions.rule_files.trust import trust

DENY_TOUCH = '[[permissions.rules]]\naction = "deny"\ntool = "shell"\nresource = "touch *"\n'
ALLOW_ALL = '[[rules]]\naction = "allow"\ntool = "*"\n'
TOUCH = {"tool_calls": [{"name": "shell", "args": {"command": "touch a"}}]}


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "config.toml").write_text(DENY_TOUCH)
    return tmp_path / "home"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "project" / ".dataagent").mkdir(parents=True)
    return tmp_path / "project"


def loaded(home: Path, project: Path, **environment: str) -> Settings:
    return Settings.load({"DATAAGENT_HOME": str(home), **environment}, project)


def test_rules_of_the_settings_are_the_operators(home: Path, project: Path):
    found = load_rules(loaded(home, project), project)
    assert found.operator == (Rule("shell", "touch *", "deny", "operator"),)
    assert "(operator)" in str(found.operator[0])


def test_config_show_names_their_file(home: Path, project: Path):
    lines = {line.name: line for line in provenance(loaded(home, project))}
    assert lines["permissions"].source == "config.toml"
    assert "touch *" in lines["permissions"].shown
    assert lines["permissions"].variable == ""


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('[[permissions.rules]]\naction = "deny"\ntol = "x"\n', "rule 1 sets 'tol'"),
        ('[permissions]\nrule = "x"\n', "sets 'rule'"),
    ],
)
def test_a_wrong_rule_is_told_with_its_place(home: Path, project: Path, text: str, words: str):
    (home / "config.toml").write_text(text)
    with pytest.raises(ConfigurationError, match=rf"\[permissions\] in .*config\.toml.*{words}"):
        load_rules(loaded(home, project), project)


def test_a_table_is_needed(home: Path, project: Path):
    (home / "config.toml").write_text('permissions = "none"\n')
    with pytest.raises(ConfigurationError, match="permissions"):
        loaded(home, project)


@pytest.mark.parametrize("name", ["DATAAGENT_PERMISSIONS", "PERMISSIONS", "DATAAGENT_HOME"])
@pytest.mark.parametrize("value", ["{}", '{"rules": []}', '{"rules": [{"action": "allow"}]}', "."])
def test_a_projects_dotenv_changes_nothing_about_them(
    home: Path, project: Path, name: str, value: str
):
    before = load_rules(loaded(home, project), project)
    (project / ".env").write_text(f"{name}='{value}'\n")
    assert load_rules(loaded(home, project), project) == before


@pytest.mark.parametrize("auto_approve", [False, True])
async def test_nothing_overrides_an_operators_deny(home: Path, project: Path, auto_approve: bool):
    (home / "permissions.toml").write_text(ALLOW_ALL)
    (project / ".dataagent" / "permissions.toml").write_text(ALLOW_ALL)
    trust(home, project)
    person = Answering({"type": "approve", "scope": "always"})
    agent = executor(
        scripted(TOUCH, {"text": "ok"}),
        project,
        handler=person,
        chosen=loaded(home, project),
        auto_approve=auto_approve,
    )
    events = await events_of(agent)
    await agent.aclose()
    (result,) = [e for e in events if e.event_type == "tool_result"]
    assert "deny shell 'touch *' (operator)" in str(result.result)
    assert person.asked == []
    assert not (project / "a").exists()


async def test_a_person_cannot_edit_a_call_into_a_denied_one(home: Path, project: Path):
    edit: Decision = {"type": "edit", "args": {"command": "touch a"}}
    call: dict[str, Any] = {"tool_calls": [{"name": "shell", "args": {"command": "make"}}]}
    agent = executor(
        scripted(call, {"text": "ok"}),
        project,
        handler=Answering(edit),
        chosen=loaded(home, project),
    )
    events = await events_of(agent)
    await agent.aclose()
    (result,) = [e for e in events if e.event_type == "tool_result"]
    assert "is denied" in str(result.result)
    assert not (project / "a").exists()


async def test_a_yes_counts_no_more_once_the_operator_denies(home: Path, project: Path):
    """The question was asked before the rule was there, and is answered after."""
    from dataagent_core.errors import NoOneToAskError
    from dataagent_core.session.stores.bundle import Stores

    class Nobody(Answering):
        async def request_approval(self, action_request: Any, session_id: str) -> Decision:
            raise NoOneToAskError("nobody")

    stores = Stores.in_memory()
    model = scripted(TOUCH, {"text": "ok"})
    lax = settings(home=home / "other")
    waiting = executor(model, project, handler=Nobody(), stores=stores, chosen=lax)
    await events_of(waiting)
    strict = executor(
        model, project, handler=Answering(), stores=stores, chosen=loaded(home, project)
    )
    events = [event async for event in strict.resume("s")]
    await strict.aclose()
    (result,) = [e for e in events if e.event_type == "tool_result"]
    assert "is denied" in str(result.result)
    assert not (project / "a").exists()


def test_what_the_operator_wants_asked_stays_asked_and_offers_no_always():
    table = {"rules": [{"action": "ask", "tool": "shell", "resource": "touch *"}]}
    rules = RuleSet(operator=rules_of(table, "settings", "operator"))
    request = PermissionRequest(tool="shell", args={"command": "touch a"})
    assert decide("touch a", rules) == "ask"
    assert make_answer_rules(request, rules) == []
    assert make_answer_rules(request, RuleSet()) != []
