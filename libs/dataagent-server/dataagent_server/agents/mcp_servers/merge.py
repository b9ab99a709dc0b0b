"""What a server is to be: what is said, over what is stored. Pure.

A stored secret is only sent where it was entered for: with another program or address it must be
entered again. Otherwise whoever may change a server could have its secrets sent to themselves.
"""

from dataclasses import asdict
from typing import Any

from dataagent_core.errors import ValidationError
from dataagent_core.mcp.config import MCPServerConfig
from dataagent_server.agents.mcp_servers.mcp_server import ServerChanges
from dataagent_server.agents.mcp_servers.secret_masks import STARS, restore_url, restore_values


def merge_server(
    before: MCPServerConfig, wishes: ServerChanges, *, entered_by_them: bool
) -> dict[str, Any]:
    """Give every field of the new configuration; `before` of a new server says nothing yet.

    `entered_by_them`: whoever changes it is whoever entered its secrets.
    """
    said = wishes.given()
    old = asdict(before)
    new = old | said
    kept: list[str] = []
    for field, what in (("env", "env"), ("headers", "header")):
        # What is not said stays, as its stars would say.
        wanted = said.get(field, STARS if old[field] else {})
        new[field], names = restore_values(what, wanted, old[field])
        kept += [f"{what} {name!r}" for name in names]
    if "url" in said:
        new["url"] = restore_url(said["url"], before.url)
    new["oauth"], client_secret_kept = _merge_oauth(old["oauth"], said.get("oauth"))
    if client_secret_kept:
        kept.append("oauth.client_secret")
    if said.get("network") == "default":
        new["network"] = None
    is_program, was_program = not new["url"], before.transport == "stdio"
    if new["transport"] == "default" or ("transport" not in said and is_program != was_program):
        # Core goes by whether there is a command or an address.
        new["transport"] = None
    elsewhere = _destination(old, by_args=not entered_by_them) != _destination(
        new, by_args=not entered_by_them
    )
    if kept and elsewhere:
        raise ValidationError(
            f"With another program or address {', '.join(kept)[:300]} must be entered again: a "
            "stored secret is only sent where it was entered for."
        )
    return new


def _merge_oauth(
    old: dict[str, Any] | None, said: dict[str, Any] | None
) -> tuple[dict[str, Any] | None, bool]:
    """Give the new settings, and whether a stored client secret is in them."""
    stored = (old or {}).get("client_secret", "")
    if said is None:
        return old, bool(stored)
    if not said:
        return None, False
    if said.get("client_secret") != STARS:
        return said, False
    if not stored:
        raise ValidationError(
            f"oauth.client_secret is {STARS!r}, which keeps a stored one, and none is stored. "
            "Enter it."
        )
    return {**said, "client_secret": stored}, True


def _destination(config: dict[str, Any], *, by_args: bool) -> tuple[object, ...]:
    oauth = config["oauth"] or {}
    # What a program does with its environment, its arguments may say.
    args = tuple(config["args"]) if by_args else ()
    tokens_at = oauth.get("token_endpoint", "")
    return config["command"], config["url"], tokens_at, args
