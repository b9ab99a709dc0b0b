"""Fake model servers: real HTTP, the bodies of real programs, and worse ones."""

import json
import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

OLLAMA_TAGS = {
    "models": [
        {
            "name": "qwen3:8b",
            "model": "qwen3:8b",
            "modified_at": "2026-01-05T10:11:12.123456789+01:00",
            "size": 5225388164,
            "digest": "500a1f067a9f782620b40bee6f7b0c89e17ae61f686b92c24933e4ca4b2b8b41",
            "details": {
                "parent_model": "",
                "format": "gguf",
                "family": "qwen3",
                "families": ["qwen3"],
                "parameter_size": "8.2B",
                "quantization_level": "Q4_K_M",
            },
        },
        {
            "name": "nomic-embed-text:latest",
            "model": "nomic-embed-text:latest",
            "details": {"family": "nomic-bert"},
        },
    ]
}
LLAMACPP_MODELS = {
    "models": [{"name": "/models/qwen3-8b.gguf", "model": "/models/qwen3-8b.gguf"}],
    "object": "list",
    "data": [
        {
            "id": "/models/qwen3-8b.gguf",
            "object": "model",
            "created": 1767600000,
            "owned_by": "llamacpp",
            "meta": {"vocab_type": 2, "n_vocab": 151936, "n_ctx_train": 40960},
        }
    ],
}
LLAMACPP_PROPS = {
    "default_generation_settings": {"n_ctx": 4096, "params": {"temperature": 0.8}},
    "total_slots": 1,
    "model_path": "/models/qwen3-8b.gguf",
    "chat_template": "...",
    "build_info": "b6900-abcdef12",
}
VLLM_MODELS = {
    "object": "list",
    "data": [
        {
            "id": "Qwen/Qwen3-8B",
            "object": "model",
            "created": 1767600000,
            "owned_by": "vllm",
            "root": "Qwen/Qwen3-8B",
            "parent": None,
            "max_model_len": 40960,
            "permission": [{"id": "modelperm-1", "object": "model_permission"}],
        }
    ],
}
LM_STUDIO_MODELS = {
    "data": [
        {"id": "qwen3-8b", "object": "model", "owned_by": "organization_owner"},
        {
            "id": "text-embedding-nomic-embed-text-v1.5",
            "object": "model",
            "owned_by": "organization_owner",
        },
    ],
    "object": "list",
}


@dataclass(frozen=True, slots=True)
class Reply:
    """The reply of a path."""

    body: bytes
    status: int = 200
    content_type: str = "application/json"
    wait_s: float = 0.0
    headers: tuple[tuple[str, str], ...] = ()

    @classmethod
    def of(cls, value: Any) -> "Reply":
        return cls(json.dumps(value).encode())


Chat = Callable[[dict[str, Any]], Reply]


@contextmanager
def serving(replies: dict[str, Reply], chat: Chat | None = None) -> Generator[str]:
    """Serve on a free port of this machine; yield the address."""
    closing = threading.Event()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._send(replies.get(self.path, Reply(b"not found", status=404)))

        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            self._send(chat(asked) if chat else Reply(b"no", status=405))

        def _send(self, reply: Reply) -> None:
            closing.wait(reply.wait_s)
            self.send_response(reply.status)
            self.send_header("Content-Type", reply.content_type)
            for name, value in reply.headers:
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(reply.body)

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 (the library's name)
            pass

        def handle(self) -> None:
            with suppress(OSError):  # the client has disconnected
                super().handle()

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        closing.set()
        server.shutdown()
        server.server_close()
        thread.join()


def _chunk(delta: dict[str, Any], finish: str | None = None) -> bytes:
    body = {
        "id": "c1",
        "object": "chat.completion.chunk",
        "created": int(time.time()),
        "model": "m",
        "choices": [{"index": 0, "delta": delta, "finish_reason": finish}],
    }
    return b"data: " + json.dumps(body).encode() + b"\n\n"


def _stream(*chunks: bytes) -> Reply:
    return Reply(b"".join(chunks) + b"data: [DONE]\n\n", content_type="text/event-stream")


def calls_tools(asked: dict[str, Any]) -> Reply:
    """Answer as a model that calls the first tool it is given."""
    if not asked.get("tools"):
        return talks_only(asked)
    name = asked["tools"][0]["function"]["name"]
    call = {
        "index": 0,
        "id": "call_1",
        "type": "function",
        "function": {"name": name, "arguments": '{"color": "blue"}'},
    }
    return _stream(_chunk({"role": "assistant", "tool_calls": [call]}), _chunk({}, "tool_calls"))


def talks_only(asked: dict[str, Any]) -> Reply:
    """Answer as a model that only writes text."""
    del asked
    return _stream(_chunk({"role": "assistant", "content": "ok"}), _chunk({}, "stop"))


def refuses_tools(asked: dict[str, Any]) -> Reply:
    """Answer as a server whose model has no template for tools."""
    if asked.get("tools"):
        error = {"error": {"message": "this model does not support tools", "code": 400}}
        return Reply(json.dumps(error).encode(), status=400)
    return talks_only(asked)


def wants_a_key(asked: dict[str, Any]) -> Reply:
    del asked
    error = {
        "error": {"message": "Incorrect API key provided: sk-wrong", "code": "invalid_api_key"}
    }
    return Reply(json.dumps(error).encode(), status=401)
