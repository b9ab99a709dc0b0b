"""The guided demo: a run of the scripted model, then one obvious next step."""

import asyncio
import tempfile
from pathlib import Path

from dataagent_cli.approval.rule import ApprovalRule
from dataagent_cli.output import exit_codes
from dataagent_cli.run.one_turn import run_one_turn
from dataagent_cli.run.run_request import RunRequest, resolve_workspace
from dataagent_cli.setup.model_choice import choose_model
from dataagent_cli.wiring import App, new_session_id
from dataagent_core.models import DEMO_PROMPT
from dataagent_core.models.scripted.demo_script import SHOP
from dataagent_core.tools.data.sample import make_shop

_MODEL = "demo:demo"


async def play_demo(app: App, workspace: Path | None) -> int:
    """Run the demo and return its exit code."""
    # Not removed: the person may want to look at the files.
    chosen = workspace or Path(tempfile.mkdtemp(prefix="dataagent-demo-"))
    place = resolve_workspace(chosen, app.say)
    app.output.note(app.say("demo_begins"), bold=True)
    app.output.note(app.say("demo_where", path=place), dim=True)
    await asyncio.to_thread(make_shop, place / SHOP)
    app.output.note()
    app.output.note(app.say("demo_asked", prompt=DEMO_PROMPT), bold=True)
    request = RunRequest(
        prompt=DEMO_PROMPT,
        session_id=new_session_id(),
        model=_MODEL,
        workspace=place,
        approvals=ApprovalRule(alone=True),
    )
    code = await run_one_turn(app, request)
    if code == exit_codes.DONE:
        await _say_next_step(app)
    return code


async def _say_next_step(app: App) -> None:
    choice = await asyncio.to_thread(choose_model, app)
    app.output.note()
    if choice.notice is not None or choice.name == _MODEL:
        app.output.note(app.say("demo_next_key"), bold=True)
    else:
        app.output.note(app.say("demo_next_run", model=choice.name), bold=True)
