"""Finding an Ollama on this machine: its address, and the first model it has.

Blocks for at most the probe's limit; a caller on an event loop runs it in a thread.
"""

import json
from typing import Any

from dataagent_core.config.limits import OLLAMA_PROBE_BYTES_MAX, OLLAMA_PROBE_S

_PORT = 11434


def ollama_url(host: str | None) -> str:
    """Read OLLAMA_HOST as Ollama does: scheme and port may be missing, 0.0.0.0 means here."""
    scheme, separator, rest = (host or "127.0.0.1").strip().rstrip("/").partition("://")
    if not separator:
        scheme, rest = "http", scheme
    address, slash, path = rest.partition("/")
    name, _, port = address.rpartition(":") if _has_port(address) else (address, "", "")
    if name in ("", "0.0.0.0", "[::]"):  # noqa: S104 (compared, not bound)
        name = "127.0.0.1"
    default = 443 if scheme == "https" else 80 if separator else _PORT
    return f"{scheme}://{name}:{port or default}{slash}{path}"


def _has_port(address: str) -> bool:
    return ":" in address and not address.endswith("]")


def first_ollama_model(host: str | None) -> str | None:
    """Name the first model of a reachable Ollama, or nothing if there is none."""
    import httpx

    url = f"{ollama_url(host)}/api/tags"
    try:
        # A proxy from the environment has no business with this machine's own Ollama.
        with (
            httpx.Client(timeout=OLLAMA_PROBE_S, trust_env=False) as client,
            client.stream("GET", url) as response,
        ):
            response.raise_for_status()
            return _first_name(_read(response))
    except (httpx.HTTPError, httpx.InvalidURL, ValueError):
        return None


def _read(response: Any) -> bytes:
    data = b""
    for part in response.iter_bytes():
        data += part
        if len(data) > OLLAMA_PROBE_BYTES_MAX:
            raise ValueError("too much to be a list of models")
    return data


def _first_name(data: bytes) -> str | None:
    listing = json.loads(data)
    models = listing.get("models") if isinstance(listing, dict) else None
    if not isinstance(models, list) or not models or not isinstance(models[0], dict):
        return None
    name = models[0].get("name")
    return name if isinstance(name, str) and name else None
