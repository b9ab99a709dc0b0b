"""`skills test`: recall, precision, and which skills fire on whose prompts."""

import asyncio
from collections.abc import Iterable, Sequence

from dataagent_cli.commands.skills.skill_folders import list_usable, load_tiers
from dataagent_cli.output import exit_codes
from dataagent_cli.output.json_document import write_document
from dataagent_cli.output.sanitize import one_line
from dataagent_cli.output.table import print_table
from dataagent_cli.output.text_width import cut
from dataagent_cli.wiring import App
from dataagent_core.errors import NotFoundError, ValidationError
from dataagent_core.models.embeddings import resolve_embedder
from dataagent_core.permissions.foreign_tools import OWN_TOOLS
from dataagent_core.skills import Skill
from dataagent_core.skills.availability import has_its_tools
from dataagent_core.skills.evals import EvalReport, SkillEvals, load_evals, run_evals

_MISSES_SHOWN_MAX = 20
_PROMPT_CELLS_MAX = 120


async def run_skill_tests(app: App, names: Sequence[str], as_json: bool) -> int:
    """Match the prompts of these skills, or of all, against every skill that is offered.

    The broken prompts of one skill do not keep the others from being tried; the exit code is 1.
    """
    states, _ = load_tiers(app)
    usable = list_usable(states)
    known = {skill.name for skill in usable}
    disabled = {one.skill.name for one in states if one.is_disabled}
    for name in names:
        if name not in known:
            key = "skill_not_offered" if name in disabled else "skill_unknown"
            raise NotFoundError(app.say(key, name=one_line(name)))
    # As in a conversation here: one that waits for its tools is not offered, unless it is meant.
    skills = [one for one in usable if one.name in names or has_its_tools(one, OWN_TOOLS)]
    tried = [skill for skill in skills if skill.name in names or not names]
    evals, broken = await asyncio.to_thread(_load_evals, tried)
    for problem in broken:
        app.output.note(app.say.translate(one_line(problem)), fg="red")
    report = await run_evals(skills, resolve_embedder(app.settings), evals)
    if as_json:
        write_document(report.to_dict())
    elif report.prompts:
        _print_report(app, report)
    elif not broken:
        app.output.note(app.say("skills_untested"))
    return exit_codes.FAILED if broken else exit_codes.DONE


def _load_evals(skills: Iterable[Skill]) -> tuple[dict[str, SkillEvals], list[str]]:
    evals: dict[str, SkillEvals] = {}
    broken: list[str] = []
    for skill in skills:
        try:
            evals[skill.name] = SkillEvals() if skill.folder is None else load_evals(skill.folder)
        except ValidationError as error:
            broken.append(str(error))
    return evals, broken


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
    app.output.line(app.say("skills_mixed" if mixed else "skills_apart"), bold=bool(mixed))
    for line in mixed:
        app.output.line(f"  {one_line(line)}")
    for miss in report.misses[:_MISSES_SHOWN_MAX]:
        key = "skill_false_alarm" if miss.missing is None else "skill_missed"
        fired = ", ".join(miss.fired) or "-"
        prompt = cut(one_line(miss.prompt), _PROMPT_CELLS_MAX)
        text = app.say(key, prompt=prompt, name=miss.missing or "", fired=fired)
        app.output.note(text, fg="yellow")


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{share:.0%}"
