"""`skills test`: recall, precision, and which skills fire on whose prompts."""

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from dataagent_cli.commands.skills.problem_notes import note_problems
from dataagent_cli.commands.skills.skill_folders import find_folder, list_usable, load_tiers
from dataagent_cli.output import exit_codes
from dataagent_cli.output.json_document import write_document
from dataagent_cli.output.sanitize import one_line
from dataagent_cli.output.table import print_table
from dataagent_cli.output.text_width import cut
from dataagent_cli.wiring import App
from dataagent_core.errors import NotFoundError, ValidationError
from dataagent_core.models.embeddings import resolve_embedder
from dataagent_core.permissions.foreign_tools import OWN_TOOLS
from dataagent_core.skills import Skill, SkillProblem, load_skill
from dataagent_core.skills.availability import has_its_tools
from dataagent_core.skills.evals import (
    EVALS_FILE,
    EvalReport,
    SkillEvals,
    load_evals,
    run_evals,
)
from dataagent_core.skills.tiers import SkillState

_MISSES_SHOWN_MAX = 20
_PROMPT_CELLS_MAX = 120


async def run_skill_tests(app: App, names: Sequence[str], as_json: bool) -> int:
    """Match the prompts of these skills, or of all, against every skill that is offered.

    What cannot be tried does not keep the others from being tried; the exit code is 1.
    """
    states, problems = load_tiers(app)
    named = _find_named(app, names, states, problems)
    usable = {skill.name: skill for skill in list_usable(states)} | named.skills
    # As in a conversation here: one that waits for its tools is not offered, unless it is meant.
    skills = [
        one for one in usable.values() if one.name in named.skills or has_its_tools(one, OWN_TOOLS)
    ]
    tried = list(named.skills.values()) if names else skills
    broken = [one for one in (named.problems if names else problems) if not one.is_warning]
    note_problems(app, broken)
    for name in named.broken:
        app.output.note(app.say("skill_broken", name=one_line(name)), fg="red")
    evals, failures = await asyncio.to_thread(_load_evals, app, tried, is_named=bool(names))
    for text in failures:
        app.output.note(app.say("error", text=one_line(text)), fg="red")
    report = await run_evals(skills, resolve_embedder(app.settings), evals)
    if as_json:
        write_document(report.to_dict())
    elif report.prompts:
        _print_report(app, report)
    return exit_codes.FAILED if broken or failures or not report.prompts else exit_codes.DONE


@dataclass(slots=True)
class _Named:
    """The skills that the arguments name, and those among them that cannot be used."""

    skills: dict[str, Skill] = field(default_factory=dict[str, Skill])
    problems: list[SkillProblem] = field(default_factory=list[SkillProblem])
    broken: list[str] = field(default_factory=list[str])


def _find_named(
    app: App, names: Sequence[str], states: list[SkillState], problems: list[SkillProblem]
) -> _Named:
    named = _Named()
    usable = {skill.name: skill for skill in list_usable(states)}
    disabled = {one.skill.name for one in states if one.is_disabled}
    for name in names:
        if name in usable:
            named.skills[name] = usable[name]
        elif name in disabled:
            raise NotFoundError(app.say("skill_not_offered", name=one_line(name)))
        else:
            known = [one for one in problems if one.name == name]
            skill = None
            if not known:
                read = load_skill(find_folder(app, name))
                skill, known = read.skill, list(read.problems)
            if skill is not None:
                named.skills[skill.name] = skill
            else:
                named.problems += known
                named.broken.append(name)
    return named


def _load_evals(
    app: App, skills: Iterable[Skill], *, is_named: bool
) -> tuple[dict[str, SkillEvals], list[str]]:
    """Read the prompts, and say why there are none; no prompts are a failure of a named skill."""
    evals: dict[str, SkillEvals] = {}
    failures: list[str] = []
    for skill in skills:
        try:
            evals[skill.name] = SkillEvals() if skill.folder is None else load_evals(skill.folder)
        except ValidationError as error:
            failures.append(str(error))
        else:
            if is_named and evals[skill.name] == SkillEvals():
                path = (skill.folder or Path(skill.name)) / EVALS_FILE
                failures.append(app.say("skill_untested", name=skill.name, path=path))
    return evals, failures


def _print_report(app: App, report: EvalReport) -> None:
    heads = [app.say(f"col.{name}") for name in ("skill", "should_fire", "recall", "precision")]
    rows = [
        [one.name, str(one.prompts), _percent(one.recall), _percent(one.precision)]
        for one in report.skills
        if one.prompts or one.false_alarms
    ]
    total = [
        app.say("skills_total"),
        str(sum(one.prompts for one in report.skills)),
        _percent(report.recall),
        _percent(report.precision),
    ]
    print_table(app.output, heads, [*rows, total])
    mixed = [
        app.say("skill_fires_on_others", fired=fired, prompted=prompted, count=count)
        for prompted, row in report.confusion.items()
        for fired, count in row.items()
        if fired != prompted and count
    ]
    app.output.line("")
    app.output.sentence(app.say("skills_mixed" if mixed else "skills_apart"), bold=bool(mixed))
    for line in mixed:
        app.output.sentence(f"  {one_line(line)}")
    for miss in report.misses[:_MISSES_SHOWN_MAX]:
        key = "skill_false_alarm" if miss.missing is None else "skill_missed"
        fired = ", ".join(miss.fired) or "-"
        prompt = cut(one_line(miss.prompt), _PROMPT_CELLS_MAX)
        text = app.say(key, prompt=prompt, name=miss.missing or "", fired=fired)
        app.output.note(text, fg="yellow")


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{share:.0%}"
