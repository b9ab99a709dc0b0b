"""Where a model is reached: the name under which its failures are counted. Pure."""

from urllib.parse import urlsplit

from dataagent_core.models.resolve import ResolvedModel
from dataagent_core.models.scripted import ScriptedChatModel

# These answer from within the process: there is nothing that could be away.
_HERE = frozenset({"scripted", "demo"})
_ADDRESSES = ("openai_api_base", "anthropic_api_url", "base_url", "api_base")


def endpoint_of(resolved: ResolvedModel) -> str | None:
    """Name the server of a model: its address, or its provider where that is the usual one."""
    provider = resolved.name.partition(":")[0]
    if provider in _HERE or isinstance(resolved.model, ScriptedChatModel):
        return None
    for attribute in _ADDRESSES:
        address = getattr(resolved.model, attribute, None)
        if isinstance(address, str) and (parts := urlsplit(address)).hostname:
            return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"
    return provider
