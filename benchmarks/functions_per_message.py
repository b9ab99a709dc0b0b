"""How much of our code one message passes: functions and files, counted with a profile hook.

`library`: an executor takes a message whose model calls one tool. `later`: so does that of a new
agent, after another one answered in the process. `server`: the same message over HTTP, where the
call waits for an approval, which a second request gives. Counted is what a reader
would step through: building the agent, the run, writing the log. Imports, the start of the server
and in the library the model are not: one of LangChain's stands for a provider's. Nested functions
and properties count; lambdas and comprehensions do not.

    python benchmarks/functions_per_message.py [library|later|server] [--list]
"""

import asyncio
import inspect
import json
import sys
import tempfile
import threading
from collections.abc import Generator
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import httpx
from folders import new_folder

OURS = ("dataagent_core", "dataagent_server", "dataagent_cli")
LIBS = Path(__file__).resolve().parent.parent / "libs"
POLLS_MAX = 1500
POLL_S = 0.02


class CallCounter:
    """Counts which of our functions are entered, on every thread."""

    def __init__(self) -> None:
        self._codes: set[CodeType] = set()
        self._counting = False
        threading.setprofile(self._hook)
        sys.setprofile(self._hook)

    def _hook(self, frame: FrameType, what: str, _argument: object) -> None:
        if self._counting and what == "call":
            self._codes.add(frame.f_code)

    @contextmanager
    def counting(self) -> Generator[None]:
        self._counting = True
        try:
            yield
        finally:
            self._counting = False

    def functions(self) -> list[tuple[str, str]]:
        """List file and name of each entered function, sorted."""
        names = set[tuple[str, str]]()
        for code in self._codes:
            file = Path(code.co_filename)
            if file.is_relative_to(LIBS) and _is_function(code):
                names.add(
                    (str(file.relative_to(LIBS)), f"{code.co_qualname}:{code.co_firstlineno}")
                )
        return sorted(names)


def _is_function(code: CodeType) -> bool:
    # `<module>`, `<lambda>`, `<listcomp>`; the body of a class has no locals of its own.
    return not code.co_name.startswith("<") and bool(code.co_flags & inspect.CO_NEWLOCALS)


def script(tool_call: dict[str, Any]) -> dict[str, Any]:
    return {"steps": [{"text": "I look.", "tool_calls": [tool_call]}, {"text": "Done."}]}


def fake_model(tool_call: dict[str, Any]) -> Any:
    from langchain_core.language_models.fake_chat_models import FakeMessagesListChatModel
    from langchain_core.messages import AIMessage

    class FakeModel(FakeMessagesListChatModel):
        """Returns its answers in order, whatever tools it is offered."""

        def bind_tools(self, *_arguments: Any, **_named: Any) -> Any:
            return self

    call = {**tool_call, "id": "call-1", "type": "tool_call"}
    return FakeModel(
        responses=[AIMessage("I look.", tool_calls=[call], id="1"), AIMessage("Done.", id="2")]
    )


async def library(folder: Path, messages_before: int = 0) -> CallCounter:
    from dataagent_core.config import Settings
    from dataagent_core.engine import AgentConfig, AgentFactory
    from dataagent_core.session.stores.bundle import open_sqlite

    work = new_folder(folder, "work")
    (work / "a.txt").write_text("hello\n")
    read = {"name": "read_file", "args": {"file_path": "/a.txt"}}
    settings = Settings(home=new_folder(folder, "home"))
    counter = CallCounter()
    async with open_sqlite(folder / "ours.db", "local") as stores:

        async def answer(session: str) -> list[Any]:
            config = AgentConfig(assistant_id="bench", model=fake_model(read), workspace_path=work)
            executor = AgentFactory(settings, stores=stores).create_executor(config)
            return [event async for event in executor.execute("go", session)]

        for number in range(messages_before):
            await answer(f"s{number}")
        with counter.counting():
            events = await answer("s")
    if [e.status for e in events if e.event_type == "tool_result"] != ["success"]:
        raise SystemExit(f"the tool call did not succeed: {events}")
    return counter


async def server(folder: Path) -> CallCounter:
    from dataagent_server.app import create_app
    from dataagent_server.common.ids import DEFAULT_TENANT
    from dataagent_server.identity.auth.principal import operator
    from dataagent_server.settings import ServerSettings

    home = new_folder(folder, "home")
    write = {"name": "write_file", "args": {"file_path": "/a.txt", "content": "hi"}}
    (home / "script.json").write_text(json.dumps(script(write)))
    app = create_app(ServerSettings(home=home, model=f"scripted:{home / 'script.json'}"))
    counter = CallCounter()
    async with app.router.lifespan_context(app):
        people = app.state.services.people
        member = await people.members.add(operator(DEFAULT_TENANT), "ann", "member")
        key = await people.keys.create(operator(DEFAULT_TENANT), "bench", user_id=member.user_id)
        async with httpx.AsyncClient(
            transport=httpx.ASGITransport(app),
            base_url="http://testserver/api/v1",
            headers={"X-API-Key": key.secret},
        ) as http:
            session = (await http.post("/sessions", json={})).json()["session_id"]
            with counter.counting():
                await _approve_and_finish(http, session)
    return counter


async def _approve_and_finish(http: httpx.AsyncClient, session: str) -> None:
    # Answers when the run waits for a person.
    await _sent(http.post("/chat", json={"message": "go", "session_id": session}))
    [waiting] = (await _sent(http.get("/requests"))).json()["requests"]
    decision = {"decision": {"type": "approve"}}
    await _sent(http.post(f"/requests/{waiting['interrupt_id']}", json=decision))
    for _ in range(POLLS_MAX):
        if _is_done(await _sent(http.get(f"/sessions/{session}/runs"))):
            return
        await asyncio.sleep(POLL_S)
    raise SystemExit("the approved run did not end")


def _is_done(runs: httpx.Response) -> bool:
    return all(run["status"] == "completed" for run in runs.json()["items"])


async def _sent(request: Any) -> httpx.Response:
    answer = await request
    answer.raise_for_status()
    return answer


VARIANTS = {"library": library, "later": partial(library, messages_before=1), "server": server}


def measure(variant: str) -> CallCounter:
    with tempfile.TemporaryDirectory() as name:
        return asyncio.run(VARIANTS[variant](Path(name)))


SECTION = """\
## Code that one message passes
Functions and files of ours that are entered while a new agent answers one message with one tool
call: the first and a later one of a process in the library, and one on the server with an approval
(`benchmarks/functions_per_message.py`, on
{date}).

| | functions | files |
|---|--:|--:|
{rows}"""


def section() -> str:
    rows: list[str] = []
    for variant in VARIANTS:
        functions = measure(variant).functions()
        files = {file for file, _ in functions}
        rows.append(f"| {variant} | {len(functions)} | {len(files)} |\n")
    return SECTION.format(date=datetime.now(UTC).date(), rows="".join(rows))


def main(arguments: list[str]) -> None:
    chosen = [name for name in arguments if name in VARIANTS] or list(VARIANTS)
    for variant in chosen:
        functions = measure(variant).functions()
        if "--list" in arguments:
            for file, name in functions:
                print(file, name)
        print(f"{variant}: {len(functions)} functions in {len({f for f, _ in functions})} files")


if __name__ == "__main__":
    main(sys.argv[1:])
