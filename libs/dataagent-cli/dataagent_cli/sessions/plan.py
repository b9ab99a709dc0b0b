"""`sessions plan`: the work plan of a session, shown and changed."""

from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dataagent_cli.output.json_document import write_document
from dataagent_cli.output.sanitize import one_line
from dataagent_cli.sessions.lookup import existing_session
from dataagent_cli.sessions.plan_words import parse_plan_words
from dataagent_cli.transcript.plan import draw_plan
from dataagent_cli.transcript.terminal.console import ansi_text, console_for
from dataagent_cli.transcript.terminal.detection import detect_style
from dataagent_cli.wiring import App, local_user, open_stores
from dataagent_core.errors import NotFoundError

if TYPE_CHECKING:
    from dataagent_core.planning import WorkPlan

# A file or another program gets whole lines.
_WIDTH_OF_A_FILE_CELLS = 1_000


async def plan_of_session(
    app: App, session_id: str, words: str, *, version: int | None, as_json: bool
) -> None:
    """Change the plan of a session as the words say, and print what it is now."""
    from dataagent_core.planning import edit_plan, read_edits, read_plan
    from dataagent_core.planning.plan_log import PlanChangedError

    edit = parse_plan_words(words, app.say)
    async with open_stores(app.settings) as stores:
        await existing_session(app, stores, session_id)
        plan = await read_plan(stores.log, session_id)
        if plan is None:
            raise NotFoundError(app.say("no_plan"))
        if edit is not None:
            _check_agent(app, str(edit.get("assigned_agent") or ""))
            edits, based_on = read_edits([edit]), version or plan.version
            try:
                plan = await edit_plan(
                    stores.log, session_id, edits, version=based_on, by=local_user()
                )
            except PlanChangedError as error:
                if not as_json:
                    print_plan(app, error.plan)
                raise
    if as_json:
        write_document(_to_json(plan))
    else:
        print_plan(app, plan)


def _check_agent(app: App, name: str) -> None:
    from dataagent_cli.commands.agents.subagent_listing import load_all
    from dataagent_core.engine.delegation.general_purpose import GENERAL_PURPOSE

    if not name or name == GENERAL_PURPOSE:
        return
    if all(one.name != name for one in load_all(app, Path.cwd()).subagents):
        raise NotFoundError(app.say("subagent_unknown", name=one_line(name)))


def print_plan(app: App, plan: "WorkPlan") -> None:
    """Print a plan with all its steps."""
    output = app.output
    look = detect_style(
        output.environment,
        is_terminal=output.out_is_terminal,
        width_cells=output.width_cells if output.out_is_terminal else _WIDTH_OF_A_FILE_CELLS,
        height_rows=output.height_rows,
        encoding=output.out_encoding,
    )
    lines = draw_plan(plan, app.say, look)
    if output.out_coloured:
        output.answer(ansi_text(console_for(look, StringIO()), *lines))
        return
    for line in lines:
        output.line(line.plain)


def _to_json(plan: "WorkPlan") -> dict[str, Any]:
    return {
        "plan_id": plan.id,
        "session_id": plan.conversation_id,
        "status": plan.status.value,
        "version": plan.version,
        "current_step_index": plan.current_step_index,
        "stage": plan.stage,
        "round": plan.round,
        "steps": [step.to_dict() for step in plan.steps],
        "created_at": plan.created_at.isoformat(),
        "updated_at": None if plan.updated_at is None else plan.updated_at.isoformat(),
    }
