"""Third-party MCP servers in the sandbox, through everything an agent uses."""

import asyncio
import shutil
import subprocess
import sys
import threading
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import psutil
import pytest

from dataagent_core.config import Settings
from dataagent_core.mcp import MCPServerConfig
from dataagent_core.mcp.connections import MCPConnectionManager, ServerConnection
from dataagent_core.mcp.local import local_manager
from dataagent_core.mcp.owner import Owner
from dataagent_core.sandbox.port import Network

ROOT = Path(__file__).parents[2]
OWNER = Owner("local", "somebody")
CALL_S = 30.0


def from_pypi(name: str, *args: str, **given: Any) -> MCPServerConfig:
    program = Path(sys.prefix) / f"services/mcp/{name}/bin/mcp-server-{name}"
    if not program.is_file():
        pytest.skip(f"mcp-server-{name} is not installed: run `make test`, which gets it")
    return MCPServerConfig(name=name, command=str(program), args=list(args), **given)


def from_npm(name: str, *args: str, **given: Any) -> MCPServerConfig:
    program = (
        ROOT / f"tests/thirdparty/node_modules/@modelcontextprotocol/server-{name}/dist/index.js"
    )
    if shutil.which("node") is None or not program.is_file():
        pytest.skip(f"server-{name} is not installed: run `npm ci --prefix tests/thirdparty`")
    modules = str(program.parents[3])
    return MCPServerConfig(
        name=name, command="node", args=[str(program), *args],
        read_paths=[modules, *given.pop("read_paths", [])], **given,
    )  # fmt: skip


@asynccontextmanager
async def connected(
    config: MCPServerConfig, tmp_path: Path
) -> AsyncGenerator[tuple[ServerConnection, MCPConnectionManager]]:
    before = set(psutil.Process().children(recursive=True))
    manager = local_manager(Settings(home=tmp_path / "home"))
    try:
        yield manager.connection(OWNER, config), manager
    finally:
        await manager.aclose()
        assert set(psutil.Process().children(recursive=True)) <= before


async def text_of(server: ServerConnection, tool: str, **arguments: Any) -> str:
    result = await server.call(tool, arguments, timeout_s=CALL_S)
    text = "\n".join(part.text for part in result.content if part.type == "text")
    assert not result.is_error, text
    return text


@pytest.mark.requirement("F6-real-servers")
async def test_mcp_server_time_tells_the_time_without_a_network(tmp_path: Path) -> None:
    async with connected(from_pypi("time", network="none"), tmp_path) as (server, _):
        assert {tool.name for tool in await server.tools()} == {"get_current_time", "convert_time"}
        told = await text_of(
            server, "convert_time",
            source_timezone="Asia/Shanghai", time="16:30", target_timezone="UTC",
        )  # fmt: skip
        assert "08:30" in told
        assert server.status.protocol_version == "2026-07-28"


def made_repository(folder: Path) -> Path:
    folder.mkdir()
    who = ["-c", "user.name=a", "-c", "user.email=a@b"]
    for words in (["init", "-q"], [*who, "commit", "-q", "--allow-empty", "-m", "First words"]):
        subprocess.run(["git", *words], cwd=folder, check=True)
    return folder


@pytest.mark.requirement("F6-real-servers")
async def test_mcp_server_git_reads_the_repository_it_was_shown(tmp_path: Path) -> None:
    repository = made_repository(tmp_path / "repository")
    config = from_pypi(
        "git", "--repository", str(repository), network="none", write_paths=[str(repository)]
    )
    async with connected(config, tmp_path) as (server, _):
        assert len(await server.tools()) == 12
        log = await text_of(server, "git_log", repo_path=str(repository), max_count=3)
        assert "First words" in log
        (repository / "new.txt").write_text("x")
        assert "new.txt" in await text_of(server, "git_status", repo_path=str(repository))


@contextmanager
def page(text: str) -> Generator[str]:
    class Page(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = text.encode() if self.path != "/robots.txt" else b""
            self.send_response(200 if body else 404)
            self.send_header("Content-Type", "text/html")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None:  # pyright: ignore[reportIncompatibleMethodOverride]
            pass

    site = ThreadingHTTPServer(("127.0.0.1", 0), Page)
    thread = threading.Thread(target=site.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{site.server_port}/"
    finally:
        site.shutdown()
        thread.join()
        site.server_close()


def fetching(network: Network) -> MCPServerConfig:
    # If it finds Node it installs packages at its first call.
    nowhere = {"PATH": "/nonexistent"}
    return from_pypi("fetch", "--allow-private-ips", env=nowhere, network=network)


@pytest.mark.requirement("F6-3")
async def test_mcp_server_fetch_reaches_a_page_only_with_the_network_it_was_given(
    tmp_path: Path,
) -> None:
    with page("<h1>Plain words</h1><p>For a test.</p>") as url:
        async with connected(fetching("full"), tmp_path) as (server, _):
            assert "For a test." in await text_of(server, "fetch", url=url)
        async with connected(fetching("none"), tmp_path) as (server, _):
            result = await server.call("fetch", {"url": url}, timeout_s=CALL_S)
            assert result.is_error


@pytest.mark.requirement("F6-3")
async def test_server_filesystem_writes_where_it_may_and_nowhere_else(tmp_path: Path) -> None:
    folder = tmp_path / "shown"
    folder.mkdir()
    secret = tmp_path / "secret.txt"
    secret.write_text("not for you")
    # Its configuration allows everything; the sandbox does not.
    config = from_npm("filesystem", "/", network="none", write_paths=[str(folder)])
    async with connected(config, tmp_path) as (server, _):
        await text_of(server, "write_file", path=str(folder / "note.txt"), content="hello")
        assert (folder / "note.txt").read_text() == "hello"
        assert "hello" in await text_of(server, "read_text_file", path=str(folder / "note.txt"))
        read = await server.call("read_text_file", {"path": str(secret)}, timeout_s=CALL_S)
        assert read.is_error


@pytest.mark.requirement("F6-real-servers")
async def test_server_everything_sends_pictures_progress_and_structured_content(
    tmp_path: Path,
) -> None:
    heard: list[tuple[float, float | None]] = []

    async def progressed(progress: float, total: float | None, _message: str | None) -> None:
        heard.append((progress, total))

    async with connected(from_npm("everything", "stdio", network="none"), tmp_path) as (server, _):
        names = {tool.name for tool in await server.tools()}
        assert {"echo", "get-sum", "get-tiny-image", "get-structured-content"} <= names
        assert "hello" in await text_of(server, "echo", message="hello")
        picture = await server.call("get-tiny-image", {}, timeout_s=CALL_S)
        assert "image" in {part.type for part in picture.content}
        weather = await server.call(
            "get-structured-content", {"location": "Chicago"}, timeout_s=CALL_S
        )
        assert weather.structured_content is not None
        await server.call(
            "trigger-long-running-operation", {"duration": 1, "steps": 4},
            timeout_s=CALL_S, on_progress=progressed,
        )  # fmt: skip
        assert heard
        assert heard[-1] == (4, 4)
        assert server.status.protocol_version == "2025-11-25"


@pytest.mark.requirement("F6-real-servers")
async def test_a_hundred_calls_at_once_share_one_process_and_one_connection(
    tmp_path: Path,
) -> None:
    async with connected(from_pypi("time", network="none"), tmp_path) as (server, manager):
        await server.tools()
        others = [manager.connection(OWNER, server.config) for _ in range(100)]
        await asyncio.gather(
            *(text_of(other, "get_current_time", timezone="UTC") for other in others)
        )
        running = [
            process
            for process in psutil.Process().children(recursive=True)
            # Not by its name, which is the script's; the sandbox's own processes contain it too.
            if any(word.endswith("/mcp-server-time") for word in process.cmdline())
            and Path(process.exe()).name.startswith("python")
        ]
        assert len(running) == 1
