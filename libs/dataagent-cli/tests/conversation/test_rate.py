"""A person rates the last answer in a conversation; the rating is an event like any other."""

from collections.abc import Callable
from typing import Any

import pytest
from local_conversations import until

from dataagent_core import events as ev
from dataagent_core.errors import NotFoundError

Opens = Callable[..., Any]


async def test_a_rating_is_shown_as_an_event_of_the_conversation(opens: Opens, scripts: Any):
    with scripts(hello=[{"text": "hi"}]):
        async with opens() as conversation:
            with pytest.raises(NotFoundError, match="nothing was said"):
                await conversation.record.rate("up", "")
            await conversation.say("hello")
            done = (await until(conversation, ev.DoneEvent))[-1]
            await conversation.record.rate("down", "say it in Chinese")
            said = (await until(conversation, ev.FeedbackEvent, after=done.seq or 0))[-1]
            assert isinstance(said, ev.FeedbackEvent)
            assert (said.rating, said.correction, said.target_run_id) == (
                "down",
                "say it in Chinese",
                done.run_id,
            )
            assert said.by
