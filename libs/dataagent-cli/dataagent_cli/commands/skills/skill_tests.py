"""`skills test`: recall, precision, and which skills fire on whose prompts."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from dataagent_cli.commands.skills.skill_folders import list_offered, load_tiers
from dataagent_cli.output.json_document import write_document
from dataagent_cli.output.sanitize import one_line
from dataagent_cli.output.table import print_table
from dataagent_cli.wiring import App
from dataagent_core.errors import NotFoundError
from dataagent_core.models.embeddings import resolve_embedder
from dataagent_core.skills.evals import run_evals

if TYPE_CHECKING:
    from dataagent_core.skills.evals import EvalReport

_MISSES_SHOWN_MAX = 20


async def run_skill_tests(app: App, names: Sequence[str], as_json: bool) -> None:
    """Match the prompts of these skills, or of all, against every skill that is offered."""
    states, _ = load_tiers(app)
    skills = list_offered(states)
    known = {skill.name for skill in skills}
    disabled = {one.skill.name for one in states if one.is_disabled}
    for name in names:
        if name not in known:
            key = "skill_not_offered" if name in disabled else "skill_unknown"
            raise NotFoundError(app.say(key, name=one_line(name)))
    report = await run_evals(skills, resolve_embedder(app.settings), of=names or None)
    if as_json:
        write_document(report.to_dict())
    elif not report.prompts:
        app.output.note(app.say("skills_untested"))
    else:
        _print_report(app, report)


def _print_report(app: App, report: "EvalReport") -> None:
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
        text = app.say(key, prompt=one_line(miss.prompt), name=miss.missing or "", fired=fired)
        app.output.note(text, fg="yellow")


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{share:.0%}"
