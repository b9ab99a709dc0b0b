"""A conversation with a real server, over its public API."""

import asyncio
from pathlib import Path
from typing import cast

import pytest

from dataagent_cli.approval.preview import preview
from dataagent_cli.remote.failures import NotSignedInError, ServerAwayError
from dataagent_core.errors import ConflictError, DeniedError, NotFoundError, ValidationError
from dataagent_core.events import (
    DoneEvent,
    HITLAnswerEvent,
    ModeChangedEvent,
    RunStartedEvent,
    TextEvent,
)
from dataagent_core.hitl import ActionRequest
from dataagent_core.permissions.rules import Rule
from dataagent_core.subagents import SubAgentTrigger, render_subagent
from dataagent_core.subagents.subagent_file import parse_subagent
from tests.remote.attached import Attached, as_wire, attached, without_ids
from tests.remote.conftest import Attach, Served
from tests.server_kill.script import WORDS
from tests.server_kill.shared_home import KEY, ask, log_of, open_requests

pytestmark = pytest.mark.timeout(240)


def is_the_log(terminal: Attached, served: Served) -> bool:
    log = without_ids(log_of(served.server, terminal.session_id))
    return as_wire(terminal.seen) == log


async def downloaded(terminal: Attached, path: str) -> bytes | None:
    (found,) = await asyncio.to_thread(terminal.files.download_files, [path])
    return found.content


@pytest.mark.requirement("F8-7")
async def test_what_is_asked_is_answered_with_the_very_events_of_the_log(
    attach: Attach, served: Served
):
    async with attach() as terminal:
        await terminal.conversation.wait_open()
        assert terminal.session_id == ""  # no session is made before the first message
        await terminal.conversation.say("tell me")
        await terminal.until_told(3)
        assert terminal.conversation.facts.model == "openai:scripted"
        await terminal.until_done()
        assert is_the_log(terminal, served)
        pieces = [event.content for event in terminal.of(TextEvent) if not event.is_final]
        assert len(pieces) > 20
        assert "".join(pieces) == WORDS
        began = terminal.of(RunStartedEvent)[0]
        assert await terminal.conversation.message(began.message_id) == "tell me"


@pytest.mark.requirement("F8-7")
async def test_a_question_is_answered_and_the_change_it_asks_about_is_seen_before(
    attach: Attach, served: Served
):
    async with attach() as terminal:
        await terminal.conversation.say("write it")
        request = await terminal.until_asked()
        using = await terminal.workbench.for_questions()
        action = cast("ActionRequest", request.action_requests[0])
        diff = await asyncio.to_thread(preview, action["name"], action["args"], using.files)
        assert diff is not None
        assert "+noted" in diff
        assert using.project is None
        await terminal.conversation.answer(
            request.interrupt_id, {"type": "approve", "scope": "once"}
        )
        await terminal.until_done()
        assert terminal.of(HITLAnswerEvent)[0].decision["type"] == "approve"
        assert terminal.done.reason == "completed"
        assert is_the_log(terminal, served)
        with pytest.raises(ConflictError):
            await terminal.conversation.answer(request.interrupt_id, {"type": "reject"})
        assert "note.txt" in await terminal.workbench.file_names()
        assert await downloaded(terminal, "/note.txt") == b"noted\n"


@pytest.mark.requirement("F8-7")
async def test_stopping_ends_the_run_and_withdraws_what_waits(attach: Attach, served: Served):
    async with attach() as terminal:
        await terminal.conversation.say("tell slowly")
        await terminal.until_told(3)
        await terminal.conversation.say("hello, queued")
        await terminal.conversation.stop()
        await terminal.until_done(2)
        assert [done.reason for done in terminal.of(DoneEvent)] == ["user_cancelled"] * 2
        began, withdrawn = (event.run_id for event in terminal.of(RunStartedEvent))
        assert {event.run_id for event in terminal.of(TextEvent)} == {began}
        assert withdrawn != began
        assert terminal.conversation.facts.model == "openai:scripted"
        runs = ask(served.server, "GET", f"/api/v1/sessions/{terminal.session_id}/runs")["items"]
        assert [run["status"] for run in runs] == ["cancelled", "cancelled"]


@pytest.mark.requirement("F8-7")
async def test_a_message_said_while_a_run_is_under_way_waits_for_its_turn(attach: Attach):
    async with attach() as terminal:
        await terminal.conversation.say("tell me")
        await terminal.until_told(2)
        await terminal.conversation.say("hello")
        await terminal.until_done(2)
        said = [
            await terminal.conversation.message(event.message_id)
            for event in terminal.of(RunStartedEvent)
        ]
        assert said == ["tell me", "hello"]


@pytest.mark.requirement("F8-7")
async def test_two_terminals_on_one_session_see_the_same_and_one_answer_counts(
    attach: Attach, served: Served
):
    async with attach() as one:
        await one.conversation.say("write it")
        request = await one.until_asked()
        async with attach(session_id=one.session_id, must_exist=True) as other:
            assert (await other.until_asked()).interrupt_id == request.interrupt_id
            await other.conversation.answer(request.interrupt_id, {"type": "approve"})
            with pytest.raises(ConflictError):
                await one.conversation.answer(request.interrupt_id, {"type": "approve"})
            await one.until_done()
            await other.until_done()
            assert is_the_log(one, served)
            assert is_the_log(other, served)


@pytest.mark.requirement("F8-7")
async def test_the_mode_is_switched_on_the_server_and_followed_when_another_does_it(
    attach: Attach,
):
    async with attach() as one:
        await one.conversation.change_mode("plan")
        assert one.conversation.facts.mode == "plan"
        async with attach(session_id=one.session_id, mode="auto") as other:
            await other.conversation.wait_open()
            await one.until(lambda: len(one.of(ModeChangedEvent)) == 2)
            assert one.conversation.facts.mode == "auto"


@pytest.mark.requirement("F8-7")
async def test_a_wrong_key_and_no_key_are_told_with_the_way_out(attach: Attach, served: Served):
    for key in ("wrong", None):
        async with attach(key) as terminal:
            with pytest.raises(NotSignedInError, match=f"login {served.server.url}"):
                await terminal.conversation.wait_open()


@pytest.mark.requirement("F8-7")
async def test_somebody_elses_session_is_refused_and_that_of_another_tenant_is_not_there(
    attach: Attach, served: Served, colleagues_key: str, strangers_key: str
):
    async with attach() as mine:
        await mine.conversation.say("hello")
        await mine.until_done()
        named = {"session_id": mine.session_id, "must_exist": True}
        async with attach(colleagues_key, **named) as theirs:
            with pytest.raises(DeniedError, match=f"login {served.server.url}"):
                await theirs.conversation.wait_open()
        async with attach(strangers_key, **named) as theirs:
            with pytest.raises(NotFoundError, match=mine.session_id):
                await theirs.conversation.wait_open()


async def test_the_last_session_is_taken_up_and_shown_from_its_last_runs(attach: Attach):
    async with attach() as before:
        for number in range(1, 5):
            await before.conversation.say(f"hello {number}")
            await before.until_done(number)
    async with attach(last=True) as terminal:
        await terminal.until_done(3)
        assert terminal.session_id == before.session_id
        assert as_wire(terminal.seen) == as_wire(before.seen)[-len(terminal.seen) :]
        first = terminal.of(RunStartedEvent)[0]
        assert await terminal.conversation.message(first.message_id) == "hello 2"


async def test_a_picture_of_this_machine_is_put_where_the_agent_can_open_it(
    attach: Attach, tmp_path: Path
):
    picture = tmp_path / "Bild 1.PNG"
    picture.write_bytes(b"\x89PNG\r\n\x1a\n rest")
    async with attach() as terminal:
        name = await terminal.workbench.attach_picture(str(picture))
        assert name.startswith("uploads/Bild 1-")
        assert await downloaded(terminal, name) == picture.read_bytes()


async def test_what_the_server_has_not_is_said_to_be_local_only(attach: Attach):
    async with attach() as terminal:
        with pytest.raises(ValidationError, match="this machine only"):
            await terminal.workbench.run_line("ls")
        with pytest.raises(ValidationError, match="chooses the model"):
            await terminal.conversation.change_model("openai:gpt")
        assert await terminal.workbench.context_share() is None


async def test_the_skills_and_sub_agents_are_those_of_the_server(attach: Attach):
    async with attach() as terminal:
        send, workbench = terminal.link.ask, terminal.workbench
        rule = {"tool": "shell", "resource": "git push *", "action": "deny"}
        poet = {
            "name": "poet",
            "trigger": {"description": "Writes poems.", "keywords": ["poem"]},
            "system_prompt": "Rhyme.",
            "allowed_tools": ["read_file"],
            "rules": [rule],
        }
        made = await send("POST", "/subagents", body=poet)
        off = await send("POST", "/subagents", body={**poet, "name": "off", "enabled": False})
        await send("POST", "/tenant/skills/disable", body={"skill_name": "code-review"})
        try:
            skills = {one.name: one.description for one in await workbench.skills()}
            assert "data-analysis" in skills
            assert "code-review" not in skills
            subagents = {one.name: one for one in await workbench.subagents()}
            assert {"poet", "code-reviewer", "memory-explorer"} <= {*subagents}
            assert "off" not in subagents
            found = subagents["poet"]
            assert found.trigger == SubAgentTrigger(description="Writes poems.", keywords=("poem",))
            assert found.rules == (Rule("shell", "git push *", "deny", "person"),)
            read = parse_subagent(render_subagent(found), "poet")
            assert read.allowed_tools == ("read_file",)
        finally:
            await send("POST", "/tenant/skills/enable", body={"skill_name": "code-review"})
            for one in (made, off):
                await send("DELETE", f"/subagents/{one['id']}")


async def test_the_record_of_a_session_is_the_servers(attach: Attach):
    async with attach() as terminal:
        record = terminal.conversation.record
        await terminal.conversation.say("hello you")
        await terminal.until_done()
        (question,) = await record.questions()
        assert question.text == "hello you"
        assert await record.rename("Talk of May") == "Talk of May"
        assert terminal.conversation.facts.title == "Talk of May"
        assert "hello you" in await record.export("md")
        assert (await record.usage()).calls == 1
        context = await record.context()
        assert context is not None
        assert await terminal.workbench.context_share() == pytest.approx(
            context.estimated_tokens / context.window_tokens
        )
        assert (await record.sessions("hello you"))[0].session_id == terminal.session_id
        forked = await record.fork(None)
        assert (forked.runs, forked.left_unfinished) == (1, False)
        await record.may_open(forked.session_id)
        with pytest.raises(NotFoundError):
            await record.may_open("no-such-session")
        assert (await record.changes(None)).files == ()


async def test_nobody_at_the_address_is_one_line(attach: Attach):
    async with attached("http://127.0.0.1:9", KEY) as terminal:
        with pytest.raises(ServerAwayError, match="does not answer"):
            await terminal.conversation.wait_open()


async def test_a_question_left_open_waits_for_the_next_terminal(attach: Attach, served: Served):
    async with attach() as one:
        await one.conversation.say("write it")
        await one.until_asked()
        session_id = one.session_id
    assert len(open_requests(served.server, session_id)) == 1
    async with attach(session_id=session_id, must_exist=True) as other:
        request = await other.until_asked()
        await other.conversation.answer(request.interrupt_id, {"type": "reject"})
        await other.until_done()
        assert other.done.reason == "rejected"
