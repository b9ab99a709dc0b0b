"""Servers that are down, silent, closed to the login or without TLS: one sentence, no password."""

import asyncio
from pathlib import Path

import pytest
from data_servers import PASSWORD, Server, asked

from dataagent_core.errors import QueryFailedError
from dataagent_core.tools.data.sources.engines.server_engine import ServerEngine
from dataagent_core.tools.data.sources.source_spec import SourceSpec
from tests.services.process import free_port
from tests.services.tcp_server import tcp_server

_SCHEMES = {"postgres": "postgresql", "mysql": "mysql"}


async def _failure(engine: ServerEngine, folder: Path) -> str:
    with pytest.raises(QueryFailedError) as failed:
        await asked(engine, "SELECT 1", folder)
    await engine.aclose()
    text = str(failed.value)
    assert "Traceback" not in text
    assert PASSWORD not in text
    return text


def _at(kind: str, port: int, more: str = "") -> ServerEngine:
    url = f"{_SCHEMES[kind]}://ada:{PASSWORD}@127.0.0.1:{port}/shop{more}"
    return ServerEngine(SourceSpec(name="shop", kind=kind, location=url))  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize("kind", ["postgres", "mysql"])
async def test_a_server_that_is_down(kind: str, tmp_path: Path) -> None:
    assert "refused" in await _failure(_at(kind, free_port()), tmp_path)


@pytest.mark.parametrize("kind", ["postgres", "mysql"])
async def test_a_host_that_accepts_and_never_answers(kind: str, tmp_path: Path) -> None:
    async def say_nothing(_: asyncio.StreamReader, __: asyncio.StreamWriter) -> None:
        await asyncio.Event().wait()

    async with tcp_server(say_nothing) as port:
        text = await _failure(_at(kind, port, "?connect_timeout=2"), tmp_path)
    assert "within 2 s" in text


@pytest.mark.parametrize("kind", ["postgres", "mysql"])
async def test_a_host_that_answers_nonsense(kind: str, tmp_path: Path) -> None:
    async def answer(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n" * 10)

    async with tcp_server(answer) as port:
        await _failure(_at(kind, port), tmp_path)


async def test_a_wrong_password_is_said_without_it(server: Server, tmp_path: Path) -> None:
    if server.kind == "postgres":
        # The service trusts everybody; this login has to prove itself.
        (file,) = server.admin("SHOW hba_file")[0]
        path = Path(file)
        rule = f"host all {server.user} 127.0.0.1/32 scram-sha-256\n"
        path.write_text(rule + path.read_text())
        server.admin("SELECT pg_reload_conf()")
    text = await _failure(server.engine(server.url(password="wrong-wrong")), tmp_path)
    assert server.user in text
    assert "wrong-wrong" not in text
    engine = server.engine()
    _, rows = await asked(engine, "SELECT 1 AS one", tmp_path)
    await engine.aclose()
    assert rows == [{"one": 1}]


async def test_tls_that_is_demanded_is_not_done_without(server: Server, tmp_path: Path) -> None:
    option = "sslmode=require" if server.kind == "postgres" else "ssl=require"
    text = await _failure(server.engine(f"{server.url()}?{option}"), tmp_path)
    assert "SSL" in text


async def test_a_database_that_is_not_there(server: Server, tmp_path: Path) -> None:
    url = server.admin_url.replace(f"/{server.database}", "/no_such_database")
    assert "no_such_database" in await _failure(server.engine(url), tmp_path)
