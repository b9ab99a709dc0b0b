"""A person rates an answer of a server's agent from a terminal."""

import pytest

from dataagent_core.errors import NotFoundError
from dataagent_core.events import DoneEvent, FeedbackEvent
from tests.remote.conftest import Attach

pytestmark = pytest.mark.timeout(240)


async def test_the_last_answer_is_rated_also_from_another_terminal(attach: Attach):
    async with attach() as terminal:
        with pytest.raises(NotFoundError, match="nothing was said"):
            await terminal.conversation.record.rate("up", "")
        await terminal.conversation.say("hello")
        await terminal.until_done()
        await terminal.conversation.record.rate("down", "net, not gross")
        await terminal.until(lambda: terminal.of(FeedbackEvent))
        async with attach(session_id=terminal.session_id, must_exist=True) as other:
            await other.until_done()
            # A compaction is no answer.
            await other.conversation.compact("")
            await other.until_done(2)
            await other.conversation.record.rate("up", "")
            await other.until(lambda: len(other.of(FeedbackEvent)) == 2)
            first = other.of(DoneEvent)[0].run_id
            said = [(e.rating, e.correction, e.target_run_id) for e in other.of(FeedbackEvent)]
            assert said == [("down", "net, not gross", first), ("up", "", first)]
