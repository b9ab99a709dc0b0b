"""`deny skill` closes the files of a skill to every tool, by whatever path they are asked for."""

from contextlib import aclosing
from pathlib import Path
from typing import Any

import pytest
from agents import events_of, scripted, settings

from dataagent_core.engine import AgentConfig, AgentFactory
from dataagent_core.events import ToolResultEvent
from dataagent_core.sandbox.workspaces import UserWorkspaceManager
from dataagent_core.skills import FixedSkills, SkillScope, SkillSet

# In every file of the denied skills, and in no other.
SECRET = "SECRET-4711"
OPEN = "OPEN-1147"
DENY_BY_NAME = '[[rules]]\ntool = "skill"\nresource = "closed"\naction = "deny"\n'
DENY_ALL_BUT_ONE = """
[[rules]]
tool = "skill"
resource = "*"
action = "deny"

[[rules]]
tool = "skill"
resource = "open"
action = "allow"
"""
# Allowing every path does not open a skill.
DENY_WITH_ALL_PATHS_ALLOWED = f"""{DENY_BY_NAME}
[[rules]]
tool = "read"
resource = "**"
action = "allow"
"""
FIND = "import glob\nfor one in sorted(glob.glob('{}', recursive=True)):\n"
READ = FIND + "    try: print(open(one).read())\n    except OSError as error: print(one, error)\n"
CALLS: list[tuple[str, dict[str, Any]]] = [
    ("grep", {"pattern": "SECRET|OPEN", "path": "/skills/{tier}"}),
    ("grep", {"pattern": "SECRET|OPEN", "path": "/skills/{tier}", "context_lines": 2}),
    ("shell", {"command": "cat /skills/{tier}/*/SKILL.md"}),
    ("shell", {"command": "cd /skills && cat */*/*/notes.md"}),
    ("shell", {"command": "grep -r . /skills"}),
    # This one writes: it does not run in the layer for commands that only read.
    ("shell", {"command": "touch made; cat /skills/{tier}/*/SKILL.md"}),
    ("code_executor", {"code": READ.format("/skills/{tier}/*/SKILL.md")}),
    ("code_executor", {"code": READ.format("/skills/**/*.md")}),
]
PROJECT_CALLS: list[tuple[str, dict[str, Any]]] = [
    ("grep", {"pattern": "SECRET|OPEN", "path": "/.dataagent"}),
    ("shell", {"command": "cat .dataagent/skills/*/SKILL.md"}),
    ("code_executor", {"code": READ.format(".dataagent/skills/*/SKILL.md")}),
]
LISTINGS: list[tuple[str, dict[str, Any]]] = [
    ("ls", {"path": "/skills/{tier}"}),
    ("glob", {"pattern": "**/*.md", "path": "/skills/{tier}"}),
    ("shell", {"command": "ls -R /skills/{tier}"}),
]


def make_skill(folder: Path, content: str) -> None:
    (folder / "references").mkdir(parents=True)
    front = f"---\nname: {folder.name}\ndescription: Of {folder.name}.\n---\n"
    (folder / "SKILL.md").write_text(f"{front}{content}\n")
    (folder / "references/notes.md").write_text(f"{content}\n")


def script(tier: str, calls: list[tuple[str, dict[str, Any]]]) -> list[dict[str, Any]]:
    """Call each tool with the name of the tier in its arguments."""
    return [{"tool_calls": [{"name": tool, "args": fill(args, tier)}]} for tool, args in calls]


def fill(args: dict[str, Any], tier: str) -> dict[str, Any]:
    return {
        key: value.replace("{tier}", tier) if isinstance(value, str) else value
        for key, value in args.items()
    }


async def results(config: AgentConfig, home: Path) -> list[str]:
    async with aclosing(AgentFactory(settings(home=home)).create_executor(config)) as agent:
        events = await events_of(agent)
    return [str(event.result) for event in events if isinstance(event, ToolResultEvent)]


async def answers(
    tmp_path: Path, tier: str, rules: str, calls: list[tuple[str, dict[str, Any]]]
) -> list[str]:
    home, work = tmp_path / "home", tmp_path / "work"
    work.mkdir()
    skills = {
        "tenant": home / "agents/tester/skills",
        "project": work / ".dataagent/skills",
    }[tier]
    make_skill(skills / "closed", SECRET)
    make_skill(skills / "open", OPEN)
    (home / "agents").mkdir(parents=True, exist_ok=True)
    (home / "permissions.toml").write_text(rules)
    config = AgentConfig(
        "tester",
        model=scripted(*script(tier, calls), {"text": "done"}),
        workspace_path=work,
        auto_approve=True,
    )
    said = await results(config, home)
    assert len(said) == len(calls)
    return said


@pytest.mark.parametrize(
    "rules",
    [DENY_BY_NAME, DENY_ALL_BUT_ONE, DENY_WITH_ALL_PATHS_ALLOWED],
    ids=["by-name", "all-but-one", "all-paths-allowed"],
)
@pytest.mark.parametrize("tier", ["tenant", "project"])
async def test_no_tool_and_no_program_reads_a_denied_skill_and_others_are_read(
    tmp_path: Path, tier: str, rules: str
) -> None:
    calls = [*CALLS, *(PROJECT_CALLS if tier == "project" else ())]
    said = await answers(tmp_path, tier, rules, calls)
    assert [call for call, one in zip(calls, said, strict=True) if SECRET in one] == []
    assert [call for call, one in zip(calls, said, strict=True) if OPEN not in one] == []


@pytest.mark.parametrize("tier", ["tenant", "project"])
async def test_what_is_in_its_folder_is_not_listed(tmp_path: Path, tier: str) -> None:
    for one in await answers(tmp_path, tier, DENY_BY_NAME, LISTINGS):
        assert "closed/SKILL.md" not in one
        assert "closed/references" not in one
        assert "open" in one


async def test_it_holds_on_a_server_for_commands_of_another_user(tmp_path: Path) -> None:
    home, tier = tmp_path / "home", tmp_path / "sets/1"
    make_skill(tier / "closed", SECRET)
    make_skill(tier / "open", OPEN)
    home.mkdir()
    (home / "permissions.toml").write_text(DENY_BY_NAME)
    config = AgentConfig(
        "tester",
        user_id="bob",
        home=home,
        model=scripted(*script("tenant", CALLS), {"text": "done"}),
        workspace_manager=UserWorkspaceManager(tmp_path / "workspaces"),
        skills=FixedSkills(skill_set=SkillSet(), folders={SkillScope.TENANT: tier}),
        auto_approve=True,
    )
    said = await results(config, home)
    assert [call for call, one in zip(CALLS, said, strict=True) if SECRET in one] == []
    assert [call for call, one in zip(CALLS, said, strict=True) if OPEN not in one] == []


async def test_a_denied_built_in_skill_is_closed(tmp_path: Path) -> None:
    rules = DENY_BY_NAME.replace("closed", "code-review")
    said = await answers(
        tmp_path,
        "tenant",
        rules,
        [
            ("grep", {"pattern": "^name:", "path": "/skills/system"}),
            ("shell", {"command": "cat /skills/system/*/SKILL.md"}),
            ("code_executor", {"code": READ.format("/skills/system/*/SKILL.md")}),
            ("read_file", {"file_path": "/skills/system/code-review/SKILL.md"}),
        ],
    )
    for one in said:
        assert "name: code-review" not in one
    for one in said[:-1]:
        assert "name: data-analysis" in one
