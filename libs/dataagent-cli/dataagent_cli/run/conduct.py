"""One run, from the order to the exit code.

open stores > lock the session > find its place > build the agent > show events > say how to go on
"""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import TYPE_CHECKING, Any

from dataagent_cli.approval.desk import ApprovalDesk
from dataagent_cli.approval.signing_in import SignInAt
from dataagent_cli.conversation.attaching import attach
from dataagent_cli.conversation.missing_mentions import note_missing
from dataagent_cli.conversation.pictures import Attach
from dataagent_cli.conversation.workbench import ForQuestions
from dataagent_cli.display.plots import reader_of
from dataagent_cli.mcp.servers import servers_of
from dataagent_cli.mcp.signing import sign_in_at
from dataagent_cli.run.ctrl_c import CtrlC
from dataagent_cli.run.facing import dialogue_for, display_for
from dataagent_cli.run.going_on import say_how_to_go_on
from dataagent_cli.run.mode import switch_if_wanted
from dataagent_cli.run.order import RunOrder
from dataagent_cli.run.outcome import Outcome
from dataagent_cli.run.pictures import with_typed_pictures
from dataagent_cli.run.place import Place, find_place, keep_session
from dataagent_cli.wiring import App, build_executor, open_stores, session_lock
from dataagent_core.permissions import ProjectRules, RunTerms

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
                sandbox_type=order.sandbox_type,
                sandbox_id=order.sandbox_id,
                unsafe_host_shell=order.unsafe_host_shell,
            )
            async with aclosing(executor):
                order = await with_typed_pictures(order, place.workspace, _attach_in(place))
                note_missing(app.output, app.say, await executor.missing_mentions(order.own_words))
                await keep_session(app, stores, order, place)
                first = await switch_if_wanted(stores, order)
                sign_in = sign_in_at(app, servers)
                return await _run(app, order, executor, place, first=first, sign_in=sign_in)


def _attach_in(place: Place) -> Attach:
    async def attach_here(path: str) -> str:
        return await asyncio.to_thread(attach, path, place.workspace)

    return attach_here


async def _run(
    app: App,
    order: RunOrder,
    executor: "AgentExecutor",
    place: Place,
    *,
    first: list["Event"],
    sign_in: SignInAt,
) -> int:
    outcome = Outcome()
    project = ProjectRules(app.settings.home, place.workspace)
    with CtrlC(app.output, app.say) as ctrl_c:
        using = ForQuestions(executor.backend, project, sign_in)
        dialogue = dialogue_for(app, order, ctrl_c, using)
        desk = ApprovalDesk(order.approvals, dialogue, app.output, app.say)
        # Only now, because the dialogue shows changes to the files this executor works on.
        terms = RunTerms(hitl_handler=desk, rule_saver=project)
        display = display_for(app, order, dialogue, reader_of(place.workspace))
        for event in first:
            display.show(event)
        context = {**place.context(), **order.context}
        async with aclosing(_events(executor, order, context, ctrl_c.token, terms)) as events:
            async for event in events:
                outcome.see(event)
                display.show(event)
    say_how_to_go_on(app, order, order.session_id, outcome, desk)
    return outcome.exit_code


def _events(
    executor: "AgentExecutor",
    order: RunOrder,
    context: dict[str, Any],
    token: asyncio.Event,
    terms: RunTerms,
) -> AsyncGenerator["Event", None]:
    if order.prompt is None:
        return executor.resume(order.session_id, token, terms=terms)
    return executor.execute(order.prompt, order.session_id, context, token, terms=terms)
