"""One run, from the order to the exit code.

open stores > lock the session > find its place > build the agent > show events > say how to go on
"""

import asyncio
import sys
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import TYPE_CHECKING

from dataagent_cli.approval.desk import QUESTION, ApprovalDesk
from dataagent_cli.approval.dialogue import Dialogue
from dataagent_cli.approval.keyboard import Keyboard
from dataagent_cli.approval.signing_in import SignInAt
from dataagent_cli.display.human import Human
from dataagent_cli.display.json_lines import JsonLines
from dataagent_cli.display.protocol import Display
from dataagent_cli.display.tool_line import action as in_words
from dataagent_cli.mcp.servers import servers_of
from dataagent_cli.mcp.signing import sign_in_at
from dataagent_cli.run.ctrl_c import CtrlC
from dataagent_cli.run.order import RunOrder
from dataagent_cli.run.outcome import Outcome
from dataagent_cli.run.place import Place, find_place, keep_session
from dataagent_cli.wiring import App, build_executor, open_stores, session_lock
from dataagent_core.hitl import ActionRequest
from dataagent_core.permissions import ProjectRules

if TYPE_CHECKING:
    from dataagent_core.engine import AgentExecutor
    from dataagent_core.events import Event


async def conduct(app: App, order: RunOrder) -> int:
    """Carry out the order and return the exit code."""
    async with open_stores(app.settings) as stores:
        with session_lock(app.settings, order.session_id):
            place = await find_place(app, stores, order)
            if place.model.notice:
                app.output.note(place.model.notice, fg="yellow")
            servers = await servers_of(app, place.workspace, may_ask=not order.as_json)
            executor = build_executor(
                app,
                stores,
                model=place.model.name,
                workspace=place.workspace,
                approve_all=order.approvals.everything,
                timeout_s=order.timeout_s,
                servers=servers,
                unsafe_host_shell=order.unsafe_host_shell,
            )
            async with aclosing(executor):
                await keep_session(app, stores, order, place)
                return await _run(app, order, executor, place, sign_in_at(app, servers))


async def _run(
    app: App, order: RunOrder, executor: "AgentExecutor", place: Place, sign_in: SignInAt
) -> int:
    outcome = Outcome()
    project = ProjectRules(app.settings.home, place.workspace)
    executor.rule_saver = project
    with CtrlC(app.output, app.say) as ctrl_c:
        dialogue = _dialogue(app, order, executor, project, ctrl_c, sign_in=sign_in)
        desk = ApprovalDesk(order.approvals, dialogue, app.output, app.say)
        # Only now, because the dialogue shows changes to the files this executor works on.
        executor.hitl_handler = desk
        previewed = dialogue.previewed if dialogue else set[str]()
        human = Human(app.output, app.say, previewed, place.workspace)
        display: Display = JsonLines() if order.as_json else human
        async with aclosing(_events(executor, order, place.context(), ctrl_c.token)) as events:
            async for event in events:
                outcome.see(event)
                display.show(event)
    _say_how_to_go_on(app, order, outcome, desk)
    return outcome.exit_code


def _events(
    executor: "AgentExecutor", order: RunOrder, context: dict[str, str], token: asyncio.Event
) -> AsyncGenerator["Event", None]:
    if order.prompt is None:
        return executor.resume(order.session_id, token)
    return executor.execute(order.prompt, order.session_id, context, token)


def _dialogue(
    app: App,
    order: RunOrder,
    executor: "AgentExecutor",
    project: ProjectRules,
    ctrl_c: CtrlC,
    *,
    sign_in: SignInAt,
) -> Dialogue | None:
    """Return the way to a person who can see the question and answer it, if there is one."""
    if order.as_json or not (sys.stdin.isatty() and app.output.err_is_terminal):
        return None
    keyboard = Keyboard(sys.stdin.fileno())
    output, say = app.output, app.say
    return Dialogue(keyboard, executor.backend, project, ctrl_c, sign_in, output=output, say=say)


def _say_how_to_go_on(app: App, order: RunOrder, outcome: Outcome, desk: ApprovalDesk) -> None:
    session = order.session_id
    if outcome.reason is None and desk.left_waiting is not None:
        action = desk.left_waiting
        words = in_words(action["name"], action["args"], app.say)
        text = app.say(_waits(action), action=words, session=session, tool=action["name"])
        app.output.note(text, fg="yellow")
    elif outcome.reason is None:
        app.output.note(app.say("unfinished", session=session), fg="yellow")
    elif order.session_is_new and not order.as_json:
        app.output.note(app.say("continue", session=session), dim=True)


def _waits(action: ActionRequest) -> str:
    if action["name"] == QUESTION:
        return "waits_for_an_answer"
    return "waits_for_a_person" if action.get("always_asked") else "waits"
