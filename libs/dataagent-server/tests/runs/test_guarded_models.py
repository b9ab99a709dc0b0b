"""A tenant's model is checked where it is dialled, whatever its name said before."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path

import httpcore
import pytest
from langchain_core.language_models import BaseChatModel
from pydantic import SecretStr

from dataagent_core.config import Settings
from dataagent_core.errors import ConfigurationError
from dataagent_core.models import ScriptedChatModel
from dataagent_core.sandbox.network.addresses import Address
from dataagent_core.tools.web.web_policy import WebPolicy
from dataagent_server.agents.credentials.apply_credentials import settings_for
from dataagent_server.agents.credentials.model_credential import UsableCredential
from dataagent_server.agents.credentials.model_guard import ModelGuard, is_guarded
from dataagent_server.runs.agents.guarded_models import GuardedModels
from tests.services.tcp_server import tcp_server

HOST = "models.tenant.example"
PROVIDERS = ["openai", "anthropic", "deepseek", "dashscope", "ollama"]


@dataclass
class Listener:
    """Something on this machine that no tenant may reach, and how often it was dialled."""

    port: int = 0
    dialled: int = 0


@asynccontextmanager
async def listening() -> AsyncGenerator[Listener]:
    listener = Listener()

    async def met(_: asyncio.StreamReader, __: asyncio.StreamWriter) -> None:
        listener.dialled += 1

    async with tcp_server(met) as listener.port:
        yield listener


def tenants_model(provider: str, port: int, tmp_path: Path, *, vouched: bool) -> BaseChatModel:
    """The model of a tenant whose name answers with this machine by now."""

    async def rebound(host: str, port: int) -> list[Address]:
        assert host == HOST
        return [ip_address("127.0.0.1")]

    operator = Settings(home=tmp_path)
    address = f"http://{HOST}:{port}"
    given = UsableCredential(provider, SecretStr("sk-of-the-tenant"), address, "some-model")
    policy = WebPolicy(frozenset({(HOST, port)} if vouched else ()))
    models = GuardedModels(operator, ModelGuard(policy, rebound))
    own = settings_for(operator, [given])
    resolved = models.resolve(None, own)
    assert models.resolve(None, own).model is resolved.model
    return resolved.model


@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize("vouched", [False, True])
async def test_an_address_that_turned_private_is_not_dialled_unless_the_operator_vouches(
    provider: str, tmp_path: Path, *, vouched: bool
):
    async with listening() as listener:
        model = tenants_model(provider, listener.port, tmp_path, vouched=vouched)
        # Nobody answers as a model would; who was dialled is what counts.
        with suppress(Exception):
            await model.ainvoke("hi")
    assert (listener.dialled > 0) == vouched


async def test_a_redirect_is_dialled_under_the_same_rule(tmp_path: Path):
    async with listening() as listener:
        model = tenants_model("openai", listener.port, tmp_path, vouched=True)
        client = model.root_async_client._client  # pyright: ignore[reportAttributeAccessIssue]
        with pytest.raises(httpcore.ConnectError, match="loopback"):
            await client.get(f"http://{HOST}:{listener.port + 1}/")


async def test_an_operators_model_is_left_as_it_is(tmp_path: Path):
    operator = Settings(
        home=tmp_path, openai_api_key=SecretStr("sk-operator"), openai_base_url="http://10.0.0.1/v1"
    )
    models = GuardedModels(operator, ModelGuard(WebPolicy()))
    found = models.resolve("openai:some-model", operator).model
    client = found.root_async_client._client  # pyright: ignore[reportAttributeAccessIssue]
    assert not is_guarded(client)


def test_a_model_that_cannot_be_guarded_is_not_used():
    with pytest.raises(ConfigurationError, match="cannot be guarded"):
        ModelGuard(WebPolicy()).guard(ScriptedChatModel.model_construct())
