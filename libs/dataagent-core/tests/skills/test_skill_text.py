"""What the model reads of a skill it loads: what stays out, and whether scripts can run."""

from pathlib import Path

import pytest
from made_skills import make_skill

from dataagent_core.permissions.active_skills import ActiveSkill
from dataagent_core.skills import SkillFile
from dataagent_core.skills.offer import SkillPlace
from dataagent_core.skills.offer.skill_text import describe_skill

SCRIPT = SkillFile(path="scripts/run.py", size_bytes=3, sha256="0" * 64)
NOTES = SkillFile(path="references/notes.md", size_bytes=3, sha256="0" * 64)


@pytest.mark.parametrize(
    ("entry", "stays_out"),
    [
        ("shell(git *)", False),
        ("read", False),
        ("mcp__git__*", False),
        ("write_file", True),
        ("write", True),
        ("code_executor(x)", True),
    ],
)
def test_only_what_another_active_skill_does_not_list_is_said_to_stay_out(
    entry: str, stays_out: bool
) -> None:
    skill = make_skill("second", allowed_tools=(entry,))
    first = ActiveSkill(name="first", allowed_tools=("shell", "read_file"))
    text = describe_skill(skill, "mounted", [first, ActiveSkill(name="second")])
    assert (f"{entry} stays out: the active skill 'first' does not list it." in text) is stays_out


@pytest.mark.parametrize(
    ("place", "said"),
    [
        ("mounted", "find them at the same paths, read-only"),
        ("host", "which has them in /home/of/skills/greeting/"),
        ("elsewhere", "Commands run on another machine, which does not have them"),
        ("none", "Its scripts cannot run: there is no sandbox. Do their work with your tools."),
    ],
)
def test_the_model_is_told_whether_the_scripts_of_a_skill_can_run(
    place: SkillPlace, said: str
) -> None:
    folder = Path("/home/of/skills/greeting")
    skill = make_skill("greeting", files=(NOTES, SCRIPT), folder=folder)
    assert said in describe_skill(skill, place, [])
    only_text = make_skill("greeting", files=(NOTES,), folder=folder)
    assert said not in describe_skill(only_text, place, [])
