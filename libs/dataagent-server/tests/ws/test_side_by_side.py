"""S0 property 36: what one connection is busy with holds up no other."""

import asyncio
import json
import time
from contextlib import suppress

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from live_server import LiveServer, hear, hear_until, say

from dataagent_core.errors import NotFoundError

# What a connection may be busy with: a long run, a great replay, nonsense, many small things.
BUSY = st.lists(
    st.sampled_from(["chat", "cancel", "resume", "nonsense", "ping"]), min_size=1, max_size=12
)
ANSWERED_S_MAX = 10.0


@pytest.mark.requirement("S0-36")
@pytest.mark.timeout(300)
@settings(phases=[Phase.explicit, Phase.reuse, Phase.generate])
@given(busy=BUSY, chats=st.booleans())
async def test_s0_36_whatever_one_connection_does_another_is_served(
    live: LiveServer, busy: list[str], chats: bool
):
    tenant = await live.tenant(f"t{time.monotonic_ns()}")
    ann, bob = [await live.person(name, "member", tenant) for name in ("ann", "bob")]
    one, other = await live.session(ann), await live.session(bob)
    async with live.socket(one, ann) as first, live.socket(other, bob) as second:
        for what in busy:
            if what == "nonsense":
                await first.send("{" * 1_000)
            else:
                payload = {"chat": {"message": "slow"}, "resume": {"after": 0}}.get(what, {})
                await first.send(json.dumps({"type": what, "payload": payload}))
        async with asyncio.timeout(ANSWERED_S_MAX):
            await say(second, "ping")
            assert (await hear(second))["event_type"] == "pong"
            if chats:
                await say(second, "chat", message="hi")
                assert (await hear_until(second, "done"))[-1]["data"]["reason"] == "completed"
    for run in await live.services.runs.service.runs(ann.who.tenant_id, one, only_open=True):
        with suppress(NotFoundError):  # it may be over by now
            await live.services.runs.service.cancel(ann.who, run.run_id)
