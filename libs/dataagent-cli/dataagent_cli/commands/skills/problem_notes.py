"""Prints what is wrong with skills, as compilers do: `file:line:column: what`."""

from collections.abc import Iterable

from dataagent_cli.output.problem_note import note_problem
from dataagent_cli.wiring import App
from dataagent_core.skills import SkillProblem


def note_problems(app: App, problems: Iterable[SkillProblem]) -> None:
    """Print problems, each as `file:line:column: what`."""
    for problem in problems:
        file = "/".join(filter(None, (str(problem.folder or problem.name), problem.path)))
        place = ":".join(
            str(part) for part in (file, problem.line, problem.column) if part is not None
        )
        note_problem(app.output, app.say, place, problem.message, is_warning=problem.is_warning)
