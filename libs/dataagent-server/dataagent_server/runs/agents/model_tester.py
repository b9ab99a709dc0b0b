"""Tests whether a tenant's model answers: its endpoint's list, and one small call with a tool."""

import asyncio
import json
import time
from dataclasses import dataclass

import httpx

from dataagent_core.config import Settings
from dataagent_core.errors import DataAgentError
from dataagent_core.models.listing.list_request import model_list_request
from dataagent_core.models.model_probe import ModelProbe, probe_model
from dataagent_core.models.providers import PROVIDERS
from dataagent_core.models.resolve import ResolvedModel, resolve_model
from dataagent_server.agents.credentials.apply_credentials import settings_for
from dataagent_server.agents.credentials.credential_service import CredentialService
from dataagent_server.agents.credentials.model_guard import ModelGuard
from dataagent_server.agents.models.tenant_model import ModelTestResult
from dataagent_server.common.names import validate_model_name
from dataagent_server.identity.auth import Principal, Resource, require
from dataagent_server.runs.agents.guarded_models import guard_tenants
from dataagent_server.runs.limits import (
    MODEL_LIST_BYTES_MAX,
    MODEL_LIST_S,
    MODEL_TEST_S,
)

_LATE = f"The model did not answer within {MODEL_TEST_S:g} seconds."


@dataclass(frozen=True, slots=True)
class ModelTester:
    """Tests with a tenant's credentials, under the guard that its runs have."""

    settings: Settings
    credentials: CredentialService
    guard: ModelGuard

    async def test(self, principal: Principal, provider: str, model: str | None) -> ModelTestResult:
        """Test a provider; without a model its default, or the first that it lists."""
        require(principal, "model.change", Resource(principal.tenant_id, "model"))
        validate_model_name(f"{provider}:{model or 'any'}")
        credentials = await self.credentials.credentials_for(principal.tenant_id)
        own = settings_for(self.settings, credentials)
        listed = await self._list_models(provider, own)
        default = next((one.default_model for one in credentials if one.provider == provider), None)
        usual = PROVIDERS[provider].default_model
        name = model or default or (usual if usual in listed or not listed else listed[0])
        if name is None:
            problem = "The endpoint lists no model. Name one."
            return ModelTestResult(
                ok=False, model=None, latency_ms=0, models=listed, tools=None, error=problem
            )
        began = time.monotonic()
        tried = await probe_model(f"{provider}:{name}", own, MODEL_TEST_S, self._resolve)
        return ModelTestResult(
            ok=tried.works,
            model=f"{provider}:{name}",
            latency_ms=round((time.monotonic() - began) * 1_000),
            models=listed,
            tools=tried.outcome == "tools" if tried.works else None,
            error=_describe_problem(tried),
        )

    def _resolve(self, name: str, own: Settings) -> ResolvedModel:
        # Not shared with runs: it is closed after the test.
        found = resolve_model(name, own)
        guard_tenants(found, own, self.settings, self.guard)
        return found

    async def _list_models(self, provider: str, own: Settings) -> tuple[str, ...]:
        """List the models of the endpoint; an endpoint without a list is no failure yet."""
        known = PROVIDERS[provider]
        tenants = known.base_url(own) != known.base_url(self.settings)
        try:
            question = model_list_request(provider, own)
            if question is None:
                return (known.default_model,) if known.default_model else ()
            client = (
                self.guard.client(MODEL_LIST_S)
                if tenants
                else httpx.AsyncClient(timeout=MODEL_LIST_S, follow_redirects=False)
            )
            async with asyncio.timeout(MODEL_LIST_S), client:
                return question.read(await _read_json(client, question.url, dict(question.headers)))
        except (DataAgentError, TimeoutError, httpx.HTTPError, httpx.InvalidURL):
            return ()
        except (ValueError, RecursionError):
            return ()


async def _read_json(client: httpx.AsyncClient, url: str, headers: dict[str, str]) -> object:
    data = b""
    async with client.stream("GET", url, headers=headers) as response:
        response.raise_for_status()
        async for part in response.aiter_bytes():
            data += part
            if len(data) > MODEL_LIST_BYTES_MAX:
                raise ValueError("too much to be a list of models")
    return json.loads(data)


def _describe_problem(tried: ModelProbe) -> str | None:
    if tried.works:
        return None
    return _LATE if tried.outcome == "late" else tried.problem
