"""Questions within one call: asked one after the other, and none that nobody waits for any more."""

import asyncio

from dataagent_core.mcp.connections.calls.server_call import ServerCall
from dataagent_core.mcp.ports import (
    SamplingMessage,
    SamplingRefusal,
    SamplingRequest,
    SamplingResult,
)


def request(text: str) -> SamplingRequest:
    return SamplingRequest(messages=(SamplingMessage("user", text),), max_tokens=1)


async def test_a_request_that_is_taken_back_while_another_is_open_is_put_to_nobody() -> None:
    put: list[str] = []
    first_is_open, go_on, server_is_done = asyncio.Event(), asyncio.Event(), asyncio.Event()

    async def sample(asked: SamplingRequest) -> SamplingResult:
        put.append(asked.messages[0].text)
        first_is_open.set()
        await go_on.wait()
        return SamplingResult(text="yes", model="m", stop_reason="endTurn")

    async def server() -> str:
        await server_is_done.wait()
        return "result"

    call = ServerCall(sample=sample)
    running = asyncio.create_task(call.result(server(), 10, set()))
    first, second, third = (
        asyncio.create_task(call.ask_model(request(text))) for text in ("one", "two", "three")
    )
    await first_is_open.wait()
    second.cancel()
    await asyncio.wait({second})
    go_on.set()
    assert isinstance(await first, SamplingResult)
    assert isinstance(await third, SamplingResult)
    assert put == ["one", "three"]
    server_is_done.set()
    assert await running == "result"


async def test_what_is_asked_when_the_call_is_over_is_answered_by_nobody() -> None:
    async def sample(_: SamplingRequest) -> SamplingResult:
        raise AssertionError("asked")

    async def server() -> str:
        asking.append(asyncio.create_task(call.ask_model(request("late"))))
        await asyncio.sleep(0)
        return "result"

    asking: list[asyncio.Task[SamplingResult | SamplingRefusal]] = []
    call = ServerCall(sample=sample)
    assert await call.result(server(), 10, set()) == "result"
    assert isinstance(await asking[0], SamplingRefusal)
