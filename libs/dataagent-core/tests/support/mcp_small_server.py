"""A small MCP server over stdio, on the standard library alone: starts in 20 ms and can misbehave.

Run as a program. It speaks the handshake era (2025-11-25) and answers `server/discover` with
"method not found", as older servers do. Each call runs in a thread of its own.

    --refuse-start     complains on stderr and ends with exit code 3
    --tell-environment prints its environment on stderr and ends with exit code 3
    --hang-start       reads, and never answers
    --deaf             goes on when its input ends, and ignores SIGTERM
    --name NAME        what it calls itself
    --content          has resources (`note:///1`, a template `row:///{id}`) and a prompt `review`

Tools: echo(text), env(), sleep(seconds), cancelled(), crash(code), flood(lines), junk(lines),
big(bytes), children(count), elicit(message), progress(steps), add_tool(name), http_get(url),
write(path, text), read(path), connect(host, port), structured(value), image(), fail(text), pid(),
roots(), sample(text, size), sample_late(), late_answer().
"""

import base64
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

VERSION = "2025-11-25"
_PIXEL = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)


class Fail(Exception):  # noqa: N818 - a tool's own failure, told as a result
    """A tool says that it failed."""


class Call:
    """One call: its arguments, where progress goes, and whether the client gave it up."""

    def __init__(self, server: "Server", request: dict[str, Any]) -> None:
        self.server = server
        self.id = request["id"]
        params = request.get("params") or {}
        self.tool: str = params.get("name", "")
        self.arguments: dict[str, Any] = params.get("arguments") or {}
        self.token = (params.get("_meta") or {}).get("progressToken")
        self.given_up = threading.Event()


class Server:
    """Reads lines, answers lines."""

    def __init__(self, name: str, *, has_content: bool = False) -> None:
        self.name = name
        self.has_content = has_content
        # What the client says it can do.
        self.client: dict[str, Any] = {}
        self.extra: list[str] = []
        self.cancelled: list[Any] = []
        self.children: list[subprocess.Popen[bytes]] = []
        # What the client answered when it was asked outside of any call.
        self.late: list[dict[str, Any]] = []
        self.calls: dict[Any, Call] = {}
        self._asked: dict[str, tuple[threading.Event, list[dict[str, Any]]]] = {}
        self._numbers = count(1)
        self._writing = threading.Lock()

    def run(self) -> None:
        """Serve until the input ends."""
        for line in sys.stdin.buffer:
            message = json.loads(line)
            if "method" not in message:
                answered, answers = self._asked.pop(message["id"])
                answers.append(message)
                answered.set()
            elif "id" in message:
                self._request(message)
            elif message["method"] == "notifications/cancelled":
                given_up = message["params"]["requestId"]
                self.cancelled.append(given_up)
                if given_up in self.calls:
                    self.calls[given_up].given_up.set()

    def send(self, message: dict[str, Any]) -> None:
        """Write one message."""
        self.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")

    def write(self, data: bytes) -> None:
        """Write bytes as they are."""
        with self._writing:
            sys.stdout.buffer.write(data)
            sys.stdout.buffer.flush()

    def ask(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        """Ask the client something and wait for its answer."""
        number = f"small-{next(self._numbers)}"
        answered, answers = threading.Event(), list[dict[str, Any]]()
        self._asked[number] = (answered, answers)
        self.send({"id": number, "method": method, "params": params})
        answered.wait()
        return answers[0]

    def _request(self, message: dict[str, Any]) -> None:
        match message["method"]:
            case "initialize":
                asked = (message.get("params") or {}).get("protocolVersion", VERSION)
                self.client = (message.get("params") or {}).get("capabilities") or {}
                self._answer(
                    message,
                    {
                        "protocolVersion": min(asked, VERSION),
                        "capabilities": {
                            "tools": {"listChanged": True},
                            **({"resources": {}, "prompts": {}} if self.has_content else {}),
                        },
                        "serverInfo": {"name": self.name, "version": "1.0"},
                    },
                )
            case "ping":
                self._answer(message, {})
            case "tools/list":
                self._answer(message, {"tools": self._listed()})
            case "tools/call":
                call = Call(self, message)
                self.calls[call.id] = call
                threading.Thread(target=self._run, args=(call,), daemon=True).start()
            case method if self.has_content and method in CONTENT:
                self._answer(message, CONTENT[method](message.get("params") or {}))
            case other:
                problem = {"code": -32601, "message": f"Method not found: {other}"}
                self.send({"id": message["id"], "error": problem})

    def _answer(self, message: dict[str, Any], result: dict[str, Any]) -> None:
        self.send({"id": message["id"], "result": result})

    def _listed(self) -> list[dict[str, Any]]:
        return [
            {
                "name": name,
                "description": f"The tool {name}.",
                "inputSchema": {
                    "type": "object",
                    "properties": {key: {"type": kind} for key, kind in takes.items()},
                },
            }
            for name, (takes, _) in TOOLS.items()
        ] + [
            {"name": name, "description": "An added tool.", "inputSchema": {"type": "object"}}
            for name in self.extra
        ]

    def _run(self, call: Call) -> None:
        try:
            if call.tool in self.extra:
                result: Any = f"added {call.tool}"
            else:
                result = TOOLS[call.tool][1](call)
        except Fail as failure:
            result = {"content": [_text(str(failure))], "isError": True}
        except Exception as error:  # noqa: BLE001 - whatever a tool met is its answer
            result = {"content": [_text(f"{type(error).__name__}: {error}")], "isError": True}
        if not call.given_up.is_set():
            whole = result if isinstance(result, dict) else {"content": [_text(result)]}
            self.send({"id": call.id, "result": whole})
        self.calls.pop(call.id, None)


def _text(text: str) -> dict[str, str]:
    return {"type": "text", "text": text}


def _sleep(call: Call) -> str:
    seconds = float(call.arguments.get("seconds", 1))
    call.given_up.wait(seconds)
    return f"slept {seconds:g}"


def _crash(call: Call) -> str:
    sys.stderr.write("the small server was told to crash\n")
    sys.stderr.flush()
    os._exit(int(call.arguments.get("code", 1)))


def _flood(call: Call) -> str:
    """Write notifications without waiting for anybody."""
    note = {"jsonrpc": "2.0", "method": "notifications/message"}
    note["params"] = {"level": "info", "data": "x" * 10_000}  # type: ignore[assignment]
    line = json.dumps(note).encode() + b"\n"
    lines = int(call.arguments.get("lines", 1_000))
    for _ in range(lines):
        call.server.write(line)
    return f"wrote {lines} lines"


def _junk(call: Call) -> str:
    lines = int(call.arguments.get("lines", 3))
    for number in range(lines):
        call.server.write(b"this is no JSON, line %d\n" % number)
    return f"wrote {lines} lines of junk"


def _big(call: Call) -> str:
    """Answer with one message of about this size, without holding it."""
    size = int(call.arguments.get("bytes", 1_000_000))
    piece = b"x" * 65_536
    head = {"jsonrpc": "2.0", "id": call.id}
    call.server.write(
        json.dumps(head).encode()[:-1] + b', "result": {"content": [{"type": "text", "text": "'
    )
    for start in range(0, size, len(piece)):
        call.server.write(piece[: size - start])
    call.server.write(b'"}]}}\n')
    call.given_up.set()
    return ""


def _children(call: Call) -> str:
    """Start children, every second one in a session of its own."""
    number = int(call.arguments.get("count", 1))
    for index in range(number):
        child = subprocess.Popen(["/bin/sleep", "1000"], start_new_session=bool(index % 2))
        call.server.children.append(child)
    return f"started {number}"


def _elicit(call: Call) -> str:
    schema = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}
    message = str(call.arguments.get("message", "Who are you?"))
    answer = call.server.ask("elicitation/create", {"message": message, "requestedSchema": schema})
    return json.dumps(answer.get("result", answer.get("error")))


def _roots(call: Call) -> str:
    answer = call.server.ask("roots/list", {})
    return json.dumps([call.server.client, answer.get("result", answer.get("error"))])


def _sample(call: Call) -> str:
    text = str(call.arguments.get("text", "x" * int(call.arguments.get("size", 0))))
    said = {"role": "user", "content": _text(text)}
    params = {"messages": [said], "maxTokens": 100, "systemPrompt": "Be brief."}
    answer = call.server.ask("sampling/createMessage", params)
    return json.dumps(answer.get("result", answer.get("error")))


def _sample_late(call: Call) -> str:
    """Answer, and ask for the client's model when the call is over."""

    def ask() -> None:
        while call.id in call.server.calls:
            time.sleep(0.001)
        message = {"role": "user", "content": _text("Are you still there?")}
        params = {"messages": [message], "maxTokens": 10}
        call.server.late.append(call.server.ask("sampling/createMessage", params))

    threading.Thread(target=ask, daemon=True).start()
    return "later"


def _late_answer(call: Call) -> str:
    while not call.server.late:
        time.sleep(0.001)
    return json.dumps(call.server.late[-1])


def _progress(call: Call) -> str:
    steps = int(call.arguments.get("steps", 3))
    for step in range(1, steps + 1):
        if call.token is not None:
            params = {"progressToken": call.token, "progress": step, "total": steps}
            params["message"] = f"step {step}"
            call.server.send({"method": "notifications/progress", "params": params})
    return f"made {steps} steps"


def _add_tool(call: Call) -> str:
    call.server.extra.append(str(call.arguments.get("name", "added")))
    call.server.send({"method": "notifications/tools/list_changed"})
    return f"{len(call.server.extra)} added"


def _http_get(call: Call) -> str:
    url = str(call.arguments["url"])
    with urllib.request.urlopen(url, timeout=5) as answer:
        return answer.read(10_000).decode(errors="replace")


def _connect(call: Call) -> str:
    place = str(call.arguments["host"]), int(call.arguments["port"])
    with socket.create_connection(place, timeout=3):
        return "connected"


def _write(call: Call) -> str:
    text = str(call.arguments.get("text", ""))
    Path(str(call.arguments["path"])).write_text(text)
    return f"wrote {len(text)} characters"


def _fail(call: Call) -> str:
    raise Fail(str(call.arguments.get("text", "it failed")))


def _image(_: Call) -> dict[str, Any]:
    data = base64.b64encode(_PIXEL).decode()
    return {"content": [{"type": "image", "data": data, "mimeType": "image/png"}]}


def _structured(call: Call) -> dict[str, Any]:
    value = {"value": call.arguments.get("value")}
    return {"content": [_text(json.dumps(value))], "structuredContent": value}


TOOLS: dict[str, tuple[dict[str, str], Callable[[Call], Any]]] = {
    "echo": ({"text": "string"}, lambda call: str(call.arguments.get("text", ""))),
    "env": ({}, lambda _: json.dumps(dict(os.environ))),
    "sleep": ({"seconds": "number"}, _sleep),
    "cancelled": ({}, lambda call: json.dumps(call.server.cancelled)),
    "crash": ({"code": "integer"}, _crash),
    "flood": ({"lines": "integer"}, _flood),
    "junk": ({"lines": "integer"}, _junk),
    "big": ({"bytes": "integer"}, _big),
    "children": ({"count": "integer"}, _children),
    "elicit": ({"message": "string"}, _elicit),
    "progress": ({"steps": "integer"}, _progress),
    "add_tool": ({"name": "string"}, _add_tool),
    "http_get": ({"url": "string"}, _http_get),
    "connect": ({"host": "string", "port": "integer"}, _connect),
    "write": ({"path": "string", "text": "string"}, _write),
    "read": ({"path": "string"}, lambda call: Path(str(call.arguments["path"])).read_text()),
    "structured": ({"value": "string"}, _structured),
    "image": ({}, _image),
    "fail": ({"text": "string"}, _fail),
    "pid": ({}, lambda _: str(os.getpid())),
    "roots": ({}, _roots),
    "sample": ({"text": "string", "size": "integer"}, _sample),
    "sample_late": ({}, _sample_late),
    "late_answer": ({}, _late_answer),
}


def _read_resource(params: dict[str, Any]) -> dict[str, Any]:
    uri = params["uri"]
    return {"contents": [{"uri": uri, "text": f"The note at {uri} says: water the plants."}]}


def _get_prompt(params: dict[str, Any]) -> dict[str, Any]:
    given = json.dumps(params.get("arguments") or {}, sort_keys=True)
    text = f"Review this with care: {given}"
    return {"messages": [{"role": "user", "content": _text(text)}]}


CONTENT: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
    "resources/list": lambda _: {
        "resources": [{"uri": "note:///1", "name": "first", "description": "The first note."}]
    },
    "resources/templates/list": lambda _: {
        "resourceTemplates": [{"uriTemplate": "row:///{id}", "name": "rows"}]
    },
    "resources/read": _read_resource,
    "prompts/list": lambda _: {
        "prompts": [
            {
                "name": "review",
                "description": "Review a file.",
                "arguments": [{"name": "file", "required": True}, {"name": "tone"}],
            }
        ]
    },
    "prompts/get": _get_prompt,
}


def main(words: list[str]) -> None:
    """Serve as the words say."""
    if "--refuse-start" in words:
        sys.stderr.write("the small server refuses to start\n")
        sys.exit(3)
    if "--tell-environment" in words:
        sys.stderr.write("".join(f"{name}={value}\n" for name, value in os.environ.items()))
        sys.exit(3)
    deaf = "--deaf" in words
    if deaf:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if "--hang-start" in words:
        for _ in sys.stdin.buffer:
            pass
    else:
        name = words[words.index("--name") + 1] if "--name" in words else "small"
        Server(name, has_content="--content" in words).run()
    while deaf:
        time.sleep(1)


if __name__ == "__main__":
    main(sys.argv[1:])
