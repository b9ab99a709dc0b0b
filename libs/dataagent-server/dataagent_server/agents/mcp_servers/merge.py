"""Merges the changes of a server into its stored configuration. Pure.

A stored secret is only sent where it was entered for: with another program or address it must be
entered again. Otherwise a user who may change a server could have its secrets sent to themselves.
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
    """Return every field of the new configuration; `before` of a new server is empty.

    `entered_by_them`: the user who changes the server is the one who entered its secrets.
    """
    given_values = wishes.given()
    old = asdict(before)
    new = old | given_values
    kept: list[str] = []
    for field, what in (("env", "env"), ("headers", "header")):
        # A field that is left out stays, as with `***`.
        wanted = given_values.get(field, STARS if old[field] else {})
        new[field], names = restore_values(what, wanted, old[field])
        kept += [f"{what} {name!r}" for name in names]
    if "url" in given_values:
        new["url"] = restore_url(given_values["url"], before.url)
    new["oauth"], client_secret_kept = _merge_oauth(old["oauth"], given_values.get("oauth"))
    if client_secret_kept:
        kept.append("oauth.client_secret")
    if given_values.get("network") == "default":
        new["network"] = None
    is_program, was_program = not new["url"], before.transport == "stdio"
    if new["transport"] == "default" or (
        "transport" not in given_values and is_program != was_program
    ):
        # Core derives it from whether there is a command or an address.
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
    old: dict[str, Any] | None, given_values: dict[str, Any] | None
) -> tuple[dict[str, Any] | None, bool]:
    """Return the new settings, and whether they contain the stored client secret."""
    stored = (old or {}).get("client_secret", "")
    if given_values is None:
        return old, bool(stored)
    if not given_values:
        return None, False
    if given_values.get("client_secret") != STARS:
        return given_values, False
    if not stored:
        raise ValidationError(
            f"oauth.client_secret is {STARS!r}, which keeps a stored one, and none is stored. "
            "Enter it."
        )
    return {**given_values, "client_secret": stored}, True


def _destination(config: dict[str, Any], *, by_args: bool) -> tuple[object, ...]:
    oauth = config["oauth"] or {}
    # The arguments may decide what a program does with its environment.
    args = tuple(config["args"]) if by_args else ()
    tokens_at = oauth.get("token_endpoint", "")
    return config["command"], config["url"], tokens_at, args
