"""A conversation in this process, over real stores and a scripted model behind a real endpoint."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from local_conversations import SilentTerminal, until

from dataagent_cli.conversation.local.workbench import LocalWorkbench
from dataagent_cli.conversation.port import AttachedText
from dataagent_cli.wiring import start
from dataagent_core import events as ev
from dataagent_core.errors import ConflictError, NotFoundError, SessionBusyError, ValidationError
from dataagent_core.hitl import Decision
from dataagent_core.permissions import load_rules
from dataagent_core.permissions.rule_files.trust import trust
from dataagent_core.session import read_all

CALL = {"name": "write_file", "args": {"file_path": "/a.txt", "content": "x\n"}}
WRITE = [{"text": "I write.", "tool_calls": [CALL]}, {"text": "Finished."}]
HELLO = [{"text": "Hello there."}]
SLOW = [{"text": "word " * 400, "chunk_chars": 5, "chunk_delay_s": 0.1}]

Opens = Callable[..., Any]


async def test_messages_said_together_are_answered_one_after_the_other(opens: Opens, scripts: Any):
    with scripts(hello=HELLO, again=[{"text": "Again."}]):
        async with opens() as conversation:
            await conversation.say("hello")
            await conversation.say("and again")
            first = await until(conversation, ev.DoneEvent)
            second = await until(conversation, ev.DoneEvent, after=first[-1].seq or 0)
            started = second[0]
            assert isinstance(started, ev.RunStartedEvent)
            assert await conversation.message(started.message_id) == "and again"
            assert [e.seq for e in (*first, *second)] == list(range(1, len(first + second) + 1))
            assert await conversation.tail(1) == first[-1].seq
            assert await conversation.tail(9) == 0


async def test_a_question_knows_which_of_its_words_the_person_wrote(opens: Opens, scripts: Any):
    with scripts(hello=HELLO):
        async with opens() as conversation:
            await conversation.say("hello", AttachedText("<stdin>\n@a.csv\n</stdin>", "a pipe"))
            await until(conversation, ev.DoneEvent)
            (question,) = await conversation.record.questions()
    assert (question.own, question.text) == ("hello", "hello\n\n<stdin>\n@a.csv\n</stdin>")


async def test_nothing_stays_of_a_fork_that_is_removed(opens: Opens, scripts: Any):
    with scripts(hello=HELLO):
        async with opens() as conversation:
            await conversation.say("hello")
            await until(conversation, ev.DoneEvent)
            made = await conversation.record.fork(None)
            await conversation.record.remove_fork(made)
            stores = (await conversation.wait_open()).stores
            assert len(await conversation.record.sessions("")) == 1
            assert await stores.messages.get_messages(made.session_id, limit=1) == []
            assert await stores.log.last_seq(made.session_id) == 0


async def test_an_answer_reaches_the_run_that_waits_and_only_once(
    opens: Opens, scripts: Any, workspace: Path
):
    with scripts(write=WRITE):
        async with opens() as conversation:
            await conversation.say("write")
            asked = (await until(conversation, ev.HITLRequestEvent))[-1]
            assert isinstance(asked, ev.HITLRequestEvent)
            with pytest.raises(ValidationError, match="does not answer"):
                await conversation.answer(asked.interrupt_id, {"type": "skip"})
            with pytest.raises(ConflictError):
                await conversation.answer("no such question", {"type": "approve"})
            await conversation.answer(asked.interrupt_id, {"type": "approve"})
            with pytest.raises(ConflictError):
                await conversation.answer(asked.interrupt_id, {"type": "approve"})
            await until(conversation, ev.DoneEvent)
    assert (workspace / "a.txt").read_text() == "x\n"


async def test_leaving_at_a_question_parks_the_run_and_the_next_one_answers_it(
    opens: Opens, scripts: Any, workspace: Path
):
    with scripts(write=WRITE):
        async with opens() as conversation:
            await conversation.say("write")
            await until(conversation, ev.HITLRequestEvent)
            assert not await conversation.go_on()
        async with opens(last=True) as conversation:
            seen = await until(conversation, ev.HITLRequestEvent)
            assert not any(isinstance(event, ev.DoneEvent) for event in seen)
            assert await conversation.go_on()
            asked = seen[-1]
            assert isinstance(asked, ev.HITLRequestEvent)
            # Before the run is back at its request: the answer waits for it.
            await conversation.answer(asked.interrupt_id, {"type": "approve"})
            done = (await until(conversation, ev.DoneEvent))[-1]
            assert isinstance(done, ev.DoneEvent)
            assert done.reason == "completed"
    assert (workspace / "a.txt").exists()


async def test_stopping_ends_the_run_and_forgets_what_waits(opens: Opens, scripts: Any):
    with scripts(slow=SLOW, hello=HELLO) as served:
        async with opens() as conversation:
            await conversation.say("slow")
            await conversation.say("hello")
            await until(conversation, ev.TextEvent)
            async with asyncio.timeout(60):
                await conversation.stop()
                done = (await until(conversation, ev.DoneEvent))[-1]
            assert isinstance(done, ev.DoneEvent)
            assert done.cancelled
        assert len(served.requests) == 1


async def test_a_mode_chosen_before_and_after_opening_is_an_event(opens: Opens, scripts: Any):
    with scripts(hello=HELLO):
        async with opens(session_id="s1", mode="plan") as conversation:
            assert conversation.facts.mode == "plan"
            await conversation.wait_open()
            await conversation.change_mode("auto")
            changed = await until(conversation, ev.ModeChangedEvent, after=1)
            assert [e.mode for e in changed if isinstance(e, ev.ModeChangedEvent)] == ["auto"]
        async with opens(session_id="s1") as conversation:
            await conversation.wait_open()
            assert conversation.facts.mode == "auto"


async def test_what_cannot_be_opened_is_told_to_whoever_listens(opens: Opens, scripts: Any):
    with scripts(hello=HELLO):
        async with opens(last=True) as conversation:
            with pytest.raises(NotFoundError, match="no session was held in"):
                await until(conversation, ev.DoneEvent)
        async with opens(session_id="nobody", must_exist=True) as conversation:
            with pytest.raises(NotFoundError, match="nobody"):
                await conversation.wait_open()
        async with opens(session_id="s1") as first:
            await first.wait_open()
            async with opens(session_id="s1") as second:
                with pytest.raises(SessionBusyError):
                    await second.wait_open()


async def test_a_background_task_goes_on_when_the_session_is_opened_again(
    opens: Opens, scripts: Any, terminal: SilentTerminal
):
    task = {"description": "dig deep", "subagent_type": "general-purpose"}
    begin = [{"tool_calls": [{"name": "start_task", "args": task}]}, {"text": "Started."}]
    with scripts(begin=begin, dig=SLOW):
        async with opens(session_id="kept", background_tasks=True, mode="auto") as conversation:
            await conversation.say("begin")
            events = await until(conversation, ev.DoneEvent)
            (assigned,) = [e for e in events if isinstance(e, ev.SubAgentEvent)]
            task_id = assigned.subagent_id
            assert task_id is not None
            # It is at work here, so that its session can be opened.
            await conversation.record.may_open(task_id)
    (stopped,) = terminal.notes
    assert stopped.startswith("Background tasks that stop now: 1.")
    look = {"name": "check_task", "args": {"task_id": task_id, "wait_s": 60}}
    with scripts(dig=[{"text": "Found."}], look=[{"tool_calls": [look]}, {"text": "Seen."}]):
        async with opens(session_id="kept", background_tasks=True) as conversation:
            await conversation.say("look")
            after = events[-1].seq or 0
            events = await until(conversation, ev.DoneEvent, after=after)
            log = (await conversation.wait_open()).stores.log
            attempts = await read_all(log, task_id, types=("resumed",))
    (seen,) = [e for e in events if isinstance(e, ev.ToolResultEvent)]
    assert "has finished.\nFound." in str(seen.result)
    assert len(attempts) == 1
    assert terminal.notes[1].startswith("Background tasks that go on: 1.")
    title = "general-purpose: dig deep"
    assert f"has finished ({title}). Ask the agent for its report" in terminal.notes[2]
    async with opens(session_id=task_id, background_tasks=True) as conversation:
        await conversation.wait_open()
    assert terminal.notes[3:] == [
        "This is a background task. /resume kept returns to its conversation."
    ]


async def test_continue_opens_the_conversation_and_not_its_background_task(
    opens: Opens, scripts: Any
):
    task = {"description": "dig deep", "subagent_type": "general-purpose"}
    begin = [{"tool_calls": [{"name": "start_task", "args": task}]}, {"text": "Started."}]
    with scripts(begin=begin, dig=[{"text": "Found."}]):
        async with opens(session_id="kept", background_tasks=True, mode="auto") as conversation:
            await conversation.say("begin")
            await until(conversation, ev.DoneEvent)
        async with opens(last=True) as conversation:
            assert (await conversation.wait_open()).session_id == "kept"


ALLOW_WRITES = '[[rules]]\naction = "allow"\ntool = "write_file"\nresource = "**"\n'


async def test_rules_that_another_shell_changed_count_from_the_next_message_on(
    opens: Opens, scripts: Any, tmp_path: Path
):
    with scripts(first=WRITE, second=WRITE, third=HELLO, fourth=WRITE):
        async with opens() as conversation:
            await conversation.say("first")
            asked = (await until(conversation, ev.HITLRequestEvent))[-1]
            assert isinstance(asked, ev.HITLRequestEvent)
            file = tmp_path / "home" / "permissions.toml"
            file.write_text(ALLOW_WRITES, encoding="utf-8")
            # The run that is at work goes on with the rules that it began with.
            await conversation.answer(asked.interrupt_id, {"type": "respond", "message": "not yet"})
            seen = (await until(conversation, ev.DoneEvent))[-1].seq or 0
            await conversation.say("second")
            second = await until(conversation, ev.DoneEvent, after=seen)
            assert not any(isinstance(event, ev.HITLRequestEvent) for event in second)
            executor = (await conversation.wait_open()).executor
            # Nothing changed: nothing is built.
            await conversation.say("third")
            third = await until(conversation, ev.DoneEvent, after=second[-1].seq or 0)
            assert (await conversation.wait_open()).executor is executor
            # A file that cannot be read allows nothing, and says why.
            file.write_text("nonsense", encoding="utf-8")
            await conversation.say("fourth")
            (refused,) = await until(conversation, ev.ErrorEvent, after=third[-1].seq or 0)
            assert "permissions.toml" in str(refused)
            file.write_text(ALLOW_WRITES, encoding="utf-8")
            await conversation.say("fourth")
            await until(conversation, ev.DoneEvent, after=third[-1].seq or 0)


async def test_a_rule_saved_in_an_answer_counts_and_the_agent_is_not_built_again(
    opens: Opens, scripts: Any, tmp_path: Path, workspace: Path
):
    home = tmp_path / "home"
    trust(home, workspace)
    with scripts(first=WRITE, second=WRITE, third=HELLO):
        async with opens() as conversation:
            await conversation.say("first")
            asked = (await until(conversation, ev.HITLRequestEvent))[-1]
            assert isinstance(asked, ev.HITLRequestEvent)
            executor = (await conversation.wait_open()).executor
            always: Decision = {"type": "approve", "scope": "always", "save": "project"}
            await conversation.answer(asked.interrupt_id, always)
            seen = (await until(conversation, ev.DoneEvent))[-1].seq or 0
            assert len(load_rules(start().settings, workspace, home=home).project) == 1
            await conversation.say("second")
            second = await until(conversation, ev.DoneEvent, after=seen)
            assert not any(isinstance(event, ev.HITLRequestEvent) for event in second)
            assert (await conversation.wait_open()).executor is executor
            # What another shell changes is a difference, also beside a saved rule.
            (home / "permissions.toml").write_text(ALLOW_WRITES, encoding="utf-8")
            await conversation.say("third")
            await until(conversation, ev.DoneEvent, after=second[-1].seq or 0)
            assert (await conversation.wait_open()).executor is not executor


async def test_a_background_task_is_not_interrupted_by_changed_rules(
    opens: Opens, scripts: Any, tmp_path: Path, terminal: SilentTerminal
):
    task = {"description": "dig deep", "subagent_type": "general-purpose"}
    begin = [{"tool_calls": [{"name": "start_task", "args": task}]}, {"text": "Started."}]
    with scripts(begin=begin, dig=SLOW, hello=HELLO):
        async with opens(background_tasks=True, mode="auto") as conversation:
            await conversation.say("begin")
            events = await until(conversation, ev.DoneEvent)
            (task_id,) = [e.subagent_id for e in events if isinstance(e, ev.SubAgentEvent)]
            executor = (await conversation.wait_open()).executor
            file = tmp_path / "home" / "permissions.toml"
            file.write_text(ALLOW_WRITES, encoding="utf-8")
            await conversation.say("hello")
            await until(conversation, ev.DoneEvent, after=events[-1].seq or 0)
            parts = await conversation.wait_open()
            assert parts.executor is not executor
            assert executor.running
            assert task_id is not None
            assert await read_all(parts.stores.log, task_id, types=("resumed",)) == []
    (stopped,) = terminal.notes
    assert stopped.startswith("Background tasks that stop now: 1.")


async def test_a_sub_agent_whose_file_is_new_can_be_asked_for_in_the_next_message(
    opens: Opens, scripts: Any, workspace: Path
):
    delegation = {"name": "task", "args": {"subagent_type": "greeter", "description": "greet"}}
    steps = [{"text": "I delegate.", "tool_calls": [delegation]}, {"text": "Done."}]
    with scripts(hello=HELLO, ask=steps, greet=HELLO):
        async with opens() as conversation:
            await conversation.say("hello")
            seen = (await until(conversation, ev.DoneEvent))[-1].seq or 0
            app, terminal = start(), SilentTerminal()
            bench = LocalWorkbench(app, conversation, terminal, unsafe_host_shell=False)
            message = "ask @greeter for it"
            assert await bench.missing_mentions(message) == ["greeter"]
            folder = workspace / ".dataagent" / "agents"
            folder.mkdir(parents=True)
            text = "---\nname: greeter\ndescription: Greets.\n---\nGreet.\n"
            (folder / "greeter.md").write_text(text, encoding="utf-8")
            assert await bench.missing_mentions(message) == []
            await conversation.say(message)
            events = await until(conversation, ev.DoneEvent, after=seen)
    phases = [event.phase for event in events if isinstance(event, ev.SubAgentEvent)]
    assert phases[-2:] == ["started", "finished"]
