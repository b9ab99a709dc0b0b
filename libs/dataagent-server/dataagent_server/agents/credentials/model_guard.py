"""Checks the address of a tenant's model at the moment of each connection.

A name may resolve differently from one time to the next (DNS rebinding), so the check of
`base_url_check.py` when the address was stored, and when the run began, does not cover the
connection made now.
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

# The attributes in which LangChain's models hold their provider's SDK client, which holds an httpx
# client.
_SDK_CLIENTS: Final = ("root_async_client", "_async_client")


@dataclass(frozen=True, slots=True)
class ModelPolicy(WebPolicy):
    """The policy of the web tools, except that one forbidden address refuses the name."""

    def dialable(self, host: str, port: int, addresses: Sequence[Address]) -> list[Address]:
        """Return the addresses if all of them are allowed."""
        vouched = (host.lower().rstrip("."), port) in self.vouched
        if reason := why_not(addresses, vouched=vouched):
            raise httpcore.ConnectError(f"{host!r} {reason}; it is not asked")
        return list(addresses)


class ModelGuard:
    """Guards models at addresses of tenants."""

    def __init__(self, policy: WebPolicy, resolver: Resolver = resolve_by_system) -> None:
        self._policy = ModelPolicy(policy.vouched)
        self._resolver = resolver

    def guard(self, model: BaseChatModel) -> None:
        """Give a model a client of its own that checks the policy.

        LangChain shares clients between models, the operator's among them, so no client is changed.
        """
        sdk = _find_sdk(model)
        if is_guarded(sdk._client):  # noqa: SLF001
            return
        sdk._client = self._install_guard(_copy_client(sdk._client))  # noqa: SLF001

    def client(self, timeout_s: float) -> httpx.AsyncClient:
        """Make a client that checks the policy, for requests outside a model's SDK."""
        return self._install_guard(httpx.AsyncClient(timeout=timeout_s, follow_redirects=False))

    def _install_guard(self, client: Any) -> Any:
        # The operator is responsible for requests through a proxy of the environment.
        pool = client._transport._pool  # noqa: SLF001
        pool._network_backend = GuardedBackend(  # noqa: SLF001
            self._policy,
            self._resolver,
            pool._network_backend,  # noqa: SLF001
        )
        return client


def is_guarded(client: Any) -> bool:
    """Return whether a client checks the policy before it connects."""
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
    """Copy a client: of httpx, or of the httpx2 that newer SDKs use."""
    plain = next(kind for kind in type(client).__mro__ if kind.__name__ == "AsyncClient")
    return plain(
        base_url=client.base_url,
        headers=client.headers,
        timeout=client.timeout,
        follow_redirects=client.follow_redirects,
    )
