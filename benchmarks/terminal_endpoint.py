"""The model of the terminal's benchmark: OpenAI's chat completions, in a process of its own.

    python terminal_endpoint.py PORT_FILE LOG_FILE

What the last message of the person asks for decides: `first` one word after a pause, `once` one
word, `lines N PER_S` that many lines, `calls N` that many tool calls and then a word. Every piece
of text holds the moment it was sent, and every request and every answer's end is a line of
LOG_FILE: both sides share one clock.
"""

import asyncio
import json
import re
import sys
import time
from pathlib import Path
from typing import Any

from load_endpoint import chunk, send

ORDER = re.compile(r"(first|once|lines (\d+) (\d+)|calls (\d+))")
# A person's pause: the terminal has come to rest before the first word arrives.
BEFORE_FIRST_WORD_S = 0.5
# A tool that both programs have under one name, and that changes nothing.
TOOL = "glob"


def stamp() -> str:
    return f"[{time.time():.6f}]"


def asked_for(messages: list[dict[str, Any]]) -> tuple[str, int]:
    """Find what the person ordered last, and how many tool results came since."""
    people = [i for i, message in enumerate(messages) if message["role"] == "user"]
    for at in reversed(people):
        if found := ORDER.search(json.dumps(messages[at]["content"])):
            return found[0], sum(message["role"] == "tool" for message in messages[at:])
    return "first", 0


async def lines(writer: asyncio.StreamWriter, count: int, per_s: int) -> None:
    began = time.monotonic()
    for number in range(1, count + 1):
        await send(writer, chunk({"content": f"- line {number} of streaming output {stamp()}\n"}))
        wait_s = began + number / per_s - time.monotonic() if per_s else 0.0
        if wait_s > 0:
            await asyncio.sleep(wait_s)
    await send(writer, chunk({}, "stop"))


async def call(writer: asyncio.StreamWriter, number: int) -> None:
    # Written differently each time: equal calls would be taken for a loop.
    function = {"name": TOOL, "arguments": json.dumps({"pattern": f"*.{number}"})}
    made = {"index": 0, "id": f"call_{number}", "type": "function", "function": function}
    await send(writer, chunk({"tool_calls": [made]}))
    await send(writer, chunk({}, "tool_calls"))


async def word(writer: asyncio.StreamWriter, wait_s: float) -> None:
    await asyncio.sleep(wait_s)
    await send(writer, chunk({"content": f"answer {stamp()}"}))
    await asyncio.sleep(wait_s)
    await send(writer, chunk({}, "stop"))


async def answer(request: dict[str, Any], writer: asyncio.StreamWriter) -> str:
    writer.write(
        b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
    )
    # Without tools it is somebody's question for a title.
    order, done = asked_for(request["messages"]) if request.get("tools") else ("title", 0)
    match order.split():
        case ["lines", count, per_s]:
            await lines(writer, int(count), int(per_s))
        case ["calls", count] if done < int(count):
            await call(writer, done)
        case ["first"]:
            await word(writer, BEFORE_FIRST_WORD_S)
        case _:
            await word(writer, 0)
    usage = {"prompt_tokens": 10, "completion_tokens": 10, "total_tokens": 20}
    last_words = {"id": "c", "object": "chat.completion.chunk", "created": 0, "model": "load",
                  "choices": [], "usage": usage}  # fmt: skip
    await send(writer, b"data: " + json.dumps(last_words).encode() + b"\n\n")
    await send(writer, b"data: [DONE]\n\n")
    writer.write(b"0\r\n\r\n")
    await writer.drain()
    return order


async def main() -> None:
    port_file, log_file = map(Path, sys.argv[1:])

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
                length = re.search(r"content-length: (\d+)", head)
                if length is None:  # a look at what there is, not a question
                    writer.write(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")
                    continue
                request = json.loads(await reader.readexactly(int(length[1])))
                came = time.time()
                order = await answer(request, writer)
                with log_file.open("a") as log:
                    log.write(json.dumps({"order": order, "came": came, "ended": time.time()}))
                    log.write("\n")
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0, limit=2**24)
    port_file.write_text(str(server.sockets[0].getsockname()[1]))
    async with server:
        await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main())
