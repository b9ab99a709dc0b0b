"""`skills validate`: every problem of a skill with its file, line and column."""

from collections.abc import Sequence
from pathlib import Path

from dataagent_cli.commands.skills.problem_notes import note_problems
from dataagent_cli.commands.skills.skill_folders import find_folder, load_tiers
from dataagent_cli.output import exit_codes
from dataagent_cli.output.json_document import write_document
from dataagent_cli.wiring import App
from dataagent_core.skills import SkillProblem, load_skill
from dataagent_core.skills.skill_package import NAMES_OF_SKILL_FILE


def validate_skills(app: App, names: Sequence[str], as_json: bool) -> int:
    """Check the skills of these names or folders, or all of them; return the exit code."""
    problems: list[SkillProblem] = []
    checked = list(names)
    states, known = load_tiers(app)
    offered = {one.skill.name for one in states} | {one.name for one in known}
    for name in names:
        if name in offered and not _has_skill_file(Path(name)):
            problems += [problem for problem in known if problem.name == name]
        else:
            problems += load_skill(find_folder(app, name)).problems
    if not names:
        checked, problems = sorted(offered), known
    wrong = sum(not problem.is_warning for problem in problems)
    if as_json:
        write_document(
            {"valid": wrong == 0, "problems": [_to_json(problem) for problem in problems]}
        )
    else:
        note_problems(app, problems)
        count = len(checked)
        key = "skills_invalid" if wrong else "skills_valid"
        app.output.line(app.say(key, count=count, wrong=wrong))
    return exit_codes.FAILED if wrong else exit_codes.DONE


def _has_skill_file(folder: Path) -> bool:
    return any((folder / name).exists() for name in NAMES_OF_SKILL_FILE)


def _to_json(problem: SkillProblem) -> dict[str, object]:
    return {
        "name": problem.name,
        "folder": str(problem.folder or ""),
        "path": problem.path,
        "line": problem.line,
        "column": problem.column,
        "message": problem.message,
        "is_warning": problem.is_warning,
    }
