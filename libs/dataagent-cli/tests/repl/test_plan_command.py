"""`/plan` over a real conversation: what it prints, changes and refuses."""

import io
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast

import pytest
from stored_plans import PLAN_RUN, store_plan

from dataagent_cli.conversation.local.conversation import LocalConversation
from dataagent_cli.conversation.local.workbench import LocalWorkbench
from dataagent_cli.messages import Messages
from dataagent_cli.output.streams import Output
from dataagent_cli.repl.commands.command import Shell
from dataagent_cli.repl.commands.plan import plan
from dataagent_cli.wiring import App, start
from dataagent_core.errors import ConflictError, DataAgentError, NotFoundError, ValidationError
from dataagent_core.events import StepEndEvent
from dataagent_core.planning import PlanEdit, WorkPlan, read_edits

Opens = Callable[..., Any]


class PlanShell:
    """A shell without input; it keeps what is printed."""

    def __init__(self, conversation: LocalConversation, terminal: Any) -> None:
        self._out = io.BytesIO()
        self.output = Output(io.TextIOWrapper(self._out, "utf-8"), io.StringIO(), {})
        self.app = App(start().settings, Messages("en"), self.output)
        self.conversation = conversation
        self.workbench = LocalWorkbench(self.app, conversation, terminal, unsafe_host_shell=False)

    async def typed(self, argument: str) -> str:
        """Run the command, and return what it printed."""
        self._out.truncate(0)
        self._out.seek(0)
        await plan(cast("Shell", self), argument)
        return self.printed

    @property
    def printed(self) -> str:
        return self._out.getvalue().decode()


@dataclass
class EditedMeanwhile:
    """A conversation in which somebody else is always a moment faster."""

    own: LocalConversation

    async def plan(self) -> WorkPlan | None:
        return await self.own.plan()

    async def edit_plan(self, edits: list[PlanEdit], version: int) -> WorkPlan:
        theirs = read_edits([{"op": "edit", "step_number": 1, "description": "dig deeper"}])
        await self.own.edit_plan(theirs, version)
        return await self.own.edit_plan(edits, version)


async def test_a_plan_is_shown_and_changed_by_the_numbers_of_its_steps(
    opens: Opens, scripts: Any, terminal: Any
):
    with scripts():
        async with opens() as conversation:
            shell = PlanShell(conversation, terminal)
            with pytest.raises(NotFoundError, match="no work plan"):
                await shell.typed("")
            parts = await conversation.wait_open()
            await store_plan(parts.stores, parts.session_id)
            ended = StepEndEvent(step_number=1, plan_id=PLAN_RUN, duration_ms=1502, result="a hole")
            await parts.stores.log.append(parts.session_id, PLAN_RUN, [ended])
            shown = "plan 1/3\n  1 [x] dig · 1.5 s\n  2 [ ] fill\n  3 [ ] pour\n"
            assert await shell.typed("") == await shell.typed("show") == shown
            # What it is then comes as an event, as for a change by somebody else.
            assert await shell.typed("move 3 before 2") == ""
            assert await shell.typed("edit #2 fill it   to the top") == ""
            assert await shell.typed("add before 3 wait") == ""
            assert await shell.typed("assign 3 @coder-agent") == ""
            assert await shell.typed("skip 4") == ""
            assert await shell.typed("show") == (
                "plan 1/4\n"
                "  1 [x] dig · 1.5 s\n"
                "  4 [-] wait\n"
                "  3 [ ] pour · coder-agent\n"
                "  2 [ ] fill it to the top\n"
            )
            assert await shell.typed("assign 3") == ""
            assert await shell.typed("assign 2 general-purpose") == ""
            assert "  3 [ ] pour\n  2 [ ] fill it to the top · general-purpose" in (
                await shell.typed("")
            )


@pytest.mark.parametrize(
    ("typed", "error", "said"),
    [
        ("edit 9 x", NotFoundError, "the plan has no step 9. Steps: 1, 2, 3."),
        ("move 2 before 9", NotFoundError, "the plan has no step 9"),
        ("skip 1", ConflictError, "step 1 is completed"),
        ("assign 2 nobody", NotFoundError, "There is no sub-agent 'nobody'"),
    ],
)
async def test_what_cannot_be_changed_is_refused_with_the_reason(  # noqa: PLR0917
    opens: Opens, scripts: Any, terminal: Any, typed: str, error: type[DataAgentError], said: str
):
    with scripts():
        async with opens() as conversation:
            parts = await conversation.wait_open()
            await store_plan(parts.stores, parts.session_id)
            ended = StepEndEvent(step_number=1, plan_id=PLAN_RUN)
            await parts.stores.log.append(parts.session_id, PLAN_RUN, [ended])
            with pytest.raises(error, match=said):
                await PlanShell(conversation, terminal).typed(typed)
            now = await conversation.plan()
            assert now is not None
            assert now.version == 1


async def test_who_comes_second_sees_what_the_plan_is_now(
    opens: Opens, scripts: Any, terminal: Any
):
    with scripts():
        async with opens() as conversation:
            parts = await conversation.wait_open()
            await store_plan(parts.stores, parts.session_id)
            shell = PlanShell(conversation, terminal)
            shell.conversation = cast("LocalConversation", EditedMeanwhile(conversation))
            with pytest.raises(ConflictError, match="make your change again"):
                await shell.typed("skip 3")
            assert shell.printed == "plan 0/3\n  1 [ ] dig deeper\n  2 [ ] fill\n  3 [ ] pour\n"


async def test_words_that_are_no_change_of_a_plan_are_refused(
    opens: Opens, scripts: Any, terminal: Any
):
    with scripts():
        async with opens() as conversation:
            with pytest.raises(ValidationError, match="edit N TEXT"):
                await PlanShell(conversation, terminal).typed("burn it")
