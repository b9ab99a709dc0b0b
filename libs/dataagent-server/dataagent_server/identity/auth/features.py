"""The features of a tenant (S0's `features_enabled`): a closed set of names. Pure.

A feature that is not named is on. One that is off forbids actions for every user of the tenant
(`may.py`), and removes tools from their agents.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final, Literal, get_args

from dataagent_core.errors import ValidationError

if TYPE_CHECKING:
    from dataagent_server.identity.auth.may import Action

Feature = Literal["code_execution", "web", "api_keys", "assistants", "mcp", "patterns", "memory"]
FEATURES: Final[tuple[Feature, ...]] = get_args(Feature)

# Running programs is one feature: Python can start a shell, and a shell Python.
TOOLS_OF: Final[dict[Feature, frozenset[str]]] = {
    "code_execution": frozenset({"shell", "code_executor"}),
    "web": frozenset({"web_search", "web_scrape", "fetch_url", "http_request"}),
    "memory": frozenset(
        {"memory_search", "memory_create", "graph_query", "entity_lookup", "episode_retrieval"}
    ),
}
FEATURE_OF: Final[dict["Action", Feature]] = {
    "key.create": "api_keys",
    "assistant.change": "assistants",
    "subagent.change": "assistants",
    "mcp_server.change": "mcp",
    "mcp_server.use": "mcp",
    # What was learned before can still be seen and deleted.
    "pattern.create": "patterns",
    "pattern.change": "patterns",
    "pattern.share": "patterns",
}


def list_switched_off(features: Mapping[str, bool] | None) -> frozenset[Feature]:
    """List the features a tenant's row switches off; unknown names are ignored."""
    return frozenset(name for name in FEATURES if (features or {}).get(name) is False)


def list_withheld_tools(off: frozenset[Feature]) -> frozenset[str]:
    """List the tools that agents of a tenant do not get."""
    return frozenset[str]().union(*(TOOLS_OF.get(feature, ()) for feature in off))


def validate_features(features: Mapping[str, bool]) -> dict[str, bool]:
    """Refuse an unknown feature."""
    for name in features:
        if name not in FEATURES:
            raise ValidationError(
                f"features_enabled names {name[:80]!r}, which is no feature. There are: "
                f"{', '.join(FEATURES)}."
            )
    return dict(features)
