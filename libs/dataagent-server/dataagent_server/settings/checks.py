"""Checks of single settings and of settings that contradict each other. Pure.

A `ValueError` becomes a sentence for a person.
"""

import ipaddress
import re
from typing import Final

from dataagent_core.config.sandbox_types import LOCAL, SandboxType
from dataagent_core.errors import ConfigurationError

# Scheme, host and perhaps a port: what a browser sends as `Origin`.
_ORIGIN = re.compile(r"https?://[^/\s?#@*]+\Z")
_KINDS: Final = {
    "sqlite": "sqlite",
    "mysql": "mysql",
    "mariadb": "mysql",
    "postgresql": "postgres",
    "postgres": "postgres",
}


def is_loopback(host: str) -> bool:
    """Return whether only this machine can reach what is bound to `host`."""
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def validate_origins(origins: list[str]) -> list[str]:
    """Refuse what is not an origin, and `*`: with cookies it would admit every web site."""
    if "*" in origins:
        message = (
            "the console signs in with a cookie, so '*' would let every web site act for whoever "
            'is signed in; name the origins, as in ["https://console.example.com"]'
        )
        raise ValueError(message)
    for origin in origins:
        if not _ORIGIN.match(origin):
            message = (
                f"{origin!r} is no origin; write scheme and host without a path, "
                "as in https://console.example.com"
            )
            raise ValueError(message)
    return origins


def validate_proxies(proxies: list[str]) -> list[str]:
    """Refuse what is not an address or network: it would be ignored silently."""
    for proxy in proxies:
        if proxy == "*" and len(proxies) == 1:
            continue
        try:
            ipaddress.ip_network(proxy)
        except ValueError:
            message = f"{proxy!r} is neither an address nor a network such as 10.0.0.0/8"
            raise ValueError(message) from None
    return proxies


def validate_issuer(issuer: str | None, public_url: str | None) -> str | None:
    """Refuse an issuer without a public URL that its tokens could name."""
    if issuer is not None and public_url is None:
        message = (
            "its tokens are issued for this server's address, which is not set; set "
            "DATAAGENT_PUBLIC_URL to the address clients use"
        )
        raise ValueError(message)
    return issuer


def validate_auth_disabled(*, disabled: bool, host: str | None) -> bool:
    """Refuse a reachable server without authentication."""
    if disabled and host is not None and not is_loopback(host):
        message = (
            f"without authentication the server may only be bound to this machine, not to "
            f"{host!r}; set DATAAGENT_HOST=127.0.0.1, or keep authentication"
        )
        raise ValueError(message)
    return disabled


def check_sandbox(kind: SandboxType) -> None:
    """Refuse a sandbox whose package is not installed: no run could begin."""
    if kind == LOCAL:
        return
    from dataagent_core.sandbox.remote.providers import explain_installation

    if missing := explain_installation(kind):
        raise ValueError(missing.rstrip("."))


def check_session_store(
    store: str, *, database_url: str | None, redis_url: str | None, workers: int
) -> None:
    """Refuse a `DATAAGENT_SESSION_STORE` that other settings contradict.

    `sqlite`, `mysql` and `postgres` name the kind of the server's database; `redis` and `memory`
    store the records of sessions elsewhere (`sessions/records.py`). A contradiction is refused at
    the start: a setting that is ignored would look as if it worked.
    """
    if store == "redis" and redis_url is None:
        raise ConfigurationError(
            "DATAAGENT_SESSION_STORE=redis needs to know which: set DATAAGENT_REDIS_URL="
            "redis://host:6379."
        )
    if store == "memory" and workers > 1:
        raise ConfigurationError(
            "DATAAGENT_SESSION_STORE=memory keeps sessions in one process, but there are "
            f"{workers} workers, each with a memory of its own: set DATAAGENT_WORKERS=1, or choose "
            "redis."
        )
    if store == "postgres" and database_url is None:
        raise ConfigurationError(
            "DATAAGENT_SESSION_STORE=postgres needs to know which: set DATAAGENT_DATABASE_URL="
            "postgresql://user:password@host/database."
        )
    kind = _KINDS.get((database_url or "").partition("://")[0].partition("+")[0])
    if store in _KINDS.values() and kind not in (None, store):
        raise ConfigurationError(
            f"DATAAGENT_SESSION_STORE is {store!r}, but DATAAGENT_DATABASE_URL names a database "
            f"of the kind {kind!r}. Leave one of them out."
        )
