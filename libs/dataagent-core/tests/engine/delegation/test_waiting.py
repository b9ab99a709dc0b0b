"""Sub-agents side by side that wait for a person, who answers in any order, over restarts."""

from collections import Counter
from pathlib import Path
from typing import Any

from agents import events_of, executor, resumed
from subagent_scripts import called, ends_of, playing, results_of, specialist, task

from dataagent_core.events import HITLAnswerEvent, HITLRequestEvent
from dataagent_core.hitl import AbsentPersonHandler, bound
from dataagent_core.session import read_all
from dataagent_core.session.stores.bundle import Stores

NAMES = ("a", "b", "c")


async def find_open(stores: Stores) -> list[HITLRequestEvent]:
    found: dict[str, HITLRequestEvent] = {}
    for event in await read_all(stores.log, "s", types=("hitl_request", "hitl_answer")):
        if isinstance(event, HITLRequestEvent):
            found[event.interrupt_id] = event
        elif isinstance(event, HITLAnswerEvent):
            found.pop(event.interrupt_id, None)
    return list(found.values())


async def approve(stores: Stores, request: HITLRequestEvent) -> None:
    """Approve a request while nobody works on its run, as a server does."""
    action: Any = request.action_requests[0]
    decision: Any = bound({"type": "approve"}, action)
    answer = HITLAnswerEvent(
        interrupt_id=request.interrupt_id, kind=request.kind, decision=decision, by="ann"
    )
    await stores.log.append("s", request.run_id or "", [answer])


async def test_each_answer_reaches_its_own_call_and_nothing_is_done_twice(tmp_path: Path) -> None:
    def write(name: str, number: int) -> dict[str, Any]:
        path = f"/{name}{number}.txt"
        return {"tool_calls": [called("write_file", file_path=path, content=name)]}

    model = playing(
        *(task(name.upper(), to=name) for name in NAMES),
        **{name.upper(): [write(name, 1), write(name, 2), {"text": "ok"}] for name in NAMES},
    )
    stores, subagents = Stores.in_memory(), tuple(map(specialist, NAMES))

    def build(handler: Any) -> Any:
        return executor(model, tmp_path, handler=handler, stores=stores, subagents=subagents)

    events = await events_of(build(AbsentPersonHandler()), "@a, @b and @c")
    answered: list[str] = []
    while events[-1].event_type != "done":
        # The newest first, so that the sub-agents overtake each other.
        request = (await find_open(stores))[-1]
        answered.append(str(request.action_requests[0]["args"]))
        await approve(stores, request)
        events = await resumed(build(AbsentPersonHandler()))
    assert events[-1].reason == "completed"
    assert max(Counter(answered).values()) == 1
    written = sorted(path.name for path in tmp_path.glob("*.txt"))
    assert written == sorted(f"{name}{number}.txt" for name in NAMES for number in (1, 2))
    every = await read_all(stores.log, "s")
    assert len(results_of(every, "write_file")) == 6
    # Two turns of the agent, three of each sub-agent: none was asked again.
    assert len(model.requests) == 2 + 3 * len(NAMES)
    assert set(ends_of(every)) == set(NAMES)
