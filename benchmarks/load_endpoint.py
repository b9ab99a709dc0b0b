"""A model behind HTTP for load: OpenAI's chat completions, streamed, in a process of its own.

    python load_endpoint.py PORT_FILE chunks COUNT DELAY_S     text of COUNT pieces, DELAY_S apart
    python load_endpoint.py PORT_FILE tools COUNT              COUNT tool calls, then a text

Each piece of text is the moment it was sent, so that a reader can tell how long it took.
"""

import asyncio
import json
import sys
import time
from pathlib import Path
from typing import Any


def chunk(delta: dict[str, Any], finish: str | None = None) -> bytes:
    body = {
        "id": "c",
        "object": "chat.completion.chunk",
        "created": 0,
        "model": "load",
        "choices": [{"index": 0, "delta": delta, "finish_reason": finish}],
    }
    return b"data: " + json.dumps(body).encode() + b"\n\n"


async def speak(writer: asyncio.StreamWriter, count: int, delay_s: float) -> None:
    for _ in range(count):
        await asyncio.sleep(delay_s)
        await send(writer, chunk({"content": f"{time.time():.6f} "}))
    await send(writer, chunk({}, "stop"))


async def call(writer: asyncio.StreamWriter, number: int) -> None:
    # Different each time: equal calls would count as a doom loop.
    function = {"name": "ls", "arguments": json.dumps({"path": "/" + "./" * number})}
    made = {"index": 0, "id": f"call_{number}", "type": "function", "function": function}
    await send(writer, chunk({"tool_calls": [made]}))
    await send(writer, chunk({}, "tool_calls"))


async def send(writer: asyncio.StreamWriter, data: bytes) -> None:
    writer.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
    await writer.drain()


async def answer(request: dict[str, Any], writer: asyncio.StreamWriter, mode: list[str]) -> None:
    writer.write(
        b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
    )
    last = max(i for i, m in enumerate(request["messages"]) if m["role"] == "user")
    done = sum(m["role"] == "tool" for m in request["messages"][last:])
    if mode[0] == "tools" and done < int(mode[1]):
        await call(writer, done)
    elif mode[0] == "tools":
        await speak(writer, 1, 0)
    else:
        await speak(writer, int(mode[1]), float(mode[2]))
    usage = {"prompt_tokens": 10, "completion_tokens": 10, "total_tokens": 20}
    last_words = {"id": "c", "object": "chat.completion.chunk", "created": 0, "model": "load",
                  "choices": [], "usage": usage}  # fmt: skip
    await send(writer, b"data: " + json.dumps(last_words).encode() + b"\n\n")
    await send(writer, b"data: [DONE]\n\n")
    writer.write(b"0\r\n\r\n")
    await writer.drain()


async def main() -> None:
    mode = sys.argv[2:]

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
                length = int(head.split("content-length:")[1].split("\r\n")[0])
                await answer(json.loads(await reader.readexactly(length)), writer, mode)
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0, backlog=1024)
    Path(sys.argv[1]).write_text(str(server.sockets[0].getsockname()[1]))
    async with server:
        await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main())
