"""A model of Ollama is shown pictures when its Ollama says that it sees."""

import base64
import json
import threading
from collections.abc import Generator
from contextlib import aclosing, contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest
from agents import events_of, executor, settings
from drawn_pictures import opened, picture


@contextmanager
def ollama(capabilities: list[str]) -> Generator[tuple[str, list[Any]]]:
    """Serve a model of these abilities, and note what it was asked."""
    asked: list[Any] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            if self.path == "/api/show":
                answer: dict[str, Any] = {"capabilities": capabilities}
            else:
                asked.append(body)
                said = {"role": "assistant", "content": "Teal."}
                answer = {"model": body["model"], "message": said, "done": True}
            self.send_response(200)
            self.end_headers()
            self.wfile.write(json.dumps(answer).encode() + b"\n")

        def log_message(self, format: str, *args: Any) -> None: ...  # noqa: A002 (its name)

    server = HTTPServer(("127.0.0.1", 0), Handler)
    serving = threading.Thread(target=server.serve_forever)
    serving.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", asked
    finally:
        server.shutdown()
        serving.join()
        server.server_close()


@pytest.mark.parametrize("sees", [True, False])
async def test_ollama_is_asked_whether_a_model_sees(tmp_path: Path, *, sees: bool) -> None:
    (tmp_path / "a.png").write_bytes(picture(4_000, 400))
    with ollama(["completion", "tools", *(["vision"] if sees else [])]) as (address, asked):
        agent = executor("ollama:some", tmp_path, chosen=settings(ollama_host=address))
        async with aclosing(agent):
            events = await events_of(agent, "Look at @a.png")
    assert events[-1].reason == "completed"
    message = asked[-1]["messages"][-1]
    if sees:
        (data,) = message["images"]
        assert opened(base64.b64decode(data)).size == (1_568, 157)
    else:
        assert not message.get("images")
        assert "takes no pictures" in message["content"]
