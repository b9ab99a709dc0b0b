"""A person corrects what a server remembers, and switches memory off, from a terminal."""

import io
from types import SimpleNamespace
from typing import Any

import pytest

from dataagent_cli.messages import Messages
from dataagent_cli.output.streams import Output
from dataagent_cli.repl.commands.memory import memory
from dataagent_cli.wiring import App
from dataagent_core.config import Settings
from tests.remote.conftest import Attach

pytestmark = pytest.mark.timeout(240)


@pytest.mark.parametrize("correction", ["", "I live in Bern."])
async def test_a_recalled_memory_is_called_wrong_and_the_terminal_says_so(
    attach: Attach, correction: str
):
    async with attach() as terminal:
        await terminal.link.ask("POST", "/memories", body={"content": "I live in Basel."})
        await terminal.conversation.say("Where do I live?")
        await terminal.until_done()
        written = io.StringIO()
        output = Output(io.StringIO(), written, {})
        app = App(Settings(), Messages("en"), output)
        shell: Any = SimpleNamespace(app=app, conversation=terminal.conversation, output=output)
        recalled = await terminal.conversation.record.recalled()
        number = [one["content"] for one in recalled].index("I live in Basel.") + 1
        await memory(shell, f"wrong {number} {correction}")
        said = ["wrong, and not used any more: I live in Basel."]
        if correction:
            said.append(f"remembered: {correction}")
        assert written.getvalue().splitlines() == said
        kept = (await terminal.link.ask("GET", "/memories"))["items"]
        assert [one["content"] for one in kept] == [correction] * bool(correction)


async def test_switching_memory_off_leaves_the_other_metadata_of_the_session(attach: Attach):
    async with attach() as terminal:
        await terminal.conversation.say("hello")
        await terminal.until_done()
        path = f"/sessions/{terminal.session_id}"
        await terminal.link.ask("PATCH", path, body={"metadata": {"pinned": True}})
        await terminal.conversation.record.want_memory(wanted=False)
        metadata = (await terminal.link.ask("GET", path))["metadata"]
        assert metadata == {"pinned": True, "memory": False}
