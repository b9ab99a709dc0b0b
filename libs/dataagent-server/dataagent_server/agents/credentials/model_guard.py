"""Checks where a tenant's model really is, at the moment it is dialled.

A name may answer differently from one time to the next (DNS rebinding), so what `base_url_check.py`
found out when the address was stored, and when the run began, says nothing of the connection made
now.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import httpcore
import httpx
from langchain_core.language_models import BaseChatModel

from dataagent_core.errors import ConfigurationError
from dataagent_core.sandbox.network.addresses import Address
from dataagent_core.tools.web.web_policy import WebPolicy
from dataagent_core.tools.web.web_transport import GuardedBackend, Resolver, resolve_by_system
from dataagent_server.agents.credentials.base_url_check import why_not

# Where LangChain's models keep the client of their provider's SDK, which keeps one of httpx.
_SDK_CLIENTS: Final = ("root_async_client", "_async_client")


@dataclass(frozen=True, slots=True)
class ModelPolicy(WebPolicy):
    """The web tools' rule, except that one wrong address refuses the name."""

    def dialable(self, host: str, port: int, addresses: Sequence[Address]) -> list[Address]:
        """Give the addresses back if all of them are fine."""
        vouched = (host.lower().rstrip("."), port) in self.vouched
        if reason := why_not(addresses, vouched=vouched):
            raise httpcore.ConnectError(f"{host!r} {reason}; it is not asked")
        return list(addresses)


class ModelGuard:
    """Guards models that are asked at a tenant's address."""

    def __init__(self, policy: WebPolicy, resolver: Resolver = resolve_by_system) -> None:
        self._policy = ModelPolicy(policy.vouched)
        self._resolver = resolver

    def guard(self, model: BaseChatModel) -> None:
        """Give a model a client of its own that asks the policy; once is enough.

        LangChain shares clients between models, the operator's among them, so none is changed.
        """
        sdk = _find_sdk(model)
        if is_guarded(sdk._client):  # noqa: SLF001
            return
        sdk._client = self._install_guard(_copy_client(sdk._client))  # noqa: SLF001

    def client(self, timeout_s: float) -> httpx.AsyncClient:
        """Make a client that asks the policy, for questions no model's SDK puts."""
        return self._install_guard(httpx.AsyncClient(timeout=timeout_s, follow_redirects=False))

    def _install_guard(self, client: Any) -> Any:
        # What goes through a proxy of the environment is the operator's to judge.
        pool = client._transport._pool  # noqa: SLF001
        pool._network_backend = GuardedBackend(  # noqa: SLF001
            self._policy,
            self._resolver,
            pool._network_backend,  # noqa: SLF001
        )
        return client


def is_guarded(client: Any) -> bool:
    """Say whether a client asks the policy before it dials."""
    backend: object = client._transport._pool._network_backend  # noqa: SLF001
    return isinstance(backend, GuardedBackend)


def _find_sdk(model: BaseChatModel) -> Any:
    for name in _SDK_CLIENTS:
        sdk = getattr(model, name, None)
        if hasattr(getattr(sdk, "_client", None), "_transport"):
            return sdk
    raise ConfigurationError(
        f"A {type(model).__name__} at an address of the tenant's own cannot be guarded, so it is "
        "not used. Remove base_url from the tenant's credentials."
    )


def _copy_client(client: Any) -> Any:
    """Make a client as another one is: of httpx, or of the httpx2 that newer SDKs bring along."""
    plain = next(kind for kind in type(client).__mro__ if kind.__name__ == "AsyncClient")
    return plain(
        base_url=client.base_url,
        headers=client.headers,
        timeout=client.timeout,
        follow_redirects=client.follow_redirects,
    )
